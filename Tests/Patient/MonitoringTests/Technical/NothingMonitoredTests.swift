import Testing
import Vitals

@testable import Monitoring

@Suite("A monitor without a screen that is to connect no sensor")
struct NothingMonitoredTests {
    private static func ward(_ reports: Bool = true) -> MonitorState {
        var settings = MonitorSettings()
        settings.technical.reportsNothingMonitored = reports
        var ward = MonitorState(settings: settings, start: Ward.moment(0))
        for kind in [MonitorEvent.Kind.bus(.connected), .daemon(.running)] {
            _ = ward.apply(MonitorEvent(moment: Ward.moment(0), kind: kind))
        }
        return ward
    }

    private static func alarms(_ ward: inout MonitorState, at second: Double, _ kind: MonitorEvent.Kind = .tick)
        -> [String]
    {
        _ = ward.apply(MonitorEvent(moment: Ward.moment(second), kind: kind))
        return ward.alarms.filter { $0.kind == .nothingMonitored && $0.phase == .active }.map(\.text)
    }

    private static let text =
        "Nothing is monitored: no sensor is to be connected; name one (--connect, sensors.connect)"

    @Test("says so after some seconds, and no longer once one is connected, or remembered to be")
    func said() {
        let strap = SensorIdentity.strap
        let wishes: [(MonitorEvent.Kind, Bool)] = [
            (.connection(strap, ConnectionState(phase: .connecting)), true),
            (.connection(strap, ConnectionState(phase: .waiting)), true),
            (.connection(strap, ConnectionState(phase: .disconnected, reason: .user)), false),
            (
                .remembered(
                    RememberedSensor(address: strap.address, name: strap.name, kind: strap.kind, isWanted: true)), true
            ),
            (
                .remembered(
                    RememberedSensor(address: strap.address, name: strap.name, kind: strap.kind, isWanted: false)),
                false
            ),
            (.nearby(strap, signalStrength: -60, services: []), false),
        ]
        for (wish, isWish) in wishes {
            var ward = Self.ward()
            #expect(Self.alarms(&ward, at: 1).isEmpty)
            #expect(Self.alarms(&ward, at: 6) == [Self.text])
            #expect(Self.alarms(&ward, at: 7, wish) == (isWish ? [] : [Self.text]), "\(wish)")
            #expect(Self.alarms(&ward, at: 30) == (isWish ? [] : [Self.text]), "\(wish)")
        }
    }

    @Test("says so again when its last one is disconnected or forgotten by hand")
    func again() {
        let strap = SensorIdentity.strap
        var ward = Self.ward()
        #expect(Self.alarms(&ward, at: 1, .connection(strap, ConnectionState(phase: .ready))).isEmpty)
        #expect(Self.alarms(&ward, at: 60).isEmpty)
        _ = Self.alarms(&ward, at: 61, .connection(strap, ConnectionState(phase: .disconnected, reason: .user)))
        #expect(Self.alarms(&ward, at: 70) == [Self.text])
    }

    @Test("is silent where somebody is at a screen, or a sensor is named that may come later")
    func screen() {
        var ward = Self.ward(false)
        #expect(Self.alarms(&ward, at: 600).isEmpty)
    }
}
