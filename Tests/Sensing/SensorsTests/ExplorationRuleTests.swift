import BlueZ
import DBus
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("What may be tried on a characteristic")
struct ExplorationRuleTests {
    private static func offered(
        _ uuid: String, _ flags: CharacteristicFlags, of service: String, _ kind: SensorKind = .other
    ) throws -> [Exploration.Kind] {
        let service = try #require(BluetoothUUID(service))
        let reference = CharacteristicReference(
            path: .root, uuid: try #require(BluetoothUUID(uuid)), service: service,
            peripheral: try #require(BluetoothAddress("C0:52:49:00:00:08")))
        let characteristic = Characteristic(reference: reference, flags: flags)
        return ExplorationRule(kind: kind, services: [service]).offered(characteristic, of: service)
    }

    @Test("a device that nobody knows is read, subscribed to and written to, as its properties say")
    func stranger() throws {
        #expect(try Self.offered("FFF1", [.read, .notify], of: "FFF0") == [.read, .subscribe, .unsubscribe])
        #expect(
            try Self.offered("FFF2", [.write, .writeWithoutResponse], of: "FFF0") == [.write, .writeWithoutResponse])
        #expect(try Self.offered("FFF3", [.broadcast], of: "FFF0") == [])
    }

    @Test(
        "nothing is written to a control point, nor to a device that measures or treats, whatever Bedside takes it for",
        arguments: [
            // Control points of any device.
            ("2A52", "FFF0", SensorKind.other), ("2AAC", "FFF0", .other), ("2AD9", "1826", .other),
            // Kinds that we read, and their vendors' characteristics.
            ("FFF2", "FFF0", .glucose), ("2102", "2100", .core), ("2A39", "180D", .heartRateStrap),
            // Transmitters by their services, also where their name is not known.
            ("F8083534-849E-531C-C594-30F1F86A4EA5", "F8083532-849E-531C-C594-30F1F86A4EA5", .other),
            ("6E400002-B5A3-F393-E0A9-E50E24DCCA9E", "6E400001-B5A3-F393-E0A9-E50E24DCCA9E", .other),
            ("8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3", "14839AC4-7D7E-415C-9A42-167340CF2339", .other),
            ("B305B680-AEE7-11E1-A730-0002A5D5C51B", "ECBE3980-C9A2-11E1-B1BD-0002A5D5C51B", .other),
            ("FFF2", "FEE8", .other),
        ])
    func controlPoints(uuid: String, service: String, kind: SensorKind) throws {
        let all: CharacteristicFlags = [.read, .notify, .write, .writeWithoutResponse]
        #expect(try Self.offered(uuid, all, of: service, kind) == [.read, .subscribe, .unsubscribe])
    }

    @Test("the clock and the name of a sensor may be written")
    func clock() throws {
        #expect(try Self.offered("2A2B", [.read, .write], of: "1805", .bloodPressure) == [.read, .write])
    }
}
