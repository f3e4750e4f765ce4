import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Sounds

/// Random readings, losses and answers against what is heard, sample by sample.
@Suite("What is heard of alarms, whatever happens")
struct SoundPropertyTests {
    /// A monitor with its loudspeaker.
    private struct Room {
        var state: MonitorState
        var director = SoundDirector()
        var pulse = PulseDirector()
        var mixer = SoundMixer()
        /// Whether pulse tones sound, too.
        var hasPulse = false
        /// The alarm that a new process begins with.
        private var alarm: AlarmSound?
        /// When the next process sounds; `nil` while one does.
        private var restart: Int?
        /// How many samples have been rendered.
        var position = 0
        /// How many samples have passed without a sound while the same state called for one, for each priority.
        var silence: [AlarmPriority: Int] = [:]
        var longestSilence: [AlarmPriority: Int] = [:]
        /// The samples that were heard while nothing should sound and nothing was fading.
        var unwanted = 0
        /// How many samples were heard at all.
        var heard = 0
        private var quietFor = 0

        static func moment(_ milliseconds: Int) -> Moment {
            Moment(
                monotonicNanoseconds: 5_000_000_000_000 + Int64(milliseconds) * 1_000_000,
                wallMilliseconds: 1_750_000_000_000 + Int64(milliseconds))
        }

        init(settings: MonitorSettings = MonitorSettings()) {
            state = MonitorState(settings: settings, start: Self.moment(0))
        }

        /// How long a killed process stays away, in milliseconds.
        static let absence = 1500
        /// How long one lives at least: what is killed before it sounds can promise nothing.
        private static let life = 500
        private var youngUntil = 0

        /// Loses the process that sounds.
        mutating func kill(at milliseconds: Int) {
            if restart != nil || milliseconds < youngUntil { return }
            mixer = SoundMixer()
            restart = milliseconds + Self.absence
        }

        /// Lets time pass, from deadline to deadline, and starts a lost process again.
        mutating func pass(to milliseconds: Int) {
            if let restart, restart <= milliseconds {
                passTime(to: restart)
                (self.restart, youngUntil) = (nil, restart + Self.life)
                if let alarm { mixer.play(.alarm(alarm)) }
            }
            passTime(to: milliseconds)
        }

        private mutating func passTime(to milliseconds: Int) {
            while let due = state.nextDeadline, due < Self.moment(milliseconds) {
                render(to: due)
                receive(MonitorEvent(moment: max(due, state.now), kind: .tick))
            }
            render(to: Self.moment(milliseconds))
        }

        mutating func receive(_ event: MonitorEvent) {
            carryOut(state.apply(event))
            if hasPulse { carryOut(pulse.orders(after: .event(event), in: state)) }
        }

        mutating func carryOut(_ effects: [Effect]) {
            carryOut(
                director.orders(for: effects, sounding: state.signal.sounding, category: { state.soundCategory }))
        }

        private mutating func carryOut(_ orders: [SoundOrder]) {
            for order in orders {
                switch order {
                case .play(.alarm(let alarm)): self.alarm = alarm
                case .stop: alarm = nil
                default: break
                }
                if restart == nil { mixer.carryOut(order) }
            }
        }

        private mutating func render(to moment: Moment) {
            let end = Int(moment.since(Self.moment(0)) / .microseconds(1)) * Tone.rate / 1_000_000
            guard end > position else { return }
            var samples: [Int16] = []
            if mixer.isSilent {
                samples = [Int16](repeating: 0, count: end - position)
            } else {
                mixer.render(end - position, into: &samples)
            }
            position = end
            let sounding = state.signal.sounding
            for priority in AlarmPriority.allCases where priority != sounding { silence[priority] = 0 }
            for sample in samples {
                if sample != 0 { heard += 1 }
                if let sounding {
                    silence[sounding] = sample == 0 ? silence[sounding, default: 0] + 1 : 0
                    longestSilence[sounding] = max(longestSilence[sounding, default: 0], silence[sounding, default: 0])
                    quietFor = 0
                } else {
                    quietFor += 1
                    if quietFor > SoundMixer.fade, sample != 0 { unwanted += 1 }
                }
            }
        }
    }

    private func happen(_ room: inout Room, at milliseconds: Int, _ random: inout SeededGenerator) {
        let moment = Room.moment(milliseconds)
        let strap = SensorIdentity(address: "AA:00:00:00:00:01", name: "strap", kind: .heartRateStrap)
        let oximeter = SensorIdentity(address: "AA:00:00:00:00:02", name: "oximeter", kind: .oximeter)
        let worst = room.state.alarms.first?.id ?? 0
        func reading(_ sensor: SensorIdentity, _ vital: Vital, _ values: [Int]) -> MonitorEvent {
            let value = VitalValue(hundredths: values.randomElement(using: &random) ?? 0)
            let reading = Reading(sensor: sensor, vital: vital, outcome: .measured(value, .good), moment: moment)
            return MonitorEvent(moment: moment, kind: .reading(reading))
        }
        var effects: [Effect] = []
        switch Int.random(in: 0..<24, using: &random) {
        case 0: effects = room.state.apply(.acknowledgeAll, at: moment)
        case 1: effects = room.state.apply(.acknowledge(worst), at: moment)
        case 2: effects = room.state.apply(.pauseAudio(nil), at: moment)
        case 3: effects = room.state.apply(.endAudioPause, at: moment)
        case 4: effects = room.state.apply(.snooze(worst, .seconds(20)), at: moment)
        case 5: effects = room.state.apply(.pauseForCare(address: strap.address, .seconds(20)), at: moment)
        case 6: room.receive(MonitorEvent(moment: moment, kind: .daemon(.gone)))
        case 7: room.receive(MonitorEvent(moment: moment, kind: .daemon(.running)))
        case 8...12: room.receive(reading(oximeter, .oxygenSaturation, [8400, 8900, 9700, 9700]))
        case 13 where room.hasPulse:
            let intervals = RRIntervals(sensor: strap, intervals: [400, 420], heartRate: 145, moment: moment)
            room.receive(MonitorEvent(moment: moment, kind: .rrIntervals(intervals)))
        default: room.receive(reading(strap, .heartRate, [7000, 12_500, 14_500, 14_500]))
        }
        room.carryOut(effects)
    }

    @Test(
        "an alarm of high or medium priority is never silent for longer than its gap, unless it is paused, answered or over",
        .computing,
        arguments: 0..<4)
    func neverSilent(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var room = Room()
        var milliseconds = 0
        while milliseconds < 200_000 {
            milliseconds += [1, 90, 400, 1000, 1000, 2700, 9000].randomElement(using: &random) ?? 1
            room.pass(to: milliseconds)
            happen(&room, at: milliseconds, &random)
        }
        let settings = room.state.settings.alarmSignals
        #expect(room.longestSilence[.high, default: 0] <= Tone.samples(milliseconds: 1000 * 5))
        #expect(settings.pattern.highGap == .seconds(5) && settings.pattern.mediumGap == .seconds(15))
        #expect(room.longestSilence[.medium, default: 0] <= Tone.samples(milliseconds: 1000 * 15))
        #expect(room.longestSilence[.high] != nil, "the story has alarms of high priority")
        #expect(room.unwanted == 0)
        #expect(room.heard > Tone.rate)
    }

    @Test(
        "so it is with pulse tones between, at the shortest and longest gaps, and where the process is lost again and again",
        .computing,
        arguments: 0..<6)
    func neverSilentWithLosses(seed: UInt64) throws {
        var random = SeededGenerator(seed: 100 + seed)
        var settings = MonitorSettings()
        let (high, medium) = [(2.5, 2.5), (5, 15), (15, 30)][Int(seed % 3)]
        settings.alarmSignals.pattern.highGap = .seconds(high)
        settings.alarmSignals.pattern.mediumGap = .seconds(medium)
        var room = Room(settings: settings)
        room.hasPulse = true
        var milliseconds = 0
        while milliseconds < 120_000 {
            milliseconds += [1, 90, 400, 1000, 1000, 2700].randomElement(using: &random) ?? 1
            room.pass(to: milliseconds)
            if Int.random(in: 0..<4, using: &random) == 0 { room.kill(at: milliseconds) }
            happen(&room, at: milliseconds, &random)
        }
        let allowed = { (gap: Double) in Tone.samples(milliseconds: Int(gap * 1000) + Room.absence) }
        #expect(room.longestSilence[.high, default: 0] <= allowed(high))
        #expect(room.longestSilence[.medium, default: 0] <= allowed(medium))
        #expect(room.longestSilence[.high] != nil, "the story has alarms of high priority")
    }

    @Test("an acknowledged alarm falls silent within its burst, though a lesser one goes on to call")
    func answeredWithinBurst() throws {
        var room = Room()
        let oximeter = SensorIdentity(address: "AA:00:00:00:00:02", name: "oximeter", kind: .oximeter)
        let strap = SensorIdentity(address: "AA:00:00:00:00:01", name: "strap", kind: .heartRateStrap)
        for (sensor, vital, value) in [(strap, Vital.heartRate, 14_500), (oximeter, .pulseRate, 12_500)] {
            let reading = Reading(
                sensor: sensor, vital: vital, outcome: .measured(VitalValue(hundredths: value), .good),
                moment: Room.moment(0))
            room.carryOut(room.state.apply(MonitorEvent(moment: Room.moment(0), kind: .reading(reading))))
        }
        room.pass(to: 500)
        #expect(!room.mixer.isSilent)
        let worst = try #require(room.state.alarms.first)
        room.carryOut(room.state.apply(.acknowledge(worst.id), at: Room.moment(500)))
        let sounding = room.state.signal.sounding
        room.pass(to: 520)
        #expect(sounding != .high)
        #expect(room.mixer.isSilent)
    }

    @Test("the orders name the category of the worst alarm that is audible")
    func category() throws {
        var state = MonitorState(settings: MonitorSettings(), start: Room.moment(0))
        var director = SoundDirector()
        let strap = SensorIdentity(address: "AA:00:00:00:00:01", name: "strap", kind: .heartRateStrap)
        let reading = Reading(
            sensor: strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 145), .good), moment: Room.moment(0))
        let effects = state.apply(MonitorEvent(moment: Room.moment(0), kind: .reading(reading)))
        #expect(
            director.orders(for: effects, sounding: state.signal.sounding, category: { state.soundCategory }) == [
                .play(.alarm(AlarmSound(.high, .cardiac)))
            ]
        )
        let paused = state.apply(.pauseAudio(nil), at: Room.moment(100))
        #expect(
            director.orders(for: paused, sounding: state.signal.sounding, category: { state.soundCategory }) == [.stop])
    }
}
