import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("The temperature that a CORE advertises")
struct BeaconTests {
    private static let beacon = MonitorEvent.Kind.beacon(.core, bodyTemperature: VitalValue(hundredths: 4000))

    private func heard(_ ward: Ward, at second: Double) throws -> VitalValue? {
        let sensor = try #require(ward.state.sensor(address: SensorIdentity.core.address))
        return sensor.beacon(at: Ward.moment(second))?.bodyTemperature
    }

    @Test("is known for thirty seconds, only while it is heard, and never judged")
    func lifetime() throws {
        var ward = Ward()
        ward.receive(.nearby(.core, signalStrength: -60, services: []), at: 0)
        ward.receive(Self.beacon, at: 0)
        ward.wait(until: 31)
        #expect(try heard(ward, at: 30) == VitalValue(hundredths: 4000))
        #expect(ward.state.alarms.isEmpty)
        #expect(ward.state[.bodyTemperature].condition == .neverSeen)
        #expect(try heard(ward, at: 31) == nil)
        ward.receive(Self.beacon, at: 32)
        #expect(try heard(ward, at: 32) != nil)
        ward.receive(.gone(.core), at: 33)
        #expect(ward.state.sensor(address: SensorIdentity.core.address)?.beacon(at: Ward.moment(33)) == nil)
    }

    @Test("is not shown beside what a connection tells, nor is that of a sensor that nobody has heard of")
    func connected() throws {
        var ward = Ward()
        ward.receive(Self.beacon, at: 0)
        #expect(ward.state.sensors.isEmpty)
        ward.receive(.nearby(.core, signalStrength: -60, services: []), at: 1)
        ward.receive(Self.beacon, at: 1)
        ward.receive(.connection(.core, ConnectionState(phase: .ready)), at: 2)
        #expect(try heard(ward, at: 2) == nil)
        ward.receive(Self.beacon, at: 3)
        ward.receive(.connection(.core, ConnectionState(phase: .disconnected, reason: .user)), at: 4)
        // What was told before the link is two seconds old and still true; what came during it was not taken.
        #expect(try heard(ward, at: 4) == VitalValue(hundredths: 4000))
    }
}
