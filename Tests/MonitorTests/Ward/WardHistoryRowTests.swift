import Monitoring
import Recording
import Testing
import Vitals
import WardMessages

@testable import Monitor

@Suite("A recorded row on its way to a collector")
struct WardHistoryRowTests {
    private static let moment = Moment(monotonicNanoseconds: 5_000_000_000, wallMilliseconds: 1_700_000_000_000)
    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)

    private static func action(_ word: String) -> RecordedContent {
        .alarmLog(
            AlarmLogEntry(
                moment: moment, run: 3,
                content: .action(AlarmLogEntry.Action(actor: .user, word: word, text: "what Felix has typed"))))
    }

    /// One of each kind, all of one millisecond and one number.
    private static let contents: [RecordedContent] = [
        .reading(
            Reading(
                sensor: strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 72), .good), moment: moment)),
        .rrIntervals(RRIntervals(sensor: strap, intervals: [800], moment: moment)),
        action("acknowledged"),
    ]

    private func row(_ content: RecordedContent) throws -> WardHistoryBatch.Row {
        WardHistoryBatch.Row(RecordedBatch.Row(content, run: 3, number: 7), of: try #require(WardToken("store-1")))
    }

    @Test("has a key that no other kind of its millisecond has, and comes out as it went in")
    func keys() throws {
        let rows = try Self.contents.map { try row($0) }
        #expect(Set(rows.map(\.key)).count == 3)
        #expect(rows.map(\.recorded) == Self.contents.map { RecordedBatch.Row($0, run: 3, number: 7) })
    }

    @Test("is refused with the key of another kind, or of another time")
    func wrongKeys() throws {
        for content in Self.contents {
            for other in Self.contents where other != content {
                var wrong = try row(content)
                wrong.key = try row(other).key
                #expect(wrong.recorded == nil)
            }
            var late = try row(content)
            late.key.wallMilliseconds += 1
            #expect(late.recorded == nil)
        }
    }

    @Test(
        "leaves what somebody has typed at the bed",
        arguments: ["entered", "entry_retracted", "neutrophils_entered", "setting_changed"])
    func typed(word: String) throws {
        guard case .alarmLog(let entry) = try row(Self.action(word)).content, case .action(let action) = entry.content
        else {
            Issue.record("it is no action any more")
            return
        }
        #expect(action.word == word && !action.text.contains("Felix"))
    }
}
