import Testing
import VitalDecoders

@Suite("Bluetooth UUIDs")
struct BluetoothUUIDTests {
    @Test(
        "short and long forms of a UUID of the Bluetooth SIG are the same",
        arguments: [
            "2A37", "2a37", "0x2A37", "0X2a37", "00002A37-0000-1000-8000-00805F9B34FB",
            "00002a37-0000-1000-8000-00805f9b34fb", "00002a3700001000800000805f9b34fb",
        ])
    func short(text: String) throws {
        let uuid = try #require(BluetoothUUID(text))
        #expect(uuid == BluetoothUUID(0x2A37))
        #expect(uuid.description == "2A37")
        #expect(uuid.longDescription == "00002a37-0000-1000-8000-00805f9b34fb")
    }

    @Test("a UUID without a short form prints all of its digits")
    func long() throws {
        let uuid = try #require(BluetoothUUID("00002101-5b1e-4347-b07c-97b514dae121"))
        #expect(uuid.short == nil)
        #expect(uuid.description == "00002101-5B1E-4347-B07C-97B514DAE121")
        #expect(Characteristic.with(uuid: uuid)?.name == "Core Body Temperature")
    }

    @Test(
        "other texts are no UUIDs",
        arguments: [
            "", "2A3", "2A377", "2G37", "0x2A3", "+A37", " 2A37", "2A37 ", "-", "0x", "²A37", "00002A37",
            "00002A37-0000-1000-8000-00805F9B34F", "00002A370000-1000-8000-00805F9B34FB-", "0x0x2A37",
            "00002A37-0000-1000-8000-00805F9B34FBA", "0x00002A37-0000-1000-8000-00805F9B34FB",
        ])
    func invalid(text: String) {
        #expect(BluetoothUUID(text) == nil)
    }
}
