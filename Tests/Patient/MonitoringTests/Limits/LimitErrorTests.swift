import Testing
import Vitals

@testable import Monitoring

@Suite("Limits that contradict each other")
struct LimitErrorTests {
    struct Case: Sendable {
        var values: [Int?]
        var reason: String?
    }

    /// Severe low, low, high and severe high of a heart rate, in whole beats; `nil` is off.
    static let cases: [Case] = [
        Case(values: [40, 50, 120, 140], reason: nil),
        Case(values: [50, 50, 120, 120], reason: nil),
        Case(values: [nil, nil, nil, nil], reason: nil),
        Case(values: [nil, nil, nil, 140], reason: nil),
        Case(values: [51, 50, 120, 140], reason: "the severe low limit 51 must not lie above the low limit 50"),
        Case(values: [40, 120, 120, 140], reason: "the low limit 120 must lie below the high limit 120"),
        Case(values: [40, 121, 120, 140], reason: "the low limit 121 must lie below the high limit 120"),
        Case(values: [40, 50, 141, 140], reason: "the high limit 141 must not lie above the severe high limit 140"),
        Case(values: [130, nil, 120, 140], reason: "the severe low limit 130 must lie below the high limit 120"),
        Case(values: [40, 150, nil, 140], reason: "the low limit 150 must lie below the severe high limit 140"),
        Case(
            values: [140, nil, nil, 140], reason: "the severe low limit 140 must lie below the severe high limit 140"),
        Case(values: [0, 50, 120, 140], reason: "the severe low limit 0 must lie within 10 and 300"),
        Case(values: [40, 50, 120, 301], reason: "the severe high limit 301 must lie within 10 and 300"),
    ]

    @Test("are refused with the reason, naming the two values", arguments: cases)
    func table(_ row: Case) {
        var limits = MonitorSettings.Limits().heartRate
        for (kind, value) in zip(LimitKind.allCases, row.values) {
            limits[kind].value = value.map { VitalValue(whole: $0) }
        }
        var reason: String?
        do throws(LimitError) { try limits.validate(of: .heartRate) } catch { reason = error.description }
        #expect(reason == row.reason)
    }

    @Test("the usual limits contradict nothing")
    func usual() throws {
        try MonitorSettings.Limits().validate()
        try MonitorSettings.Limits.off.validate()
    }

    @Test("delays and changes by speed have bounds")
    func bounds() {
        var limits = MonitorSettings.Limits()
        limits.heartRate.low.delay = .seconds(601)
        #expect(throws: LimitError.self) { try limits.validate() }
        limits = MonitorSettings.Limits()
        limits.oxygenSaturation.fall = ChangeLimit(VitalValue(whole: 0), within: .seconds(60), .medium)
        #expect(throws: LimitError.change(.oxygenSaturation, isFall: true)) { try limits.validate() }
        #expect(throws: LimitError.noLimits(.skinTemperature)) {
            try limits.heartRate.validate(of: .skinTemperature)
        }
    }
}
