import Testing
import Vitals

@testable import Monitoring

@Suite("Values beyond what a streaming sensor measures")
struct BeyondRangeTests {
    private static let sensor = SensorIdentity(
        address: "C0:52:49:00:00:0C", name: "DexcomDE", kind: .continuousGlucose)

    /// Whether each alarm about the value is there, and active.
    private static func active(_ ward: Ward) -> [String: Bool] {
        var alarms: [String: Bool] = [:]
        for alarm in ward.state.alarms where alarm.kind.isAboutValues {
            alarms[alarm.kind.rawValue] = alarm.state == .active
        }
        return alarms
    }

    private static func send(_ ward: inout Ward, _ outcome: Reading.Outcome, at seconds: Double) {
        let reading = Reading(sensor: sensor, vital: .glucose, outcome: outcome, moment: Ward.moment(seconds))
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(seconds), kind: .reading(reading)))
    }

    @Test(
        "alarm like the severest limit of their side, and a value within the limits ends that",
        arguments: [
            (.aboveRange, ["severe_high", "high"], "HI"), (.above400, ["severe_high", "high"], "> 400 mg/dL"),
            (.belowRange, ["severe_low", "low"], "LO"), (.below40, ["severe_low", "low"], "< 40 mg/dL"),
        ] as [(AbsenceReason, [String], String)])
    func alarms(reason: AbsenceReason, kinds: [String], word: String) {
        var ward = Ward(settings: MonitorSettings())
        Self.send(&ward, .measured(VitalValue(whole: 120), .good), at: 0)
        Self.send(&ward, .noMeasurement(reason), at: 300)
        #expect(Self.active(ward) == [kinds[0]: true, kinds[1]: true])
        #expect(ward.state.alarms.contains { $0.text.hasPrefix("Glucose \(word) ") && $0.value == nil })
        // It stays for as long as it is reported, and no number is invented meanwhile.
        Self.send(&ward, .noMeasurement(reason), at: 600)
        #expect(Self.active(ward) == [kinds[0]: true, kinds[1]: true])
        #expect(ward.state[.glucose].condition.isMeasured == false)
        Self.send(&ward, .measured(VitalValue(whole: 120), .good), at: 900)
        Self.send(&ward, .measured(VitalValue(whole: 121), .good), at: 1200)
        #expect(Self.active(ward).values.allSatisfy { !$0 })
    }

    @Test("end no alarm of the other side, and any other reason suspends all")
    func others() {
        var ward = Ward(settings: MonitorSettings())
        Self.send(&ward, .measured(VitalValue(whole: 300), .good), at: 0)
        #expect(Self.active(ward) == ["severe_high": true, "high": true])
        Self.send(&ward, .noMeasurement(.belowRange), at: 300)
        #expect(Self.active(ward) == ["severe_high": false, "high": false, "severe_low": true, "low": true])
        Self.send(&ward, .noMeasurement(.equipment), at: 600)
        #expect(Self.active(ward) == ["severe_high": false, "high": false, "severe_low": false, "low": false])
        #expect(ward.state.alarms.allSatisfy { !$0.kind.isAboutValues || $0.state == .suspended })
    }
}
