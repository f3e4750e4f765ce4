import Testing
import Vitals

@testable import Monitoring

@Suite("The alarm board")
struct AlarmBoardTests {
    private func evidence(_ priority: AlarmPriority, _ value: Int? = nil) -> AlarmEvidence {
        AlarmEvidence(sensor: .core, priority: priority, value: value.map { VitalValue(hundredths: $0) })
    }

    @Test("shows unanswered alarms first: by priority, then the patient, then the older")
    func order() throws {
        var board = AlarmBoard()
        let opened: [(Int, AlarmKind, AlarmPriority)] = [
            (0, .batteryLow, .low), (1, .sensorOff, .medium), (2, .feverSingle, .high), (3, .silent, .medium),
            (4, .linkLost, .high), (5, .feverSingle, .medium),
        ]
        for (ordinal, kind, priority) in opened {
            _ = board.evaluate(
                AlarmKey(.sensor(ordinal), kind: kind), .met, evidence: evidence(priority), now: Ward.moment(0))
        }
        #expect(board.alarms.map(\.sensorOrdinal) == [2, 4, 5, 1, 3, 0])
        let fever = try #require(board.alarms.first?.id)
        _ = board.acknowledge(fever, Ward.moment(1))
        #expect(board.alarms.map(\.sensorOrdinal) == [4, 5, 1, 3, 0, 2])
    }

    @Test("active alarms come before suspended ones of the same priority, until these resume")
    func suspendedLater() {
        var board = AlarmBoard()
        func evaluate(_ ordinal: Int, _ verdict: AlarmVerdict, _ priority: AlarmPriority, _ second: Double) {
            _ = board.evaluate(
                AlarmKey(.sensor(ordinal), kind: .severeHigh), verdict, evidence: evidence(priority),
                now: Ward.moment(second))
        }
        evaluate(0, .met, .high, 0)
        evaluate(1, .met, .high, 0)
        evaluate(2, .met, .medium, 2)
        evaluate(0, .indeterminate(.offBody), .high, 3)
        #expect(board.alarms.map(\.sensorOrdinal) == [1, 0, 2])
        evaluate(0, .met, .high, 4)
        #expect(board.alarms.map(\.sensorOrdinal) == [0, 1, 2])
    }

    @Test("pending alarms come last, whatever their priority")
    func suspicionsLast() {
        var board = AlarmBoard()
        _ = board.evaluate(
            AlarmKey(.sensor(0), kind: .feverSingle), .suspected(.init(count: 1, wanted: 3)),
            evidence: evidence(.high), now: Ward.moment(0))
        _ = board.evaluate(
            AlarmKey(.sensor(0), kind: .batteryLow), .met, evidence: evidence(.low), now: Ward.moment(0))
        #expect(board.alarms.map(\.kind) == [.batteryLow, .feverSingle])
        #expect(board.alarms.map(\.state) == [.active, .pending])
    }

    @Test("a delay restarts when the condition was gone in between")
    func delay() {
        var board = AlarmBoard()
        let key = AlarmKey(.sensor(0), kind: .sensorOff)
        for (second, verdict) in [(0.0, AlarmVerdict.met), (4, .met), (5, .unmet), (6, .met)] {
            _ = board.evaluate(
                key, verdict, evidence: evidence(.low), delay: .seconds(10), now: Ward.moment(second))
        }
        _ = board.advance(to: Ward.moment(15.999))
        #expect(board.alarms.map(\.state) == [.pending])
        _ = board.advance(to: Ward.moment(16))
        #expect(board.alarms.map(\.state) == [.active])
        #expect(board.alarms.first?.since == Ward.moment(6))
        #expect(board.deadline == nil)
    }

    @Test("a suspended alarm reports a changed reason of its suspension")
    func suspensionReason() {
        var board = AlarmBoard()
        var effects: [Effect] = []
        let key = AlarmKey(.sensor(0), kind: .feverSingle)
        let verdicts: [AlarmVerdict] = [
            .indeterminate(nil), .met, .indeterminate(.offBody), .indeterminate(.offBody), .indeterminate(.linkLost),
            .met,
        ]
        for (second, verdict) in verdicts.enumerated() {
            effects += board.evaluate(
                key, verdict, evidence: evidence(.high), now: Ward.moment(Double(second)))
        }
        #expect(
            effects.map(\.summary) == [
                "fever_single active high", "fever_single suspended high", "fever_single suspended high",
                "fever_single active high",
            ])
    }

    @Test("a technical alarm cannot be cleared away while its condition holds, nor a suspicion acknowledged")
    func noSilencing() throws {
        var board = AlarmBoard()
        _ = board.evaluate(
            AlarmKey(.sensor(0), kind: .sensorOff), .met, evidence: evidence(.low), delay: .nanoseconds(5),
            now: Ward.moment(0))
        let id = try #require(board.alarms.first?.id)
        #expect(board.clear(id, Ward.moment(1)) == nil)
        _ = board.acknowledge(nil, Ward.moment(1))
        #expect(board.alarms.map(\.state) == [.pending])
        #expect(board.alarms.first?.acknowledgedAt == nil)
    }

    @Test(
        "the peak is the highest of a fever, the lowest of a battery",
        arguments: [
            (AlarmKind.feverSingle, 3900), (.batteryLow, 3800),
        ])
    func peak(kind: AlarmKind, expected: Int) {
        var board = AlarmBoard()
        for value in [3850, 3900, 3800, 3820] {
            _ = board.evaluate(
                AlarmKey(.sensor(0), kind: kind), .met, evidence: evidence(.high, value), now: Ward.moment(0))
        }
        #expect(board.alarms.first?.peak == VitalValue(hundredths: expected))
        #expect(board.alarms.first?.value == VitalValue(hundredths: 3820))
    }

    @Test(
        "values are written exactly",
        arguments: [
            (3829, "38.29"), (3830, "38.3"), (3800, "38.0"), (-5, "-0.05"), (0, "0.0"),
        ])
    func decimals(hundredths: Int, text: String) {
        #expect(VitalValue(hundredths: hundredths).decimalText == text)
    }
}
