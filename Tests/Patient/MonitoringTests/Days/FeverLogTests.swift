import Testing
import Vitals

@testable import Monitoring

@Suite("Fevers of an alarm log")
struct FeverLogTests {
    private func entry(
        _ second: Int, _ state: AlarmLogEntry.State, episode: Int = 1, run: Int64 = 1, kind: AlarmKind = .feverSingle,
        peak: Int = 3840, sensor: SensorIdentity? = nil
    ) -> AlarmLogEntry {
        AlarmLogEntry(
            moment: Moment(monotonicNanoseconds: 0, wallMilliseconds: Int64(second) * 1000), run: run,
            content: .change(
                AlarmLogEntry.Change(
                    AlarmReport(
                        id: episode, kind: kind, priority: .high, sensor: sensor, vital: .bodyTemperature,
                        value: VitalValue(hundredths: peak - 10), peak: VitalValue(hundredths: peak),
                        limit: sensor.map { _ in VitalValue(hundredths: 3830) },
                        sinceWallMilliseconds: Int64(second - 5) * 1000, text: ""), state)))
    }

    private func text(_ log: [AlarmLogEntry], _ entered: [RecordEntry] = []) -> [String] {
        FeverEpisode.all(in: log, entered: entered).map { fever in
            let end =
                switch fever.ending {
                case .ended(let wall): "\(wall / 1000)"
                case .interrupted(let wall): "\(wall / 1000)?"
                case .open: ""
                }
            return "\(fever.start / 1000)-\(end) \(fever.highest?.decimalText ?? "")"
        }
    }

    @Test("last from when the condition was first met to the end of the alarm, with the highest temperature")
    func whole() {
        #expect(
            text([entry(100, .active), entry(150, .acknowledged, peak: 3910), entry(200, .ended)]) == ["95-200 39.1"])
    }

    @Test("without an end are open, unless the program ended before")
    func open() {
        #expect(text([entry(100, .active)]) == ["95- 38.4"])
        #expect(text([entry(100, .active), entry(300, .interrupted)]) == ["95-300? 38.4"])
    }

    @Test(
        "that overlap are one, until the last of them ends",
        arguments: [
            ([300, 250], "95-300 38.8"), ([200, 250], "95-250 38.8"),
        ])
    func joined(_ ends: [Int], _ expected: String) {
        let log = [
            entry(100, .active), entry(180, .active, episode: 2, kind: .feverSustained, peak: 3880),
            entry(ends[0], .ended), entry(ends[1], .ended, episode: 2, kind: .feverSustained),
        ]
        #expect(text(log) == [expected])
    }

    @Test("apart stay apart, also with the same number in another run; other alarms are none")
    func apart() {
        let log = [
            entry(100, .active), entry(200, .ended), entry(400, .active, run: 2), entry(500, .ended, run: 2),
            entry(600, .active, episode: 9, kind: .high), entry(700, .unanswered, episode: 3, run: 3),
        ]
        #expect(text(log) == ["95-200 38.4", "395-500 38.4"])
    }

    /// What was entered at a second, measured at another one, and perhaps taken back.
    private func temperature(_ value: Int, at second: Int, taken: Int, isMistake: Bool = false) -> RecordEntry {
        func moment(_ second: Int) -> Moment {
            Moment(monotonicNanoseconds: 0, wallMilliseconds: Int64(second) * 1000)
        }
        var entry = RecordEntry(
            .vital(.bodyTemperature, VitalValue(hundredths: value), site: .mouth), taken: moment(taken),
            enteredAt: moment(second))
        if isMistake { entry.retract(at: moment(second + 1)) }
        return entry
    }

    @Test("that were entered are what their entries say now: since they were measured, without those taken back")
    func entered() {
        let log = [
            entry(1000, .active, peak: 3990, sensor: .manual), entry(1500, .active, peak: 3990, sensor: .manual),
            entry(2000, .ended, peak: 3990, sensor: .manual),
        ]
        let mistake = temperature(3990, at: 998, taken: 998, isMistake: true)
        let cases: [([RecordEntry], [String])] = [
            ([mistake], []),
            ([mistake, temperature(3690, at: 1001, taken: 998)], []),
            ([mistake, temperature(3860, at: 1001, taken: 400)], ["400-2000 38.6"]),
            ([temperature(3990, at: 998, taken: 300)], ["300-2000 39.9"]),
            (
                [temperature(3850, at: 998, taken: 300), temperature(3990, at: 1500, taken: 1400, isMistake: true)],
                ["300-2000 38.5"]
            ),
            // What was measured long before, or after it, says nothing of it.
            ([temperature(3990, at: 10, taken: 5), temperature(3990, at: 3000, taken: 2900)], []),
        ]
        for (entries, expected) in cases { #expect(text(log, entries) == expected, "\(entries)") }
        // A fever that a sensor has measured stays, whatever was entered beside it.
        let both = [entry(1000, .active, sensor: .core), entry(1500, .active, peak: 3990, sensor: .manual)]
        #expect(text(both, [mistake]) == ["995- 39.9"])
    }

    @Test("of the patient before are left out")
    func anotherPatient() throws {
        let record = ActionRecord(
            moment: Moment(monotonicNanoseconds: 0, wallMilliseconds: 250_000), actor: .user, kind: .newPatient)
        let change = try #require(AlarmLogEntry(.action(record)))
        #expect(text([entry(100, .active), change, entry(400, .active, episode: 2)]) == ["395- 38.4"])
    }
}
