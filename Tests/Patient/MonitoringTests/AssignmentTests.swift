import Testing
import Vitals

@testable import Monitoring

@Suite("A vital assigned to a sensor")
struct AssignmentTests {
    private func remember(_ ward: inout Ward, _ sensor: SensorIdentity, _ vitals: Set<Vital>, at second: Double) {
        ward.receive(
            .remembered(
                RememberedSensor(
                    address: sensor.address, name: sensor.name, kind: sensor.kind, isWanted: true,
                    assignedVitals: vitals)),
            at: second)
    }

    private func measureBoth(_ ward: inout Ward, at second: Double) {
        ward.measure(.heartRate, 7000, from: .strap, at: second)
        ward.measure(.heartRate, 8000, from: .otherStrap, at: second)
    }

    @Test("is taken from it at once, and from the first one again when that is taken back")
    func assigned() {
        var ward = Ward()
        measureBoth(&ward, at: 1)
        #expect(ward.state[.heartRate].source == .strap)
        remember(&ward, .otherStrap, [.heartRate], at: 2)
        #expect(ward.condition(.heartRate) == "measured 8000")
        measureBoth(&ward, at: 3)
        #expect(ward.state[.heartRate].source == .otherStrap)
        remember(&ward, .otherStrap, [], at: 4)
        measureBoth(&ward, at: 5)
        // Nothing is wrong with the present one, so it stays.
        #expect(ward.state[.heartRate].source == .otherStrap)
        remember(&ward, .strap, [.heartRate], at: 6)
        #expect(ward.condition(.heartRate) == "measured 7000")
    }

    @Test("is not taken from another one of its kind while the assigned one has no value")
    func away() {
        var ward = Ward()
        remember(&ward, .otherStrap, [.heartRate], at: 0)
        measureBoth(&ward, at: 1)
        #expect(ward.state[.heartRate].source == .otherStrap)
        ward.miss(.heartRate, .noContact, from: .otherStrap, at: 2, expecting: ["sensor_off pending medium"])
        ward.measure(.heartRate, 7000, from: .strap, at: 2)
        #expect(ward.condition(.heartRate) == "no measurement no_contact last 8000")
        ward.measure(.heartRate, 8100, from: .otherStrap, at: 3, expecting: ["sensor_off ended medium"])
        #expect(ward.condition(.heartRate) == "measured 8100")
    }

    @Test("by a sensor that was forgotten is so no more")
    func forgotten() {
        var ward = Ward()
        remember(&ward, .otherStrap, [.heartRate], at: 0)
        measureBoth(&ward, at: 1)
        ward.receive(.forgotten(.otherStrap), at: 2)
        #expect(ward.state.sensors.allSatisfy { !$0.isAssigned(.heartRate) })
    }

    @Test("an inspected sensor keeps the newest octets of each characteristic, up to the limit")
    func inspected() throws {
        var ward = Ward()
        let many = (0..<1000).map { SensorCharacteristic(number: $0, uuid: "2A37", properties: ["notify"]) }
        ward.receive(
            .services(
                .strap,
                [SensorService(uuid: "180D", characteristics: many)]
                    + Array(repeating: SensorService(uuid: "1800", characteristics: []), count: 900)),
            at: 1)
        for number in 0..<1000 {
            let octets = CharacteristicOctets(
                number: number, octets: Array(repeating: 7, count: 9000), moment: Ward.moment(2))
            ward.receive(.octets(.strap, octets), at: 2)
            ward.receive(.octets(.otherStrap, octets), at: 2)
        }
        let inspection = try #require(ward.state.inspection)
        #expect(inspection.address == SensorIdentity.strap.address)
        #expect(inspection.services.flatMap(\.characteristics).count == SensorService.limit)
        #expect(inspection.services.count == 1)
        #expect(inspection.moments.underestimatedCount == SensorService.limit)
        #expect(inspection.octets(of: many[3])?.octets.count == CharacteristicOctets.limit)
        #expect(inspection.octets(of: many[999]) == nil)
    }

    @Test("an inspected sensor keeps the last hundred values of a characteristic, the newest first, and not for ever")
    func stream() throws {
        var ward = Ward()
        let two = (0..<2).map { SensorCharacteristic(number: $0, uuid: "2A37", properties: ["notify"]) }
        let services = [SensorService(uuid: "180D", characteristics: two)]
        ward.receive(.services(.strap, services), at: 1)
        func value(_ number: Int, _ octets: [UInt8], at second: Double) -> MonitorEvent.Kind {
            .octets(.strap, CharacteristicOctets(number: number, octets: octets, moment: Ward.moment(second)))
        }
        ward.receive(value(1, [9], at: 2), at: 2)
        for count in 0..<150 {
            ward.receive(value(0, [UInt8(count)], at: 3 + Double(count)), at: 3 + Double(count))
        }
        // Known values are reported again with the services, which may be the same.
        ward.receive(.services(.strap, services), at: 200)
        ward.receive(value(0, [149], at: 152), at: 200)
        let inspection = try #require(ward.state.inspection)
        #expect(inspection.lastValues(of: 0).map { $0.octets[0] } == (50..<150).reversed().map { UInt8($0) })
        #expect(inspection.lastValues(of: 1).map(\.octets) == [[9]])

        for count in 0..<400 {
            ward.receive(
                value(count % 2, [UInt8](repeating: 7, count: 512), at: 300 + Double(count)), at: 300 + Double(count))
        }
        let long = try #require(ward.state.inspection)
        #expect((long.lastValues(of: 0) + long.lastValues(of: 1)).count == (64 << 10) / 513)
        ward.receive(.services(.otherStrap, services), at: 800)
        #expect(ward.state.inspection?.lastValues(of: 0).isEmpty == true)
    }

    @Test("an inspected sensor has what it advertises before and after its services are known")
    func advertised() {
        var ward = Ward()
        let data = AdvertisedData(services: ["180D"], transmitPower: 4)
        ward.receive(.advertised(.strap, data), at: 1)
        #expect(ward.state.inspection?.advertised == data)
        ward.receive(.services(.strap, [SensorService(uuid: "180D", characteristics: [])]), at: 2)
        #expect(ward.state.inspection?.advertised == data)
        #expect(ward.state.inspection?.services.count == 1)
        ward.receive(.advertised(.otherStrap, AdvertisedData()), at: 3)
        #expect(ward.state.inspection?.address == SensorIdentity.otherStrap.address)
        #expect(ward.state.inspection?.services.isEmpty == true)
    }
}
