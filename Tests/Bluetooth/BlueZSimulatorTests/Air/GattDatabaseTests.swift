import Testing
import VitalDecoders

@testable import BlueZSimulator

@Suite("The attributes of a sensor")
struct GattDatabaseTests {
    @Test("the handles are those of the sensors that the real bluetoothd was watched with")
    func handles() {
        let database = GattDatabase(of: Scenario.steady.sensors[1])
        let services = database.services.map { "\($0.uuid)@\(String($0.handle, radix: 16))" }
        #expect(services == ["1801@1", "1800@9", "180A@e", "180F@17", "180D@1b"])
        let characteristics = database.services.flatMap(\.characteristics).map {
            "\($0.uuid)@\(String($0.handle, radix: 16))"
                + ($0.configurationHandle.map { "+\(String($0, radix: 16))" } ?? "")
        }
        #expect(
            characteristics == [
                "2A05@2+4", "2B29@5", "2B2A@7", "2A00@a", "2A01@c", "2A29@f", "2A24@11", "2A25@13", "2A26@15",
                "2A19@18+1a", "2A37@1c+1e", "2A38@1f", "2A39@21",
            ])
    }

    @Test("a CORE has its own service besides the thermometer's")
    func core() {
        let database = GattDatabase(of: Scenario.wardEvening.sensors[0])
        let uuids = database.services.flatMap(\.characteristics).map(\.uuid.description)
        #expect(uuids.contains("2A1C"))
        #expect(uuids.contains("00002101-5B1E-4347-B07C-97B514DAE121"))
        #expect(uuids.contains("00002102-5B1E-4347-B07C-97B514DAE121"))
    }

    @Test("an oximeter with a memory has its control point, and announces it and its time stamps")
    func memory() throws {
        let oximeters =
            try Scenario.devices.sensors.filter { $0.kind == .oximeter } + [#require(Scenario.steady.sensors.last)]
        let memories = oximeters.map { sensor in
            let characteristics = GattDatabase(of: sensor).services.first { $0.uuid == BluetoothUUID(0x1822) }?
                .characteristics
            let features = characteristics?.first { $0.uuid == BluetoothUUID(0x2A60) }?.content
            let octets = if case .octets(let octets)? = features { octets } else { [UInt8]() }
            let hasControl = characteristics?.contains { $0.uuid == BluetoothUUID(0x2A52) } == true
            return (hasControl, (octets.first ?? 0) & 0x0C)
        }
        #expect(memories.map(\.0) == [true, false])
        #expect(memories.map(\.1) == [0x0C, 0])
    }
}
