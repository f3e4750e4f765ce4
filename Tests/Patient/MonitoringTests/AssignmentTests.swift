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
}
