import Monitoring
import Testing
import Vitals

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

    @Test("say once that there is a second person, of whom none was chosen")
    func second() throws {
        let found = try Self.handOver([
            (Self.cuff, 1), (Self.cuff, 1), (Self.scale, 2), (Self.cuff, 255), (Self.cuff, 2), (Self.cuff, 1),
            (Self.cuff, 2), (Self.cuff, 3), (Self.scale, nil),
        ])
        let doAllCount = found.allSatisfy { $0.counts }
        #expect(doAllCount)
        #expect(found.map(\.said.count) == [0, 0, 0, 0, 1, 0, 0, 1, 0])
        #expect(found[4].said == ["several_users"])
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
