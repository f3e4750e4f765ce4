import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("A planned silence")
struct PlannedSilenceTests {
    /// A racing heart, a ward that is reached, and a wish for an hour of silence.
    private static func asked(at seconds: Double = 10) -> Ward {
        var settings = MonitorSettings()
        settings.alarmSignals.reminder = .seconds(30)
        var ward = Ward(settings: settings)
        _ = ward.state.apply(.ward(.connected, at: Ward.moment(0)))
        ward.stream(.heartRate, 14_500, from: .strap, at: [0])
        ward.act(.planSilence(.seconds(3600)), at: seconds)
        return ward
    }

    /// A listener answers a challenge.
    private static func confirm(
        _ ward: inout Ward, _ name: String = "WARD-PC", proven: Double, at seconds: Double
    ) {
        report(&ward, .sounds(identifier: name, name: name, proven: Ward.moment(proven).monotonic), at: seconds)
    }

    private static func report(_ ward: inout Ward, _ report: ListenerReport, at seconds: Double) {
        for effect in ward.state.apply(.listener(report, at: Ward.moment(seconds))) {
            switch effect {
            case .soundBurst(let priority, let moment):
                ward.sounds.append("\(priority.rawValue) \(Ward.seconds(moment))")
            case .action(let record): ward.actions.append("\(record.actor.rawValue) \(record.kind.text)")
            default: break
            }
        }
    }

    /// The bursts since a time.
    private static func sounds(_ ward: Ward, since seconds: Double) -> [String] {
        ward.sounds.filter { (Double($0.split(separator: " ")[1]) ?? 0) >= seconds }
    }

    @Test("begins only with a confirmation, and nothing sounds and nothing reminds while confirmations come")
    func begins() {
        var ward = Self.asked()
        ward.wait(until: 15)
        #expect(!Self.sounds(ward, since: 10).isEmpty)
        #expect(ward.state.signal.sounding == .high)
        Self.confirm(&ward, proven: 15, at: 15.5)
        #expect(ward.state.signal.silence == AlarmSignal.Silence(until: Ward.moment(3610), listener: "WARD-PC"))
        for second in stride(from: 17.0, through: 117, by: 2) {
            ward.wait(until: second)
            Self.confirm(&ward, proven: second, at: second)
        }
        #expect(Self.sounds(ward, since: 15.5).isEmpty)
        #expect(ward.state.signal.priority == .high && ward.state.signal.sounding == nil)
        #expect(ward.actions.last == "user silent as planned, sounded by WARD-PC")
    }

    @Test("does not begin where nobody confirms within ten seconds, and where no ward is reached")
    func nobody() {
        var ward = Self.asked()
        ward.wait(until: 20)
        #expect(!ward.state.needsListener)
        #expect(ward.actions.last == "program silence_ended")
        Self.confirm(&ward, proven: 19, at: 20.5)
        #expect(ward.state.signal.silence == nil)
        var cancelled = Self.asked()
        let effects = cancelled.state.apply(.endSilence, at: Ward.moment(12))
        #expect(!cancelled.state.needsListener)
        #expect(!effects.contains { if case .action = $0 { true } else { false } })
        var alone = Ward()
        alone.act(.planSilence(.seconds(3600)), at: 1)
        #expect(!alone.state.needsListener)
    }

    @Test("ends at its time, when the last confirmation is ten seconds old, and sounds again in that moment")
    func ends() {
        var ward = Self.asked()
        Self.confirm(&ward, proven: 11, at: 11)
        ward.wait(until: 40)
        #expect(Self.sounds(ward, since: 11).first == "high 21.0")
        #expect(ward.actions.contains("program silence_ended"))

        var short = Self.asked()
        short.act(.planSilence(.seconds(60)), at: 10.5)
        for second in stride(from: 11.0, through: 90, by: 1) {
            short.wait(until: second)
            Self.confirm(&short, proven: second, at: second)
        }
        #expect(Self.sounds(short, since: 11).first == "high 70.5")
    }

    @Test("is no longer than eight hours")
    func longest() {
        var ward = Self.asked()
        ward.act(.planSilence(.seconds(80_000)), at: 10.5)
        Self.confirm(&ward, proven: 11, at: 11)
        #expect(ward.state.signal.silence?.until == Ward.moment(10.5 + 8 * 3600))
    }

    @Test("ends at once when the listener withdraws, and not while another one sounds, whose name is shown then")
    func withdrawn() {
        var ward = Self.asked()
        Self.confirm(&ward, "A", proven: 11, at: 11)
        Self.confirm(&ward, "B", proven: 11, at: 11.5)
        #expect(ward.state.signal.silence?.listener == "A")
        Self.report(&ward, .ended(identifier: "A"), at: 12)
        #expect(ward.state.signal.silence?.listener == "B")
        Self.report(&ward, .ended(identifier: "unknown"), at: 12.5)
        #expect(ward.state.signal.silence?.listener == "B")
        Self.report(&ward, .ended(identifier: "B"), at: 13)
        #expect(ward.state.signal.silence == nil)
        #expect(Self.sounds(ward, since: 12).first == "high 13.0")
        #expect(ward.actions.last == "program sounds again: B does not sound any more")
    }

    /// What ends a silence from the side of the bed.
    enum Ending: CaseIterable { case broker, sleep, clock, user, newPatient, monitor }

    @Test(
        "ends at once without the broker, after sleep and a change of the clock, and by the user",
        arguments: Ending.allCases)
    func interrupted(ending: Ending) {
        var ward = Self.asked()
        Self.confirm(&ward, proven: 11, at: 11)
        ward.act(.pauseAudio(.seconds(120)), at: 11.5)
        let now = Ward.moment(12)
        switch ending {
        case .broker: _ = ward.state.apply(.ward(.lost(reason: "refused", since: now), at: now))
        case .sleep:
            let gap = Gap(from: Ward.moment(11.5), to: now, reason: .asleep)
            _ = ward.state.apply(MonitorEvent(moment: now, kind: .gap(gap)))
        case .clock:
            let gap = Gap(from: now, to: now, reason: .clockSet)
            _ = ward.state.apply(MonitorEvent(moment: now, kind: .gap(gap)))
        case .user: _ = ward.state.apply(.endSilence, at: now)
        case .newPatient: _ = ward.state.apply(.newPatient, at: now)
        case .monitor: _ = ward.state.loseMonitor("bedside has ended", at: now)
        }
        #expect(ward.state.signal.silence == nil && !ward.state.needsListener)
        // What is lost is heard, whatever was paused.
        #expect((ward.state.signal.pausedUntil == nil) == (ending != .user))
    }

    @Test("does not outlast a restart: nothing of it is remembered")
    func restart() {
        var ward = Self.asked()
        Self.confirm(&ward, proven: 11, at: 11)
        let memory = ward.state.memory
        var next = Ward()
        _ = next.state.resume(memory, at: Ward.moment(12))
        #expect(!next.state.needsListener)
        #expect(next.state.signal.silence == nil)
    }

    @Test("takes no confirmation that is from the future, stale, from before the wish, or of a fifth listener")
    func forged() {
        var ward = Self.asked()
        Self.confirm(&ward, proven: 9, at: 11)
        Self.confirm(&ward, proven: 13, at: 12)
        Self.confirm(&ward, proven: 1, at: 13)
        #expect(ward.state.signal.silence == nil)
        for number in 0..<4 { Self.confirm(&ward, "\(number)", proven: 14, at: 14) }
        Self.confirm(&ward, "\u{1B}]0;x\u{7}fifth", proven: 19, at: 19)
        ward.wait(until: 24)
        #expect(ward.state.signal.silence == nil)
    }

    @Test(
        "shows the name of a listener, which others choose, without control characters and at most 32 characters of it")
    func hostileName() {
        var ward = Self.asked()
        Self.confirm(&ward, "\u{1B}[2J\u{202E}" + String(repeating: "x", count: 500), proven: 11, at: 11)
        let name = ward.state.signal.silence?.listener ?? ""
        #expect(name.count <= 33 && !name.unicodeScalars.contains { $0.properties.generalCategory == .control })
        var nameless = Self.asked()
        Self.confirm(&nameless, "\u{7}", proven: 11, at: 11)
        #expect(nameless.state.signal.silence?.listener.isEmpty == false)
    }

    @Test("leaves no alarm unheard without a fresh confirmation, whatever happens")
    func property() {
        for seed in 0..<UInt64(RandomCases.count("BEDSIDE_SILENCE_CASES", usually: 300)) {
            var story = SilenceStory(seed: RandomCases.firstSeed &+ seed)
            for _ in 0..<250 { story.step() }
            #expect(story.faults.isEmpty, "seed \(RandomCases.firstSeed &+ seed): \(story.faults.prefix(3))")
        }
    }

    @Test("is in force during much of the random stories, and ends in them for each reason")
    func coverage() {
        var (silentSteps, ends) = (0, Set<String>())
        for seed in 0..<60 as Range<UInt64> {
            var story = SilenceStory(seed: seed)
            for _ in 0..<250 {
                story.step()
                if story.state.signal.silence != nil { silentSteps += 1 }
            }
            ends.formUnion(story.ends)
        }
        #expect(silentSteps > 1000)
        for end in ["over", "user", "nobody", "lost", "withdrawn", "noBroker", "interrupted"] {
            #expect(ends.contains(end), "\(end)")
        }
    }
}

/// Random events around a silence: alarms, listeners that answer, hang, are slow, forge and leave, clocks that jump.
///
/// What the monitor must do is written here anew, and not taken from the code under test.
private struct SilenceStory {
    var state: MonitorState
    var faults: [String] = []
    var ends: Set<String> = []
    private var random: SeededGenerator
    private var tenths = 0
    /// The challenges that the bed has sent, with their times.
    private var challenges: [Moment] = []
    /// The newest challenge that any listener had answered when it was received; a withdrawal removes its own.
    private var proofs: [String: Moment] = [:]
    private var lastBurst: Moment?
    private var sinceSounding: Moment?

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        state = MonitorState(start: Ward.moment(0))
        _ = state.apply(.ward(.connected, at: Ward.moment(0)))
    }

    private var now: Moment { Ward.moment(Double(tenths) / 10) }

    mutating func step() {
        let end = tenths + ([1, 3, 10, 10, 20, 30, 60].randomElement(using: &random) ?? 10)
        // Time passes as the monitor asks for it.
        while let due = state.nextDeadline, due <= Ward.moment(Double(end) / 10) {
            record(state.apply(MonitorEvent(moment: due, kind: .tick)), at: due)
        }
        tenths = end
        record(happen(), at: now)
        check()
    }

    private mutating func happen() -> [Effect] {
        let name = ["A", "B", "C", "D", "E"].randomElement(using: &random) ?? "A"
        switch Int.random(in: 0..<30, using: &random) {
        case 0, 1:
            proofs = state.needsListener ? proofs : [:]
            return state.apply(.planSilence(.seconds([60, 120, 3600].randomElement(using: &random) ?? 60)), at: now)
        case 2: return Bool.random(using: &random) ? state.apply(.endSilence, at: now) : []
        case 3:
            proofs[name] = nil
            return state.apply(.listener(.ended(identifier: name), at: now))
        case 4:
            guard Int.random(in: 0..<4, using: &random) == 0 else { return [] }
            let link: WardLink = .lost(reason: "refused", since: now)
            return state.apply(.ward(link, at: now)) + state.apply(.ward(.connected, at: now))
        case 5:
            guard Int.random(in: 0..<4, using: &random) == 0 else { return [] }
            let gap = Gap(from: now, to: now, reason: .clockSet)
            return state.apply(MonitorEvent(moment: now, kind: .gap(gap)))
        case 6: return state.apply(.acknowledgeAll, at: now)
        case 7: return state.apply(.pauseAudio(.seconds(60)), at: now)
        case 8...12:
            let value = Bool.random(using: &random) ? 14_500 : 8000
            let reading = Reading(
                sensor: .strap, vital: .heartRate, outcome: .measured(VitalValue(hundredths: value), .good), moment: now
            )
            return state.apply(MonitorEvent(moment: now, kind: .reading(reading)))
        case 13:
            // A forged time.
            let proven = now.advanced(by: .seconds(Int.random(in: 1...9, using: &random)))
            return state.apply(.listener(.sounds(identifier: "X", name: "X", proven: proven.monotonic), at: now))
        case 14:
            // An old answer, repeated.
            guard let old = challenges.first else { return [] }
            proofs["A"] = max(proofs["A"] ?? old, old)
            return state.apply(.listener(.sounds(identifier: "A", name: "A", proven: old.monotonic), at: now))
        default:
            challenges.append(now.advanced(by: .milliseconds(-Int.random(in: 0..<40, using: &random) * 100)))
            let proven = challenges[challenges.count - 1]
            proofs[name] = max(proofs[name] ?? proven, proven)
            return state.apply(
                .listener(.sounds(identifier: name, name: name, proven: proven.monotonic), at: now))
        }
    }

    private mutating func record(_ effects: [Effect], at moment: Moment) {
        for effect in effects {
            if case .soundBurst(_, let moment) = effect {
                lastBurst = moment
                if !mayBeSilent(at: moment) { continue }
            }
            if case .action(let record) = effect, case .silenceEnded(let end) = record.kind {
                ends.insert(String("\(end)".prefix { $0 != "(" }))
            }
        }
        // The monitor must have become loud by the moment at which the last proof expired.
        if state.signal.silence != nil, !mayBeSilent(at: moment) {
            faults.append("silent at \(Ward.seconds(moment)) without a fresh confirmation")
        }
    }

    /// Whether any listener has answered a challenge of the last ten seconds.
    private func mayBeSilent(at moment: Moment) -> Bool {
        proofs.values.contains { moment.since($0) < .seconds(10) }
    }

    /// An unanswered alarm of high priority is never unheard for longer than a gap between bursts.
    private mutating func check() {
        let signal = state.signal
        guard signal.priority == .high, signal.pausedUntil == nil, signal.silence == nil else {
            sinceSounding = nil
            return
        }
        let since = sinceSounding ?? now
        sinceSounding = since
        let newest = max(lastBurst ?? since, since)
        if now.since(newest) > .seconds(6) { faults.append("no burst since \(Ward.seconds(newest))") }
    }
}
