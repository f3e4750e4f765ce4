import Testing
import Vitals

@testable import Monitoring

@Suite("What an alarm says about its value")
struct AlarmTextTests {
    @Test("an alarm that is over shows its worst value and its time, whatever the rate is now")
    func over() throws {
        var ward = Ward(settings: MonitorSettings())
        ward.stream(.heartRate, 14_500, from: .strap, at: [1, 2])
        ward.stream(.heartRate, 15_200, from: .strap, at: [3, 4])
        ward.stream(.heartRate, 7200, from: .strap, at: stride(from: 5, through: 12, by: 1))
        ward.stream(.heartRate, 11_000, from: .strap, at: [13, 14])
        let alarm = try #require(ward.state.latchedAlarms.first)
        #expect(ward.state.text(of: alarm) == "HR peak 152 > 140 · Polar H10 · over")
        #expect(alarm.text == ward.state.text(of: alarm))
        #expect(alarm.peakAt == Ward.moment(3))
    }

    @Test("a value that is not of the present is the last one, not one of now")
    func notCurrent() throws {
        var ward = Ward(settings: MonitorSettings())
        ward.stream(.heartRate, 15_200, from: .strap, at: [1, 2])
        ward.stream(.heartRate, 13_900, from: .strap, at: [3])
        func text() throws -> String { ward.state.text(of: try #require(ward.state.shownAlarms.first)) }
        #expect(try text() == "HR now 139 (152 > 140) · Polar H10")
        ward.wait(until: 7)
        #expect(ward.condition(.heartRate) == "stale 13900")
        #expect(try text() == "HR last 139 (152 > 140) · Polar H10")
        let lost = Reading(
            sensor: .strap, vital: .heartRate, outcome: .noMeasurement(.noContact), moment: Ward.moment(8))
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(8), kind: .reading(lost)))
        #expect(try text().hasPrefix("HR last 139 (152 > 140) · Polar H10 · suspended: "))
    }

    @Test("a typed value is never one of now")
    func typed() throws {
        var ward = Ward()
        func enter(_ hundredths: Int, at seconds: Double) {
            let entry = ManualEntry(
                .vital(.bodyTemperature, VitalValue(hundredths: hundredths), site: .mouth),
                enteredAt: Ward.moment(seconds))
            _ = ward.state.apply(.enter(entry), at: Ward.moment(seconds))
        }
        enter(4160, at: 1)
        enter(3800, at: 2)
        let alarm = try #require(ward.state.shownAlarms.first { $0.kind == .feverSingle })
        #expect(alarm.text == "Fever, ANC unknown last 38.0 °C (41.6 ≥ 38.3) · mouth · manual")
        #expect(alarm.peakAt == Ward.moment(1))
    }

    @Test("no limit that is printed is compared falsely, and now is only said of what is measured", arguments: 0..<4)
    func comparisons(block: UInt64) throws {
        var compared = 0
        for seed in block * 250..<(block + 1) * 250 {
            var history = RandomHistory(seed: seed)
            var state = MonitorState(settings: RandomHistory.settings, start: Ward.moment(0))
            for _ in 0..<30 {
                _ = state.apply(history.next(state))
                for alarm in state.alarms + state.latchedAlarms {
                    for text in [alarm.text, state.text(of: alarm)] {
                        guard let isTrue = Self.isTrue(text) else { continue }
                        compared += 1
                        #expect(isTrue, "seed \(seed): \(text)")
                    }
                    guard state.text(of: alarm).contains("now ") else { continue }
                    let row = try #require(alarm.sensorOrdinal.flatMap { state.table.row(ordinal: $0) })
                    let condition = alarm.vital.flatMap { state.sensors[row].condition(of: $0) }
                    let isOfNow = condition?.isMeasured == true && condition?.lastSample?.value == alarm.value
                    #expect(isOfNow, "seed \(seed)")
                    #expect(alarm.phase != .ended, "seed \(seed)")
                }
            }
        }
        #expect(compared > 1000)
    }

    /// Whether the comparison in a text holds as printed; `nil` where there is none.
    static func isTrue(_ text: String) -> Bool? {
        guard let match = text.firstMatch(of: #/(-?[0-9.]+)(?: °C| %| dBm)? ([<>≤≥]) (-?[0-9.]+)/#),
            let value = Double(match.1), let limit = Double(match.3)
        else { return nil }
        switch match.2 {
        case "<": return value < limit
        case ">": return value > limit
        case "≤": return value <= limit
        default: return value >= limit
        }
    }
}
