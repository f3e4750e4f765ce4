import Testing
import Vitals

@testable import Monitoring

@Suite("Fevers of an alarm log")
struct FeverLogTests {
    private func entry(
        _ second: Int, _ state: AlarmLogEntry.State, episode: Int = 1, run: Int64 = 1, kind: AlarmKind = .feverSingle,
        peak: Int = 3840
    ) -> AlarmLogEntry {
        AlarmLogEntry(
            moment: Moment(monotonicNanoseconds: 0, wallMilliseconds: Int64(second) * 1000), run: run,
            content: .change(
                AlarmLogEntry.Change(
                    episode: episode, kind: kind, priority: .high, state: state, sensor: nil, vital: .bodyTemperature,
                    site: nil, value: VitalValue(hundredths: peak - 10), peak: VitalValue(hundredths: peak), limit: nil,
                    sinceWallMilliseconds: Int64(second - 5) * 1000, text: "")))
    }

    private func text(_ log: [AlarmLogEntry]) -> [String] {
        FeverEpisode.all(in: log).map { fever in
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

    @Test("of the patient before are left out")
    func anotherPatient() throws {
        let record = ActionRecord(
            moment: Moment(monotonicNanoseconds: 0, wallMilliseconds: 250_000), actor: .user, kind: .newPatient)
        let change = try #require(AlarmLogEntry(.action(record)))
        #expect(text([entry(100, .active), change, entry(400, .active, episode: 2)]) == ["395- 38.4"])
    }
}
