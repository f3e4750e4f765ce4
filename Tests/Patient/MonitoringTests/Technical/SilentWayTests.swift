import Testing
import Vitals

@testable import Monitoring

@Suite("A message bus or a bluetoothd that does not answer")
struct SilentWayTests {
    /// Who does not answer, and what is said of it.
    struct Case: CustomTestStringConvertible, Sendable {
        var silence: MonitorEvent.Kind
        var end: MonitorEvent.Kind
        var kind: AlarmKind
        var reason: GapReason
        var testDescription: String { kind.rawValue }
    }

    static let cases = [
        Case(silence: .bus(.silent), end: .bus(.connected), kind: .busSilent, reason: .busSilent),
        Case(silence: .daemon(.silent), end: .daemon(.running), kind: .daemonSilent, reason: .daemonSilent),
    ]

    private func apply(_ kind: MonitorEvent.Kind, at seconds: Double, in ward: inout Ward) {
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(seconds), kind: kind))
    }

    /// Three sensors that have sent a value each second until second 9, and nothing since.
    private func silent(_ one: Case) -> Ward {
        var ward = Ward()
        apply(.bus(.connected), at: 0, in: &ward)
        apply(.daemon(.running), at: 0, in: &ward)
        for sensor in [SensorIdentity.strap, .oximeter, .core] { ward.connection(sensor, .ready, at: 0) }
        for second in 0..<10 {
            ward.measure(.heartRate, 7200, from: .strap, at: Double(second))
            ward.measure(.oxygenSaturation, 9700, from: .oximeter, at: Double(second))
            ward.measure(.pulseRate, 7200, from: .oximeter, at: Double(second))
            ward.measure(.bodyTemperature, 3700, from: .core, at: Double(second))
        }
        ward.receive(one.silence, at: 11, expecting: ["\(one.kind.rawValue) pending low"])
        return ward
    }

    @Test("has one alarm, which names it, and none of the sensors", arguments: cases)
    func alarm(one: Case) {
        var ward = silent(one)
        let changes = ward.wait(until: 60)
        #expect(!changes.contains { $0.hasPrefix("silent ") || $0.hasPrefix("link_lost") }, "\(changes)")
        #expect(ward.alarms == ["\(one.kind.rawValue) active medium"])
        #expect(ward.state.environment.silentPart == one.kind)
        // No number is shown for as long as nothing is known.
        for vital in [Vital.heartRate, .oxygenSaturation, .bodyTemperature] {
            #expect(ward.state[vital].condition.absence?.reason == .silent)
        }
    }

    @Test("leaves a gap when it answers again, and each sensor the usual time to send", arguments: cases)
    func ends(one: Case) {
        var ward = silent(one)
        _ = ward.wait(until: 34)
        let gap = Gap(from: Ward.moment(9), to: Ward.moment(34), reason: one.reason)
        ward.receive(.gap(gap), at: 34, expecting: ["not_monitored active low"])
        ward.receive(one.end, at: 34, expecting: ["\(one.kind.rawValue) ended medium"])
        #expect(ward.state.environment.lastGap == gap)
        ward.stream(.heartRate, 7300, from: .strap, at: (35..<60).map(Double.init))
        // The others are really silent, now that they could be heard.
        #expect(ward.condition(.heartRate) == "measured 7300")
        let silent = ward.alarms.filter { $0.hasPrefix("silent") }
        #expect(silent.count == 2, "\(ward.alarms)")
    }

    @Test("ends no alarm of a sensor that was silent before", arguments: cases)
    func silentBefore(one: Case) {
        var ward = Ward()
        apply(.bus(.connected), at: 0, in: &ward)
        apply(.daemon(.running), at: 0, in: &ward)
        ward.connection(.strap, .ready, at: 0)
        for second in 0..<10 { ward.measure(.heartRate, 7200, from: .strap, at: Double(second)) }
        _ = ward.wait(until: 30)
        #expect(ward.alarms.contains { $0.hasPrefix("silent active") })
        apply(one.silence, at: 31, in: &ward)
        _ = ward.wait(until: 50)
        #expect(ward.alarms.contains { $0.hasPrefix("silent active") })
    }
}
