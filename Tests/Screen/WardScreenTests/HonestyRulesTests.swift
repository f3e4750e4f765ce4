import Appearance
import Dashboard
import TestSupport
import Testing
import Vitals

@testable import Ward
@testable import WardMessages
@testable import WardScreen

/// A ward and one bed's monitor, of which each message is handed over by the test.
struct SmallWard {
    var ward: WardState
    var monitor: SimulatedMonitor
    var now: Int64 = 0
    var effects: [WardEffect] = []
    let bed: WardBed
    var random = SeededGenerator(seed: 7)
    /// How long the bed takes for an answer, in milliseconds.
    var answerDelay: Int64 = 0
    /// Whether it says so, as one does that was asked too soon after another full picture.
    var saysThatItWaited = false
    private var waiting: [(at: Int64, request: WardToken)] = []
    /// How often the bed was asked.
    private(set) var requestCount = 0

    init(_ settings: WardSettings = WardSettings(), isSimulated: Bool = false) throws {
        let site = try #require(WardToken("north"))
        bed = WardBed(site: site, bed: try #require(WardToken("12")))
        ward = WardState(settings: settings, name: site, start: FaultyWorld.moment(0))
        monitor = SimulatedMonitor(
            bed, host: "pc-12", session: WardToken(random: &random), bootOffset: 9_000_000, partsPerMillion: 0,
            phase: 31,
            at: 0)
        monitor.isSimulated = isSimulated
        handle(ward.brokerChanged(.connected, at: moment))
        for message in monitor.connect(WardToken(random: &random), 0) { deliver(message) }
    }

    var moment: Moment { FaultyWorld.moment(now) }
    var state: BedState? { ward[bed] }

    /// Another ward screen begins while the bed is there: it has only what the broker has kept.
    mutating func beginAnew() {
        ward = WardState(name: bed.site, start: moment)
        (waiting, requestCount) = ([], 0)
        handle(ward.brokerChanged(.connected, at: moment))
        var presence = monitor.presence(.online, now)
        presence.isRetained = true
        deliver(presence)
    }

    mutating func deliver(_ message: Message) {
        handle(
            ward.receive(
                topic: message.topic.text, payload: message.payload, isRetained: message.isRetained, at: moment))
    }

    mutating func handle(_ new: [WardEffect]) {
        effects += new
        for case .publish(let topic, .birth) in new {
            guard case .command(.birth, let request) = topic.subject else { continue }
            requestCount += 1
            waiting.append((now + answerDelay, request))
        }
        answer()
    }

    /// Answers the requests that have waited long enough.
    private mutating func answer() {
        while let first = waiting.first, first.at <= now {
            waiting.removeFirst()
            deliver(monitor.birth(first.request, now, waited: saysThatItWaited ? answerDelay : 0))
        }
    }

    mutating func pass(_ seconds: Int, isHeard: Bool = true) {
        for _ in 0..<seconds * 5 {
            now += 200
            let messages = monitor.run(to: now)
            if isHeard { messages.forEach { deliver($0) } }
            handle(ward.advance(to: moment))
        }
    }

    func lines(columns: Int = 80, rows: Int = 9) -> [String] {
        var screen = WardScreenState()
        (screen.glyphs, screen.isMotionReduced) = (.ascii, true)
        let grid = drawWard(ward, screen, size: (columns, rows), now: moment)
        return (0..<grid.rows).map { grid.text(row: $0) }
    }

    var text: String { lines().joined(separator: "\n") }

    var liveCount: Int {
        Vital.allCases.count { state?.shown($0, at: moment, ward.settings).isPresent == true }
    }
}

@Suite("The ward stays honest")
struct HonestyRulesTests {
    @Test("a bed is live once it has answered, and its values become stale by the ward's own clock")
    func freshness() throws {
        var small = try SmallWard()
        small.pass(3)
        #expect(small.liveCount == 2)
        small.pass(3, isHeard: false)
        #expect(small.liveCount == 0)
        #expect(small.state?.link == .live)
    }

    @Test("the answer that makes a session known answers the question, too, so that it is asked once")
    func firstAnswer() throws {
        var small = try SmallWard()
        small.answerDelay = 50
        small.beginAnew()
        small.pass(4, isHeard: false)
        #expect(small.state?.link == .live)
        #expect(small.requestCount == 1)
    }

    @Test("an answer that had to wait at the bed makes no value look older, and one that took long on its way does")
    func slowAnswer() throws {
        func age(_ small: SmallWard) -> Int64? {
            guard case .present(_, _, let age)? = small.state?.shown(.heartRate, at: small.moment, small.ward.settings)
            else { return nil }
            return age
        }
        var small = try SmallWard()
        (small.answerDelay, small.saysThatItWaited) = (1800, true)
        small.beginAnew()
        small.pass(6)
        #expect(small.state?.link == .live)
        #expect(try #require(age(small)) <= 1000)
        let count = small.requestCount
        small.pass(60)
        #expect(small.requestCount == count)

        var slow = try SmallWard()
        slow.answerDelay = 1800
        slow.beginAnew()
        slow.pass(6)
        #expect(try #require(age(slow)) >= 1800)
        slow.answerDelay = 0
        slow.pass(15)
        #expect(try #require(age(slow)) <= 1000)
    }

    @Test("three missed heartbeats are NO LINK, dated, and an alarm, without the last will")
    func noLink() throws {
        var small = try SmallWard()
        small.pass(3)
        small.pass(6, isHeard: false)
        #expect(small.state?.link == .noLink)
        #expect(small.ward.ownAlarms.map(\.kind) == [.noLink])
        #expect(small.text.contains("NO LINK - last heard 13:50"))
        #expect(small.lines(rows: 24).contains { $0.contains("at 13:50") })
        small.pass(2)
        #expect(small.state?.link == .live)
        #expect(small.ward.ownAlarms.isEmpty)
    }

    @Test("an alarm that begins, is doubled and ends is in the log twice, so that it is heard once")
    func log() throws {
        var small = try SmallWard()
        small.pass(3)
        var random = SeededGenerator(seed: 1)
        let time = small.now
        let begun = small.monitor.changeAlarm(&random, time)
        small.deliver(begun)
        small.deliver(begun)
        #expect(small.ward.log.map(\.change) == [.active])
        for alarm in small.monitor.alarms.values {
            var ended = alarm
            ended.state = .ended
            small.monitor.alarms[alarm.id] = nil
            small.deliver(small.monitor.publish(ended, time))
        }
        #expect(small.ward.log.map(\.change) == [.active, .ended])
    }

    @Test("a lost broker is one alarm, and every bed is dark at once")
    func noBroker() throws {
        var small = try SmallWard()
        small.pass(3)
        small.handle(small.ward.brokerChanged(.lost("the broker does not answer"), at: small.moment))
        #expect(small.liveCount == 0)
        #expect(small.ward.ownAlarms.map(\.kind) == [.noBroker])
        small.pass(20)
        #expect(small.ward.ownAlarms.count == 1)
        small.handle(small.ward.brokerChanged(.connected, at: small.moment))
        small.pass(5)
        #expect(small.liveCount == 2)
        #expect(small.ward.ownAlarms.isEmpty)
    }

    @Test("retained values are ignored and reported")
    func retained() throws {
        var small = try SmallWard()
        small.pass(3)
        let before = small.state?.values
        var messages = small.monitor.run(to: small.now + 1000)
        for index in messages.indices {
            messages[index].isRetained = true
            small.deliver(messages[index])
        }
        #expect(!messages.isEmpty)
        #expect(small.state?.values == before)
        #expect(small.effects.contains { if case .warning(let text) = $0 { text.contains("retained") } else { false } })
    }

    @Test(
        "the will of another session changes nothing, that of the present one darkens the bed, and a clean end says closed"
    )
    func wills() throws {
        var small = try SmallWard()
        small.pass(3)
        var other = small.monitor
        _ = other.connect(WardToken(random: &small.random), small.now)
        small.deliver(other.presence(.offline(.lost), small.now))
        #expect(small.liveCount == 2)
        small.deliver(small.monitor.presence(.offline(.lost), small.now))
        #expect(small.state?.link == .noLink)
        var closed = try SmallWard()
        closed.pass(3)
        closed.deliver(closed.monitor.presence(.offline(.closed), closed.now))
        #expect(closed.state?.link == .closed)
        #expect(closed.ward.ownAlarms.isEmpty)
        #expect(closed.text.contains("CLOSED"))
    }

    @Test("two monitors for one bed show no values and say so")
    func twoMonitors() throws {
        var small = try SmallWard()
        small.pass(3)
        var other = SimulatedMonitor(
            small.bed, host: "laptop", session: WardToken(random: &small.random), bootOffset: 0, partsPerMillion: 0,
            phase: 0, at: small.now)
        for message in other.connect(WardToken(random: &small.random), small.now) { small.deliver(message) }
        #expect(small.liveCount == 0)
        for _ in 0..<3 {
            small.pass(1)
            for message in other.run(to: small.now) { small.deliver(message) }
        }
        #expect(small.state?.link == .twoMonitors)
        #expect(small.ward.ownAlarms.map(\.text) == ["TWO MONITORS FOR BED 12"])
        #expect(small.text.contains("TWO MONITORS FOR BED 12 - pc-12, laptop"))
        // The other one goes; the first counts again once that is certain.
        small.pass(8)
        #expect(small.liveCount == 2)
    }

    @Test("a message that hung in the network is as old as it is")
    func delayed() throws {
        var small = try SmallWard()
        small.pass(3)
        var held: [Message] = []
        for _ in 0..<100 {
            small.now += 200
            held += small.monitor.run(to: small.now)
        }
        for message in held.dropLast(4) {
            small.deliver(message)
            let ages = Vital.allCases.compactMap { vital -> Int64? in
                guard case .present(_, _, let age) = small.state?.shown(vital, at: small.moment, small.ward.settings)
                else {
                    return nil
                }
                return age
            }
            #expect(ages.allSatisfy { $0 < 3000 })
        }
        #expect(held.count > 40)
    }

    @Test("clocks that differ are shown from two seconds on, and an alarm from a minute on")
    func skew() throws {
        var small = try SmallWard()
        small.monitor.wallSkew = 5000
        small.pass(3)
        #expect(small.text.contains("clock +5 s"))
        #expect(small.ward.ownAlarms.isEmpty)
        small.monitor.wallSkew = -3_600_000
        small.pass(3)
        #expect(small.ward.ownAlarms.map(\.kind) == [.clockOff])
        #expect(small.liveCount == 2)
    }

    @Test("simulated beds are refused unless they are asked for, and labelled then")
    func simulated() throws {
        var refused = try SmallWard(isSimulated: true)
        refused.pass(3)
        #expect(refused.state?.link == .simulatedRefused)
        #expect(refused.liveCount == 0)
        var settings = WardSettings()
        settings.showsSimulated = true
        var shown = try SmallWard(settings, isSimulated: true)
        shown.pass(3)
        #expect(shown.liveCount == 2)
        #expect(shown.text.contains("SIMULATED"))
    }

    @Test("an alarm is acknowledged from afar only where that is allowed, and only once the bed says so")
    func acknowledge() throws {
        var small = try SmallWard()
        small.pass(3)
        let alarm = small.monitor.changeAlarm(&small.random, small.now)
        small.deliver(alarm)
        #expect(small.ward.answer(.acknowledge, bed: small.bed, at: small.moment).isEmpty)
        var settings = WardSettings()
        settings.mayAcknowledge = true
        small = try SmallWard(settings)
        small.pass(3)
        small.deliver(small.monitor.changeAlarm(&small.random, small.now))
        let asked = small.ward.answer(.acknowledge, bed: small.bed, at: small.moment)
        guard case .publish(let topic, .acknowledge(let answer)) = try #require(asked.first),
            case .command(_, let request) = topic.subject
        else { return }
        #expect(answer.alarm == 1)
        // By the bed's own clock, ten seconds from now.
        #expect(answer.expiresBootMilliseconds == 9_000_000 + small.now + 10_000)
        var encoder = WardEncoder()
        let accepted = encoder.encode(
            WardCommandResult(session: answer.session), wallMilliseconds: small.moment.wallMilliseconds)
        small.deliver(Message(topic: WardTopic(small.bed, .commandResult(request: request)), payload: accepted))
        #expect(small.state?.alarms.first?.isAcknowledged == false)
        #expect(small.ward.notice?.text == "Bed 12: the alarm is acknowledged at the bed.")
        var known = try #require(small.monitor.alarms[1])
        (known.state, known.isAcknowledged, known.acknowledgedBy) = (.acknowledged, true, "ward Anna")
        small.monitor.alarms[1] = known
        small.deliver(small.monitor.publish(known, small.now))
        #expect(small.state?.alarms.first?.isAcknowledged == true)
        #expect(small.text.contains("acknowledged by ward Anna"))
    }

    @Test("a request that nobody answers is given up after ten seconds")
    func expiry() throws {
        var small = try SmallWard()
        small.pass(3)
        small.deliver(small.monitor.changeAlarm(&small.random, small.now))
        #expect(small.ward.answer(.going, bed: small.bed, at: small.moment).count == 1)
        #expect(small.ward.isAsking(small.bed))
        small.pass(11)
        #expect(!small.ward.isAsking(small.bed))
        #expect(small.ward.notice?.text.contains("did not answer") == true)
    }

    @Test("an alarm that was missed comes with the next digest")
    func digest() throws {
        var small = try SmallWard()
        small.pass(3)
        _ = small.monitor.changeAlarm(&small.random, small.now)
        small.pass(4)
        #expect(small.state?.alarms.map(\.id) == [1])
    }
}
