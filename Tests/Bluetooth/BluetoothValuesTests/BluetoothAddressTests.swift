import BluetoothValues
import Testing

@Suite("Bluetooth addresses")
struct BluetoothAddressTests {
    @Test("an address is printed as BlueZ writes it", arguments: ["C0:52:49:00:00:01", "c0:52:49:00:00:01"])
    func roundTrip(text: String) throws {
        let address = try #require(BluetoothAddress(text))
        #expect(address.rawValue == 0xC052_4900_0001)
        #expect(address.description == "C0:52:49:00:00:01")
    }

    @Test("leading zeros are kept")
    func zeros() throws {
        #expect(BluetoothAddress(rawValue: 1).description == "00:00:00:00:00:01")
        #expect(BluetoothAddress(rawValue: .max).description == "FF:FF:FF:FF:FF:FF")
    }

    @Test(
        "a text that is no address is refused",
        arguments: [
            "", "C0:52:49:00:00", "C0:52:49:00:00:0", "C0:52:49:00:00:01:", "C0-52-49-00-00-01", "C05249000001",
            "G0:52:49:00:00:01", "C0:52:49:00:00:011", ":C0:52:49:00:00:1", String(repeating: "C0:", count: 50_000),
        ])
    func refused(text: String) {
        #expect(BluetoothAddress(text) == nil)
    }
}
