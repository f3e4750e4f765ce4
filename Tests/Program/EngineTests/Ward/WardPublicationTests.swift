import Configuration
import MQTT
import Monitoring
import Testing
import Vitals
import WardMessages

@testable import Engine

@Suite("What a bed publishes for a ward")
struct WardPublicationTests {
    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)
    private static let session = token("session-1")
    private static let request = token("request-1")

    /// A name of a test's own.
    private static func token(_ text: String) -> WardToken {
        guard let token = WardToken(text) else { preconditionFailure("\(text) is no name") }
        return token
    }

    /// A bed in injected time.
    private struct Bed {
        var state = MonitorState(start: Bed.at(0))
        var publication: WardPublication

        init(_ remote: Settings.Ward.RemoteAcknowledge = .off, patient: String? = nil) {
            publication = WardPublication(
                WardBed(site: token("ward-2"), bed: token("12")),
                facts: WardFacts(isSimulated: true, since: 0, program: "bedside", host: "pc"), patient: patient,
                remoteAcknowledge: remote)
        }

        static func at(_ seconds: Double) -> Moment {
            Moment(
                monotonicNanoseconds: Int64(seconds * 1e9), wallMilliseconds: 1_700_000_000_000 + Int64(seconds * 1000))
        }

        mutating func begin(at seconds: Double) -> [WardMessage] {
            WardPublicationTests.decoded(publication.begin(WardPublicationTests.session, state, at: Self.at(seconds)))
        }

        mutating func beat(at seconds: Double) -> [WardMessage] {
            _ = state.apply(MonitorEvent(moment: Self.at(seconds), kind: .tick))
            return WardPublicationTests.decoded(publication.beat(state, at: Self.at(seconds)))
        }

        /// A heart rate arrives.
        mutating func rate(_ value: Int, at seconds: Double) -> [WardMessage] {
            let moment = Self.at(seconds)
            if seconds == 0 {
                let sensor = RememberedSensor(
                    address: WardPublicationTests.strap.address, name: WardPublicationTests.strap.name,
                    kind: .heartRateStrap, isWanted: true)
                _ = state.apply(MonitorEvent(moment: moment, kind: .remembered(sensor)))
                _ = state.apply(
                    MonitorEvent(
                        moment: moment, kind: .connection(WardPublicationTests.strap, ConnectionState(phase: .ready))))
            }
            let reading = Reading(
                sensor: WardPublicationTests.strap, vital: .heartRate,
                outcome: .measured(VitalValue(whole: value), .good), moment: moment)
            let effects = state.apply(MonitorEvent(moment: moment, kind: .reading(reading)))
            return WardPublicationTests.decoded(
                publication.changes(state, at: moment, includingAlarms: !effects.isEmpty))
        }

        /// A heart rate that is far too high, or another one, until its alarm is active.
        mutating func alarm(from seconds: Double, of value: Int = 190) -> (id: Int, sequence: Int64)? {
            for step in 0..<60 {
                for case .alarm(let message) in rate(value, at: seconds + Double(step))
                where message.alarm.state == .active {
                    return (message.alarm.id, message.stamp.sequence)
                }
            }
            return nil
        }

        mutating func handle(
            _ command: (WardAnswer) -> WardCommand, _ alarm: (id: Int, sequence: Int64), at seconds: Double,
            session: WardToken = WardPublicationTests.session, expires: Double? = nil
        ) -> (refusal: String?, outcome: WardPublication.Outcome) {
            let answer = WardAnswer(
                session: session, sequenceSeen: alarm.sequence, alarm: alarm.id, who: "Anna", place: "ward-2",
                expiresBootMilliseconds: Int64((expires ?? seconds + 10) * 1000))
            let outcome = publication.handle(command(answer), WardPublicationTests.request, state, at: Self.at(seconds))
            for case .commandResult(let result) in WardPublicationTests.decoded(outcome.messages) {
                return (result.refusal, outcome)
            }
            return ("no result", outcome)
        }
    }

    /// What independent readers of topics and payloads find.
    private static func decoded(_ messages: [MQTTMessage]) -> [WardMessage] {
        messages.compactMap { message in
            guard let topic = WardTopic(message.topic) else { return nil }
            #expect(message.isRetained == (topic.subject == .session))
            return try? WardDecoder.decode(topic.subject, message.payload)
        }
    }

    @Test(
        "sends the full picture at once when a battery, a link or the patient changes, and no more than once a second")
    func picture() {
        var bed = Bed()
        _ = bed.begin(at: 0)
        _ = bed.rate(72, at: 0)
        // The heartbeat makes up for the change that came within the first second.
        #expect(births(bed.beat(at: 2)).map(\.sensors.count) == [1])
        func apply(_ kind: MonitorEvent.Kind, at seconds: Double) -> [WardBirth] {
            _ = bed.state.apply(MonitorEvent(moment: Bed.at(seconds), kind: kind))
            let messages = bed.publication.changes(
                bed.state, at: Bed.at(seconds), includingAlarms: false, includingPicture: true)
            return births(Self.decoded(messages))
        }
        #expect(apply(.battery(Self.strap, percent: 9), at: 4).first?.sensors.first?.batteryPercent == 9)
        #expect(apply(.battery(Self.strap, percent: 9), at: 6).isEmpty)
        let lost = ConnectionState(phase: .waiting, reason: .linkLost)
        #expect(apply(.connection(Self.strap, lost), at: 8).first?.sensors.first?.phase == .waiting)
        #expect(apply(.connection(Self.strap, ConnectionState(phase: .ready)), at: 8.2).isEmpty)
        #expect(births(bed.beat(at: 10)).first?.sensors.first?.phase == .ready)
        _ = bed.state.apply(.newPatient, at: Bed.at(12))
        #expect(births(bed.beat(at: 12)).first?.patientSince == Bed.at(12).wallMilliseconds)
    }

    private func births(_ messages: [WardMessage]) -> [WardBirth] {
        messages.compactMap { if case .birth(let birth) = $0 { birth } else { nil } }
    }

    @Test("A blood pressure is in the full picture as soon as it is measured, and until it is taken back or a day old")
    func pressure() {
        var bed = Bed()
        _ = bed.begin(at: 0)
        func enter(_ systolic: Int, _ content: RecordEntry.Content? = nil, at seconds: Double) -> [WardPressure?] {
            let pressure = RecordEntry.Content.bloodPressure(BloodPressure(systolic: systolic, diastolic: 70))
            _ = bed.state.apply(
                .enter(RecordEntry(content ?? pressure, enteredAt: Bed.at(seconds))), at: Bed.at(seconds))
            return births(
                Self.decoded(
                    bed.publication.changes(
                        bed.state, at: Bed.at(seconds), includingAlarms: false, includingPicture: true))
            ).map(\.pressure)
        }
        #expect(enter(120, at: 10).map { $0?.pressure.systolic } == [120])
        // What is no blood pressure is not in it, and does not hide the one that is.
        #expect(enter(0, .note("sleeps"), at: 12).isEmpty)
        #expect(births(bed.beat(at: 14)).isEmpty)
        #expect(enter(130, at: 16).map { $0?.pressure.systolic } == [130])
        _ = bed.publication.handle(.birth, Self.request, bed.state, at: Bed.at(40))
        let later = bed.publication.handle(.birth, Self.request, bed.state, at: Bed.at(46))
        #expect(births(Self.decoded(later.messages)).map { $0.pressure?.ageMilliseconds } == [30_000])
        // Taken back, the one before it holds again.
        _ = bed.state.apply(.retract(Bed.at(16)), at: Bed.at(50))
        let before = births(bed.beat(at: 52)).map(\.pressure)
        #expect(before.map { $0?.pressure.systolic } == [120])
        #expect(before.map { $0?.ageMilliseconds } == [42_000])
        #expect(births(bed.beat(at: 86_411)).map { $0.pressure == nil } == [true])
    }

    @Test("A session begins with its presence and the full picture, and nothing is published before")
    func beginning() throws {
        var bed = Bed()
        #expect(bed.rate(72, at: 0).isEmpty)
        #expect(bed.beat(at: 1).isEmpty)
        let messages = bed.begin(at: 2)
        #expect(messages.count == 2)
        guard case .session(let presence) = messages[0], case .birth(let birth) = messages[1] else {
            return #expect(Bool(false))
        }
        #expect(presence.state == .online && presence.session == Self.session && presence.facts.isSimulated)
        #expect(birth.stamp.sequence == 1)
        #expect(birth.vitals.map(\.reading.vital) == [.heartRate])
        #expect(birth.vitals.first?.ageMilliseconds == 2000)
        #expect(birth.patient == nil)
    }

    @Test("The last will has the session's name, so that it cannot end another one")
    func will() throws {
        let bed = Bed()
        let will = WardPublication.will(of: Self.session, bed.publication.bed, bed.publication.facts, at: 5)
        #expect(will.isRetained && will.quality == .atLeastOnce)
        guard case .session(let presence) = try WardDecoder.decode(.session, will.payload) else {
            return #expect(Bool(false))
        }
        #expect(presence.session == Self.session && presence.state == .offline(.lost))
    }

    @Test("Each reading is published once, with its age, and the sequence has no gap")
    func readings() throws {
        var bed = Bed()
        _ = bed.rate(70, at: 0)
        var sequences: [Int64] = []
        for case .birth(let birth) in bed.begin(at: 0) { sequences.append(birth.stamp.sequence) }
        for second in 1..<30 {
            let messages = bed.rate(70 + second % 3, at: Double(second))
            #expect(messages.count == 1)
            for case .vital(let message) in messages {
                #expect(message.vital.ageMilliseconds == 0 && message.isSimulated)
                sequences.append(message.stamp.sequence)
            }
            for case .heartbeat(let heartbeat) in bed.beat(at: Double(second) + 0.5) {
                sequences.append(heartbeat.stamp.sequence)
            }
        }
        #expect(sequences == Array(1...Int64(sequences.count)))
    }

    @Test("An active alarm's complete state comes again every ten seconds, and its end once")
    func alarms() throws {
        var bed = Bed()
        _ = bed.rate(70, at: 0)
        _ = bed.begin(at: 0)
        let raised = bed.alarm(from: 1)
        let alarm = try #require(raised)
        var count = 0
        for step in 0..<30 {
            for case .alarm(let message) in bed.beat(at: 61 + Double(step) * 2) where message.alarm.id == alarm.id {
                count += 1
            }
        }
        #expect((5...7).contains(count))
        var ends = 0
        for step in 0..<60 {
            for case .alarm(let message) in bed.rate(70, at: 130 + Double(step)) where message.alarm.id == alarm.id {
                if message.alarm.state == .ended, !message.alarm.isLatched { ends += 1 }
            }
        }
        #expect(ends <= 1)
    }

    @Test("An alarm that changes when its state is due again is published once, so that no number is missing")
    func changedWhenDue() throws {
        var bed = Bed()
        _ = bed.begin(at: 0)
        _ = bed.rate(72, at: 0)
        let raised = bed.alarm(from: 1)
        let alarm = try #require(raised)
        _ = bed.beat(at: 40)
        let reading = Reading(
            sensor: Self.strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 195), .good),
            moment: Bed.at(50.5))
        _ = bed.state.apply(MonitorEvent(moment: Bed.at(50.5), kind: .reading(reading)))
        let beat = bed.beat(at: 51)
        let published = beat.filter { if case .alarm(let message) = $0 { message.alarm.id == alarm.id } else { false } }
        #expect(published.count == 1)
    }

    @Test("An alarm's words come with each value, before it, and have none where it is over")
    func words() throws {
        var bed = Bed()
        _ = bed.rate(70, at: 0)
        _ = bed.begin(at: 0)
        let raised = bed.alarm(from: 1)
        let alarm = try #require(raised)
        for step in 0..<12 {
            let value = [171, 172, 172, 190, 165][step % 5]
            let messages = bed.rate(value, at: 62 + Double(step))
            var newest: VitalValue?
            for message in messages {
                switch message {
                case .alarm(let message) where message.alarm.id == alarm.id:
                    newest = message.alarm.value
                    #expect(message.alarm.text.contains("\(value)"))
                case .vital: #expect(newest == VitalValue(whole: value) || step % 5 == 2, "\(step)")
                default: break
                }
            }
        }
        var texts: [String] = []
        for step in 0..<60 {
            _ = bed.state.apply(.acknowledgeAll, at: Bed.at(80 + Double(step)))
            for case .alarm(let message) in bed.rate(70, at: 80 + Double(step)) where message.alarm.state == .ended {
                texts.append(message.alarm.text)
                #expect(message.alarm.value == nil)
            }
        }
        #expect(texts.first == "HR severely high" || texts.first == "HR high", "\(texts)")
    }

    @Test("A heartbeat's digest is that of the alarms that were published")
    func digest() throws {
        var bed = Bed()
        _ = bed.rate(70, at: 0)
        _ = bed.begin(at: 0)
        var known: [Int: WardAlarm] = [:]
        for second in 1..<120 {
            var messages = bed.rate(second % 40 < 25 ? 190 : 70, at: Double(second))
            if second.isMultiple(of: 2) { messages += bed.beat(at: Double(second) + 0.1) }
            for message in messages {
                switch message {
                case .alarm(let message): known[message.alarm.id] = message.alarm.isShown ? message.alarm : nil
                case .birth(let birth):
                    known = Dictionary(uniqueKeysWithValues: birth.alarms.map { ($0.id, $0) })
                case .heartbeat(let heartbeat): #expect(heartbeat.digest == WardDigest(known.values))
                default: break
                }
            }
        }
        #expect(!known.isEmpty)
    }

    @Test("The full picture is sent when asked for, at most once a second, with the request's number")
    func pacedBirths() throws {
        var bed = Bed()
        _ = bed.begin(at: 0)
        let early = bed.publication.handle(.birth, Self.request, bed.state, at: Bed.at(0.5))
        #expect(early.messages.isEmpty)
        let answers = births(bed.beat(at: 2))
        #expect(answers.map(\.request) == [Self.request])
        #expect(answers.map(\.requestWaited) == [1500])
        let late = Self.decoded(bed.publication.handle(.birth, Self.request, bed.state, at: Bed.at(4)).messages)
        #expect(births(late).map(\.requestWaited) == [0])
    }

    @Test("By default no alarm is acknowledged from afar")
    func acknowledgeOff() throws {
        var bed = Bed()
        _ = bed.rate(70, at: 0)
        _ = bed.begin(at: 0)
        let raised = bed.alarm(from: 1)
        let alarm = try #require(raised)
        let (refusal, outcome) = bed.handle(WardCommand.acknowledge, alarm, at: 62)
        #expect(refusal == "this bed is set to be acknowledged at the bed only")
        #expect(outcome.acknowledges == nil)
        #expect(outcome.report?.words.contains("Anna at ward-2") == true)
    }

    @Test("A request is carried out only for this session, in time, and for the alarm as it is now")
    func refusals() throws {
        var bed = Bed(.all)
        _ = bed.rate(70, at: 0)
        _ = bed.begin(at: 0)
        let raised = bed.alarm(from: 1)
        let alarm = try #require(raised)
        let other = bed.handle(WardCommand.acknowledge, alarm, at: 62, session: Self.token("session-0"))
        #expect(other.refusal == "it is for an earlier session")
        #expect(bed.handle(WardCommand.acknowledge, alarm, at: 62, expires: 61.9).refusal == "it has expired")
        #expect(bed.handle(WardCommand.acknowledge, alarm, at: 62, expires: 9999).refusal == "it has expired")
        #expect(
            bed.handle(WardCommand.acknowledge, (alarm.id, alarm.sequence - 1), at: 62).refusal
                == "the alarm has changed since it was seen")
        #expect(bed.handle(WardCommand.acknowledge, (999_999, 1), at: 62).refusal == "the alarm is over")
        let accepted = bed.handle(WardCommand.acknowledge, alarm, at: 62)
        #expect(accepted.refusal == nil && accepted.outcome.acknowledges == alarm.id)
        #expect(accepted.outcome.report?.words == "acknowledged by Anna at ward-2")
        _ = bed.state.apply(.acknowledge(alarm.id), at: Bed.at(62))
        var names: [String] = []
        for case .alarm(let message) in Self.decoded(
            bed.publication.changes(bed.state, at: Bed.at(62), includingAlarms: true))
        where message.alarm.id == alarm.id { names.append(message.alarm.acknowledgedBy) }
        #expect(names == ["Anna at ward-2"])
        #expect(bed.handle(WardCommand.acknowledge, (alarm.id, 10_000), at: 63).refusal == "it is acknowledged already")
    }

    @Test("With medium-and-low an alarm of high priority is acknowledged at the bed only")
    func priorities() throws {
        var bed = Bed(.mediumAndLow)
        _ = bed.rate(70, at: 0)
        _ = bed.begin(at: 0)
        let raised = bed.alarm(from: 1)
        let alarm = try #require(raised)
        let isHigh = bed.state.alarms.first { $0.id == alarm.id }?.priority == .high
        let (refusal, _) = bed.handle(WardCommand.acknowledge, alarm, at: 62)
        #expect(refusal == (isHigh ? "an alarm of high priority is acknowledged at the bed only" : nil))
    }

    @Test("Who is going is shown for two minutes, silences nothing, and can be taken back")
    func going() throws {
        var bed = Bed()
        _ = bed.rate(70, at: 0)
        _ = bed.begin(at: 0)
        let raised = bed.alarm(from: 1)
        let alarm = try #require(raised)
        let (refusal, outcome) = bed.handle(WardCommand.going, alarm, at: 62)
        #expect(refusal == nil && outcome.acknowledges == nil)
        #expect(outcome.report?.words == "Anna at ward-2 is going")
        func who(_ messages: [WardMessage]) -> String? {
            var who: String?
            for case .alarm(let message) in messages where message.alarm.id == alarm.id {
                who = message.alarm.going?.who ?? "nobody"
            }
            return who
        }
        #expect(who(Self.decoded(outcome.messages)) == "Anna")
        #expect(bed.state.alarms.first { $0.id == alarm.id }?.acknowledgedAt == nil)
        #expect(who(bed.beat(at: 90)) == "Anna")
        #expect(who(bed.beat(at: 183)) == "nobody")
        _ = bed.handle(WardCommand.going, (alarm.id, 100_000), at: 184)
        let back = bed.handle(WardCommand.notGoing, (alarm.id, 100_000), at: 186)
        #expect(back.refusal == nil && who(Self.decoded(back.outcome.messages)) == "nobody")
        #expect(bed.handle(WardCommand.notGoing, (alarm.id, 100_000), at: 187).refusal == "nobody was going")
    }

    @Test("An answer from afar holds for the alarm as it was: not for a worse one, nor for a later answer at the bed")
    func answersToLess() throws {
        var bed = Bed(.all)
        _ = bed.rate(70, at: 0)
        _ = bed.begin(at: 0)
        let raised = bed.alarm(from: 1, of: 128)
        let alarm = try #require(raised)
        #expect(bed.state.alarms.first?.priority == .medium)
        #expect(bed.handle(WardCommand.going, alarm, at: 62).refusal == nil)
        #expect(bed.handle(WardCommand.acknowledge, (alarm.id, 10_000), at: 62).refusal == nil)
        _ = bed.state.apply(.acknowledge(alarm.id), at: Bed.at(62))
        func published(_ messages: [WardMessage]) -> WardAlarm? {
            var newest: WardAlarm?
            for case .alarm(let message) in messages where message.alarm.id == alarm.id { newest = message.alarm }
            return newest
        }
        let answered = published(bed.beat(at: 62))
        #expect(answered?.acknowledgedBy == "Anna at ward-2" && answered?.going?.who == "Anna")
        var worse: WardAlarm?
        for step in 0..<30 where worse?.isAcknowledged != false {
            worse = published(bed.rate(190, at: 63 + Double(step))) ?? worse
        }
        #expect(worse?.isAcknowledged == false)
        #expect(worse?.acknowledgedBy == "" && worse?.going == nil)
        _ = bed.state.apply(.acknowledge(alarm.id), at: Bed.at(95))
        let local = published(bed.beat(at: 95))
        #expect(local?.isAcknowledged == true && local?.acknowledgedBy == "" && local?.going == nil)
        #expect(bed.handle(WardCommand.notGoing, (alarm.id, 10_000), at: 96).refusal == "nobody was going")
    }

    @Test("The patient's identifier is published only where the settings say so")
    func privacy() throws {
        var bed = Bed(patient: "p-17")
        var patients: [String?] = []
        for case .birth(let birth) in bed.begin(at: 0) { patients.append(birth.patient) }
        #expect(patients == ["p-17"])
    }
}
