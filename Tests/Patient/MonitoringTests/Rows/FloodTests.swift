import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("More sensors than rows")
struct FloodTests {
    private func strap(_ number: Int) -> SensorIdentity {
        SensorIdentity(
            address: "C0:52:49:01:\(number / 256):\(number % 256)", name: "H10 \(number)", kind: .heartRateStrap)
    }

    private func apply(_ kind: MonitorEvent.Kind, to state: inout MonitorState, at seconds: Double) {
        _ = state.apply(MonitorEvent(moment: Ward.moment(seconds), kind: kind))
    }

    private func measure(
        _ vital: Vital, _ value: Int, from sensor: SensorIdentity, in state: inout MonitorState, at seconds: Double
    ) {
        let reading = Reading(
            sensor: sensor, vital: vital, outcome: .measured(VitalValue(whole: value), .good),
            moment: Ward.moment(seconds))
        apply(.reading(reading), to: &state, at: seconds)
    }

    /// The possible states of 600 straps when the oximeter comes.
    enum Past: CaseIterable, Sendable {
        case heard, connecting, ready, streaming, gone, lost, disconnected, alarming
    }

    @Test(
        "do not keep the oximeter's 70 % from being an alarm, in any state of 600 straps", .computing,
        arguments: Past.allCases)
    func oximeter(past: Past) {
        var state = MonitorState(settings: MonitorSettings(), start: Ward.moment(0))
        for number in 0..<600 {
            let second = Double(number) / 10
            let strap = strap(number)
            func connection(_ phase: ConnectionState.Phase, _ reason: ConnectionState.DisconnectReason? = nil) {
                apply(.connection(strap, ConnectionState(phase: phase, reason: reason)), to: &state, at: second)
            }
            apply(.nearby(strap, signalStrength: -60, services: ["180D"]), to: &state, at: second)
            if past == .heard { continue }
            connection(.connecting)
            if past == .connecting { continue }
            connection(.ready)
            if past == .ready { continue }
            measure(.heartRate, past == .alarming ? 250 : 70, from: strap, in: &state, at: second)
            switch past {
            case .gone, .alarming:
                connection(.waiting, .linkLost)
                apply(.gone(strap), to: &state, at: second)
            case .lost: connection(.waiting, .linkLost)
            case .disconnected: connection(.disconnected, .user)
            default: break
            }
        }
        apply(.nearby(.oximeter, signalStrength: -60, services: []), to: &state, at: 61)
        apply(.connection(.oximeter, ConnectionState(phase: .ready)), to: &state, at: 62)
        measure(.oxygenSaturation, 70, from: .oximeter, in: &state, at: 63)
        #expect(state.alarms.contains { $0.kind == .severeLow && $0.sensor == .oximeter && $0.phase == .active })
        #expect(state[.oxygenSaturation].source == .oximeter)
        #expect(state.sensors.count <= state.settings.sensorLimit)
    }

    @Test("a reading without a row is a technical alarm, until none was dropped for a minute")
    func dropped() throws {
        var settings = MonitorSettings()
        settings.sensorLimit = 4
        var state = MonitorState(settings: settings, start: Ward.moment(0))
        for number in 0..<12 {
            apply(.connection(strap(number), ConnectionState(phase: .ready)), to: &state, at: 1)
            measure(.heartRate, 70, from: strap(number), in: &state, at: 2)
        }
        #expect(state.sensors.count <= 4)
        let alarm = try #require(state.alarms.first { $0.kind == .readingsDropped })
        #expect(alarm.priority == .medium)
        #expect(alarm.phase == .active)
        #expect(alarm.text == "Readings dropped: too many sensors; H10 11 is not monitored")
        #expect(alarm.alarmClass == .technical)
        measure(.heartRate, 70, from: strap(11), in: &state, at: 30)
        apply(.tick, to: &state, at: 89)
        #expect(state.alarms.contains { $0.kind == .readingsDropped })
        apply(.tick, to: &state, at: 91)
        #expect(!state.alarms.contains { $0.kind == .readingsDropped })
    }

    @Test("what a stranger is called in that alarm is harmless and short")
    func hostileName() throws {
        var settings = MonitorSettings()
        settings.sensorLimit = 1
        var state = MonitorState(settings: settings, start: Ward.moment(0))
        measure(.heartRate, 70, from: .strap, in: &state, at: 1)
        let name = "\u{1B}[2J" + String(repeating: "x", count: 300)
        measure(.heartRate, 70, from: SensorIdentity(address: "y", name: name, kind: .oximeter), in: &state, at: 2)
        let text = try #require(state.alarms.first { $0.kind == .readingsDropped }?.text)
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
        #expect(text.count < 110)
    }

    @Test("a remembered sensor takes the row of one that is not, and keeps it in any flood")
    func remembered() {
        var settings = MonitorSettings()
        settings.sensorLimit = 8
        var state = MonitorState(settings: settings, start: Ward.moment(0))
        for number in 0..<20 {
            apply(.connection(strap(number), ConnectionState(phase: .ready)), to: &state, at: 1)
            measure(.heartRate, 70, from: strap(number), in: &state, at: 1)
        }
        let oximeter = SensorIdentity.oximeter
        apply(
            .remembered(
                RememberedSensor(address: oximeter.address, name: oximeter.name, kind: .oximeter, isWanted: true)),
            to: &state, at: 2)
        for number in 20..<60 {
            apply(.connection(strap(number), ConnectionState(phase: .ready)), to: &state, at: 3)
            measure(.heartRate, 250, from: strap(number), in: &state, at: 3)
        }
        #expect(state.sensor(address: oximeter.address)?.memory?.isWanted == true)
        measure(.oxygenSaturation, 70, from: oximeter, in: &state, at: 4)
        #expect(state.alarms.contains { $0.kind == .severeLow && $0.sensor == oximeter })
    }

    @Test("sensors that are left out are an alarm of low priority, until none is")
    func leftOut() throws {
        var ward = Ward()
        ward.receive(.sensorsLeftOut(true), at: 1, expecting: ["too_many_sensors active low"])
        #expect(
            ward.state.alarms.first?.text
                == "Too many sensors: not all that are nearby are connected; connect the patient's by hand")
        ward.receive(.sensorsLeftOut(true), at: 2)
        ward.receive(.sensorsLeftOut(false), at: 3, expecting: ["too_many_sensors ended low"])
    }
}
