import Testing
import Vitals

@testable import Monitoring

@Suite("What earlier runs have left about sensors")
struct SensorContactTests {
    private static let contact = SensorContact(
        measurement: .init(
            content: .vital(.heartRate, VitalValue(whole: 190), site: nil),
            wallMilliseconds: Ward.moment(0).wallMilliseconds - 3_600_000),
        battery: .init(percent: 54, wallMilliseconds: Ward.moment(0).wallMilliseconds - 7_200_000))

    private static let remembered = RememberedSensor(
        address: SensorIdentity.strap.address, name: SensorIdentity.strap.name, kind: .heartRateStrap, isWanted: true)

    private func recall(_ ward: inout Ward, at second: Int) -> [Effect] {
        ward.state.apply(.contacts([SensorIdentity.strap.address: Self.contact], at: Ward.moment(Double(second))))
    }

    private func contact(_ ward: Ward) -> SensorContact? {
        ward.state.sensor(address: SensorIdentity.strap.address)?.contact
    }

    @Test("is known of a remembered sensor, whichever is known first", arguments: [false, true])
    func order(isRememberedFirst: Bool) {
        var ward = Ward()
        if isRememberedFirst { ward.receive(.remembered(Self.remembered), at: 1) }
        _ = recall(&ward, at: 2)
        if !isRememberedFirst { ward.receive(.remembered(Self.remembered), at: 3) }
        #expect(contact(ward) == Self.contact)
    }

    @Test("raises no alarm, and is no value: it is of the past")
    func notPresent() {
        var ward = Ward()
        ward.receive(.remembered(Self.remembered), at: 1)
        #expect(recall(&ward, at: 2).isEmpty)
        #expect(ward.state.alarms.isEmpty)
        #expect(ward.state[.heartRate].condition == .neverSeen)
        #expect(ward.state[.heartRate].trend.isEmpty)
        #expect(ward.state.sensor(address: SensorIdentity.strap.address)?.lastHeard == nil)
        #expect(ward.state.sensor(address: SensorIdentity.strap.address)?.battery == nil)
    }

    @Test("is forgotten with the sensor, and with another patient what was measured of the former one")
    func forgotten() {
        var ward = Ward()
        ward.receive(.remembered(Self.remembered), at: 1)
        _ = recall(&ward, at: 2)
        ward.act(.newPatient, at: 3)
        #expect(contact(ward) == SensorContact(battery: Self.contact.battery))
        ward.receive(.forgotten(.strap), at: 4)
        ward.receive(.remembered(Self.remembered), at: 5)
        #expect(contact(ward) == nil)
    }

    @Test("is nothing of a sensor that is not remembered")
    func stranger() {
        var ward = Ward()
        ward.receive(.nearby(.strap, signalStrength: -60, services: []), at: 1)
        _ = recall(&ward, at: 2)
        #expect(contact(ward) == nil)
    }
}
