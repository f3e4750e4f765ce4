import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("The order of alarms")
struct AlarmOrderTests {
    /// The heart rate was far too low, unanswered, and the saturation is too low now.
    @Test("active, unanswered alarms come before those over, whatever their priority")
    func over() {
        var ward = Ward(settings: MonitorSettings())
        ward.stream(.heartRate, 3500, from: .strap, at: [1, 2])
        ward.stream(.heartRate, 7200, from: .strap, at: stride(from: 3, through: 20, by: 1))
        ward.stream(.oxygenSaturation, 8800, from: .oximeter, at: stride(from: 21, through: 37, by: 1))
        #expect(ward.state.shownAlarms.map(\.summary).prefix(2) == ["low active medium", "severe_low ended high"])
        #expect(ward.state.worstAlarm == ward.state.shownAlarms.first)
    }

    @Test("active, unanswered alarms come before acknowledged ones, active or suspended")
    func acknowledged() {
        var ward = Ward(settings: MonitorSettings())
        ward.stream(.oxygenSaturation, 8000, from: .oximeter, at: [1])
        _ = ward.state.apply(.acknowledgeAll, at: Ward.moment(2))
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(3), kind: .battery(.strap, percent: 5)))
        #expect(ward.state.worstAlarm?.kind == .batteryLow)
        let lost = Reading(
            sensor: .oximeter, vital: .oxygenSaturation, outcome: .noMeasurement(.searching), moment: Ward.moment(4))
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(4), kind: .reading(lost)))
        #expect(ward.state.worstAlarm?.kind == .batteryLow)
        // Losing the measurement is no answer.
        ward = Ward(settings: MonitorSettings())
        ward.stream(.oxygenSaturation, 8000, from: .oximeter, at: [1])
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(2), kind: .battery(.strap, percent: 5)))
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(4), kind: .reading(lost)))
        #expect(ward.state.worstAlarm?.kind == .severeLow)
    }

    @Test(
        "within a priority a severe saturation comes first, then a severe rate, then a fever, whichever came first",
        arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func urgency(sequence: [Int]) {
        var ward = Ward(settings: MonitorSettings())
        let vitals: [(Vital, SensorIdentity, usual: Int, severe: Int)] = [
            (.oxygenSaturation, .oximeter, 9700, 7800), (.heartRate, .strap, 7200, 17_000),
            (.bodyTemperature, .core, 3680, 3940),
        ]
        for second in 1...400 {
            for (place, (vital, sensor, usual, severe)) in vitals.enumerated() {
                let begins = 100 * ((sequence.firstIndex(of: place) ?? 0) + 1)
                ward.stream(vital, second < begins ? usual : severe, from: sensor, at: [Double(second)])
            }
        }
        let shown = ward.state.shownAlarms.filter { $0.priority == .high }
        #expect(shown.map(\.vital) == vitals.map(\.0), "\(shown.map(\.summary))")
        // A suspended one is as urgent as it was.
        let lost = Reading(
            sensor: .oximeter, vital: .oxygenSaturation, outcome: .noMeasurement(.searching), moment: Ward.moment(401))
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(401), kind: .reading(lost)))
        #expect(ward.state.shownAlarms.first?.vital == .oxygenSaturation)
    }

    @Test("of high priority and equally urgent, the newest comes first; of medium priority, the oldest")
    func newest() {
        for (value, priority) in [(17_000, AlarmPriority.high), (13_000, .medium)] {
            for isHeartFirst in [true, false] {
                var ward = Ward(settings: MonitorSettings())
                for second in 1...300 {
                    for (vital, sensor, isFirst) in [
                        (Vital.heartRate, SensorIdentity.strap, isHeartFirst), (.pulseRate, .oximeter, !isHeartFirst),
                    ] {
                        let isBeyond = second >= (isFirst ? 100 : 200)
                        ward.stream(vital, isBeyond ? value : 7200, from: sensor, at: [Double(second)])
                    }
                }
                let shown = ward.state.shownAlarms.filter { $0.priority == priority && $0.alarmClass == .physiological }
                let isHeartNewest = !isHeartFirst
                let isHeartExpected = priority == .high ? isHeartNewest : !isHeartNewest
                #expect(shown.map(\.vital) == (isHeartExpected ? [.heartRate, .pulseRate] : [.pulseRate, .heartRate]))
                let reports = shown.reversed().map { AlarmReport($0) }.sorted { $0.isWorse(than: $1) }
                #expect(reports.map(\.vital) == shown.map(\.vital), "as other screens order them")
            }
        }
    }

    @Test("a pulse rate is as urgent as a heart rate, and every other condition comes after a fever", .computing)
    func urgencies() {
        for kind in AlarmKind.allCases {
            for vital in Vital.allCases.map(Optional.some) + [nil] {
                let expected =
                    switch (kind, vital) {
                    case (.severeLow, .oxygenSaturation), (.severeHigh, .oxygenSaturation): 0
                    case (.severeLow, .heartRate), (.severeHigh, .heartRate), (.severeLow, .pulseRate),
                        (.severeHigh, .pulseRate):
                        1
                    case (.feverSingle, _), (.feverSustained, _): 2
                    default: 3
                    }
                #expect(kind.urgency(of: vital) == expected)
            }
        }
    }

    @Test(
        "in any history the shown alarms begin with those that are unanswered, the highest priority first", .computing)
    func histories() {
        var mixed = 0
        for seed in UInt64(0)..<400 {
            var history = RandomHistory(seed: seed)
            var state = MonitorState(settings: RandomHistory.settings, start: Ward.moment(0))
            for _ in 0..<30 {
                _ = state.apply(history.next(state))
                let shown = state.shownAlarms
                let calling = shown.filter {
                    $0.acknowledgedAt == nil && $0.heldUntil == nil && $0.phase != .ended
                }
                if calling.count < shown.count, !calling.isEmpty { mixed += 1 }
                #expect(Array(shown.prefix(calling.count)) == calling, "seed \(seed)")
                #expect(calling.map(\.priority) == calling.map(\.priority).sorted(by: >), "seed \(seed)")
                for (one, next) in zip(calling, calling.dropFirst()) where one.priority == next.priority {
                    let isLost = [one, next].contains { $0.kind == .monitorLost }
                    #expect(
                        isLost || one.kind.urgency(of: one.vital) <= next.kind.urgency(of: next.vital), "seed \(seed)")
                }
            }
        }
        #expect(mixed > 100)
    }
}
