import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("Devices for several persons")
struct DeviceUserTests {
    private static let cuff = SensorIdentity(address: "C0:52:49:00:00:0B", name: "Cuff", kind: .bloodPressure)
    private static let scale = SensorIdentity(address: "C0:52:49:00:00:0A", name: "Scale", kind: .weightScale)

    /// What became of a measurement: whether it counts, and which words were said about it.
    private struct Outcome: Equatable {
        var counts: Bool
        var said: [String]
    }

    /// Hands over measurements of persons one after the other.
    private static func handOver(
        _ users: [(sensor: SensorIdentity, user: Int?)], choosing choices: [String] = []
    ) throws -> [Outcome] {
        var settings = MonitorSettings()
        settings.users = try choices.map { try #require(DeviceUser($0)) }
        var state = MonitorState(settings: settings, start: Ward.moment(0))
        return users.enumerated().map { number, one in
            let moment = Ward.moment(Double(number + 1))
            let entry = RecordEntry(
                .weight(VitalValue(whole: 60 + number)), from: .sensor(one.sensor),
                EntryFacts(sequence: number, user: one.user), enteredAt: moment)
            let effects = state.apply(MonitorEvent(moment: moment, kind: .entry(entry)))
            let again = state.apply(MonitorEvent(moment: moment, kind: .entry(entry)))
            #expect(again.isEmpty, "handed over once more, it is neither stored nor said again")
            let counts = state.patientRecord.entries.contains { $0.content == entry.content }
            let isStored = effects.contains { if case .entry = $0 { true } else { false } }
            #expect(isStored == counts)
            return Outcome(
                counts: counts,
                said: effects.compactMap { if case .action(let record) = $0 { record.kind.word } else { nil } })
        }
    }

    private static let taken = Outcome(counts: true, said: [])
    private static let leftOut = Outcome(counts: false, said: ["other_user"])

    @Test("have the chosen person's measurements only, by name or address, and a sentence for each other one")
    func chosen() throws {
        let choices = ["cuff = 2", "C0:52:49:00:00:0a = 1"]
        let found = try Self.handOver(
            [
                (Self.cuff, 2), (Self.cuff, 3), (Self.cuff, 1), (Self.scale, 1), (Self.scale, 2), (Self.cuff, 0),
                // Nobody knows who it was, or the device does not ask.
                (Self.cuff, 255), (Self.cuff, nil),
            ], choosing: choices)
        let expected = [
            Self.taken, Self.leftOut, Self.leftOut, Self.taken, Self.leftOut, Self.leftOut, Self.taken, Self.taken,
        ]
        #expect(found == expected)
    }

    private static let waits = Outcome(counts: false, said: [])

    @Test("ask once when a second person comes, and what comes from then on waits, whoever it is of")
    func second() throws {
        let found = try Self.handOver([
            (Self.cuff, 1), (Self.cuff, 1), (Self.scale, 2), (Self.cuff, 255), (Self.cuff, 2), (Self.cuff, 1),
            (Self.cuff, 2), (Self.cuff, 3), (Self.scale, nil), (Self.cuff, 255),
        ])
        let asked = Outcome(counts: false, said: ["several_users"])
        #expect(
            found == [
                Self.taken, Self.taken, Self.taken, Self.taken, asked, Self.waits, Self.waits, Self.waits, Self.taken,
                Self.taken,
            ])
    }

    private static func weight(_ number: Int, of user: Int, at seconds: Double) -> RecordEntry {
        RecordEntry(
            .weight(VitalValue(whole: 60 + number)), from: .sensor(cuff), EntryFacts(sequence: number, user: user),
            enteredAt: Ward.moment(seconds))
    }

    /// A monitor to which user 1, user 2 and user 1 have been handed over.
    private static func asked() -> MonitorState {
        var state = MonitorState(start: Ward.moment(0))
        for (number, user) in [1, 2, 1].enumerated() {
            let entry = weight(number, of: user, at: Double(number + 1))
            _ = state.apply(MonitorEvent(moment: entry.enteredAt, kind: .entry(entry)))
        }
        return state
    }

    @Test(
        "an answer takes what waits of the patient into the record, and leaves out and counts the rest",
        arguments: [1, 2])
    func answered(number: Int) {
        var state = Self.asked()
        #expect(state.deviceUsers.questions == [.init(sensor: Self.cuff, users: [1, 2], count: 2)])
        let effects = state.apply(.chooseUser(address: Self.cuff.address, number), at: Ward.moment(9))
        #expect(state.deviceUsers.questions.isEmpty)
        let valid = state.patientRecord.entries.filter { !$0.isRetracted }
        #expect(valid.map(\.facts.user) == (number == 1 ? [1, 1] : [2]))
        // What counted before anybody asked is marked as a mistake.
        let mistakes = state.patientRecord.entries.filter(\.isRetracted)
        #expect(mistakes.map(\.retractionReason) == (number == 1 ? [] : ["of user 1, not the patient"]))
        #expect(state.deviceUsers.countOfOthers(Self.cuff.address) == number)
        let settled = effects.count { if case .deviceUsers(.settled, _) = $0 { true } else { false } }
        #expect(settled == 2)
        // From now on nobody asks.
        let next = Self.weight(9, of: 3 - number, at: 10)
        let said = state.apply(MonitorEvent(moment: next.enteredAt, kind: .entry(next)))
        #expect(state.deviceUsers.countOfOthers(Self.cuff.address) == number + 1)
        #expect(said.contains { if case .action(let record) = $0 { record.kind.word == "other_user" } else { false } })
    }

    @Test("the setting answers, too, as soon as it is read, and takes precedence over the answer")
    func setting() throws {
        var state = Self.asked()
        var settings = MonitorSettings()
        settings.users = [try #require(DeviceUser("Cuff = 2"))]
        _ = state.apply(settings: settings, change: nil, at: Ward.moment(9))
        #expect(state.deviceUsers.questions.isEmpty)
        #expect(state.patientRecord.entries.filter { !$0.isRetracted }.map(\.facts.user) == [2])
        #expect(state.chosenUser(of: Self.cuff) == 2)
    }

    @Test("another patient is asked about again, and nothing that waited becomes that patient's")
    func anotherPatient() {
        var state = Self.asked()
        _ = state.apply(.newPatient, at: Ward.moment(9))
        #expect(state.deviceUsers == DeviceUsers())
        #expect(state.patientRecord.entries.isEmpty)
    }

    @Test(
        "no measurement is lost or doubled, whatever is handed over again, answered or restarted in whatever order",
        .computing, arguments: 0..<200)
    func neverLost(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var state = MonitorState(start: Ward.moment(0))
        var handedOver: [RecordEntry] = []
        // As the store has them.
        var (record, users): ([RecordEntry.ID: RecordEntry], DeviceUsers) = ([:], DeviceUsers())
        var answer: Int?
        for step in 1...80 {
            let now = Ward.moment(Double(step))
            var effects: [Effect] = []
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<6:
                let entry = Self.weight(step, of: Int.random(in: 1...3, using: &random), at: Double(step))
                effects = state.apply(MonitorEvent(moment: now, kind: .entry(entry)))
                handedOver.append(entry)
            case 6..<9:
                guard var again = handedOver.randomElement(using: &random) else { continue }
                again.enteredAt = now
                effects = state.apply(MonitorEvent(moment: now, kind: .entry(again)))
                #expect(effects.isEmpty)
            case 9:
                guard let question = state.deviceUsers.questions.first else { continue }
                let number = question.users.randomElement(using: &random) ?? 1
                effects = state.apply(.chooseUser(address: Self.cuff.address, number), at: now)
                answer = number
                // The program may be killed before all of it is written.
                if Bool.random(using: &random) {
                    effects = Array(effects.prefix(Int.random(in: 2...effects.count, using: &random)))
                    Self.store(effects, &record, &users)
                    state = MonitorState(start: now)
                    effects = state.restore(Array(record.values), at: now) + state.apply(.deviceUsers(users, at: now))
                }
            default:
                state = MonitorState(start: now)
                effects = state.restore(Array(record.values), at: now) + state.apply(.deviceUsers(users, at: now))
            }
            Self.store(effects, &record, &users)
        }
        let valid = state.patientRecord.entries.filter { !$0.isRetracted }
        let mistakes = state.patientRecord.entries.filter(\.isRetracted)
        let others = state.deviceUsers.countOfOthers(Self.cuff.address)
        #expect(valid.count + state.deviceUsers.waiting.count + others == handedOver.count)
        guard let answer else { return }
        #expect(valid.count == handedOver.count { $0.facts.user == answer })
        #expect(mistakes.allSatisfy { $0.facts.user != answer })
        #expect(state.deviceUsers.waiting.isEmpty)
    }

    /// Does what the store does with effects.
    private static func store(
        _ effects: [Effect], _ record: inout [RecordEntry.ID: RecordEntry], _ users: inout DeviceUsers
    ) {
        for effect in effects {
            switch effect {
            case .entry(let entry): record[entry.id] = entry
            case .deviceUsers(.waits(let entry), _): users.waiting.append(entry)
            case .deviceUsers(.settled(let id), _): users.waiting.removeAll { $0.id == id }
            case .deviceUsers(.leftOut(let measurement), _): users.leftOut.insert(measurement)
            case .deviceUsers(.answered(let address, let number), _): users.answers[address] = number
            default: break
            }
        }
    }

    @Test(
        "are chosen by a name and a number",
        arguments: [
            ("Cuff = 2", "Cuff", 2), ("A&D=UA 651=0", "A&D=UA 651", 0), ("  Scale   =   254 ", "Scale", 254),
        ])
    func read(text: String, sensor: String, number: Int) throws {
        let user = try #require(DeviceUser(text))
        #expect(user.sensor == sensor && user.number == number)
        #expect(DeviceUser(user.text) == user)
    }

    @Test(
        "are not chosen by anything else",
        arguments: [
            "", "Cuff", "= 2", "Cuff =", "Cuff = two", "Cuff = 255", "Cuff = -1", "Cu\u{1B}ff = 1", "Cuff = 1.5",
        ])
    func unreadable(text: String) {
        #expect(DeviceUser(text) == nil)
    }
}
