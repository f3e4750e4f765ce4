import Testing
import Vitals

@testable import Monitoring

/// Alarms whose cause ends without a value.
@Suite("Alarms whose cause is gone")
struct OutlivedCauseTests {
    private var flat: MonitorSettings {
        var settings = MonitorSettings.withoutLimits
        settings.limits.heartRate.flatLine = .seconds(20)
        return settings
    }

    private func change(_ ward: inout Ward, at seconds: Double, _ body: (inout MonitorSettings) -> Void) -> [String] {
        var settings = ward.state.settings
        body(&settings)
        return ward.state.apply(settings: settings, change: nil, at: Ward.moment(seconds)).compactMap(\.summary)
    }

    @Test("another patient resets the flat line")
    func flatLine() {
        var ward = Ward(settings: flat)
        ward.stream(.heartRate, 7000, from: .strap, at: stride(from: 0, through: 21, by: 1))
        #expect(ward.alarms == ["flat_line active low"])
        ward.act(.newPatient, at: 21.5, expecting: ["flat_line ended low"])
        #expect(change(&ward, at: 21.6) { $0.limits.heartRate.low.value = VitalValue(whole: 40) }.isEmpty)
        ward.stream(.heartRate, 7000, from: .strap, at: stride(from: 22, through: 41, by: 1))
        #expect(ward.alarms.isEmpty)
        ward.stream(.heartRate, 7000, from: .strap, at: [42])
        #expect(ward.alarms == ["flat_line active low"])
    }

    @Test("a row that is given up takes its alarms and its pause for care with it, and the log says so")
    func evicted() {
        var settings = MonitorSettings.withoutLimits
        settings.sensorLimit = 1
        var ward = Ward(settings: settings)
        let octets = MalformedOctets(characteristic: "2A37", octets: [0], reason: "too short", offset: 1)
        for second in 0..<3 {
            ward.receive(
                .malformed(.strap, octets), at: Double(second),
                expecting: second == 2 ? ["malformed active low"] : [])
        }
        ward.act(.pauseForCare(address: SensorIdentity.strap.address, nil), at: 3)
        // Not for a stranger's sensor, while an alarm is about it.
        ward.receive(.nearby(.core, signalStrength: -60, services: []), at: 4)
        #expect(ward.state.sensors.map(\.identity) == [.strap])
        ward.receive(.gone(.strap), at: 5, expecting: ["malformed ended low"])
        #expect(ward.state.alarms.isEmpty && ward.state.sensors.isEmpty)
        #expect(ward.actions == ["user care_paused", "program care_pause_ended"])
    }

    @Test("a weak signal ends when that alarm is switched off")
    func weakSignal() {
        var ward = Ward()
        ward.connection(.strap, .connecting, at: 0)
        ward.receive(
            .nearby(.strap, signalStrength: -95, services: []), at: 0, expecting: ["weak_signal pending low"])
        #expect(ward.wait(until: 10) == ["weak_signal active low"])
        #expect(change(&ward, at: 11) { $0.technical.weakSignal = nil } == ["weak_signal ended low"])
    }

    @Test("a battery is evaluated by changed thresholds at once")
    func battery() {
        var ward = Ward()
        ward.receive(.battery(.strap, percent: 12), at: 0, expecting: ["battery_low active low"])
        let ended = change(&ward, at: 1) { settings in
            settings.technical.batteryLow = 5
            settings.technical.batteryRecovered = 10
        }
        #expect(ended == ["battery_low ended low"])
        #expect(change(&ward, at: 2) { $0.technical.batteryLow = 15 } == ["battery_low active low"])
    }

    @Test("settings that change nothing still sound what is due, and leave no deadline in the past")
    func noChange() {
        var ward = Ward(settings: MonitorSettings())
        ward.stream(.heartRate, 14_500, from: .strap, at: [0])
        #expect(change(&ward, at: 5) { _ in }.isEmpty)
        #expect(ward.state.nextDeadline.map { $0 > Ward.moment(5) } == true)
    }
}
