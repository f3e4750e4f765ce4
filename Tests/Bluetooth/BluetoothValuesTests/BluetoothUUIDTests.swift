import BluetoothValues
import Testing

@Suite("Bluetooth UUIDs")
struct BluetoothUUIDTests {
    @Test(
        "every form of an assigned number is the same identifier",
        arguments: [
            "180d", "180D", "0x180D", "0X180d", "0000180d", "0000180d-0000-1000-8000-00805f9b34fb",
            "0000180D00001000800000805F9B34FB", "0000180d00001000800000805f9b34fb",
        ])
    func forms(text: String) throws {
        let uuid = try #require(BluetoothUUID(text))
        #expect(uuid == BluetoothUUID(0x180D))
        #expect(uuid.assignedNumber == 0x180D)
        #expect(uuid.description == "180D")
        #expect(uuid.fullDescription == "0000180d-0000-1000-8000-00805f9b34fb")
    }

    @Test("a string literal is an identifier, alone and among others")
    func literal() {
        let service: BluetoothUUID = "180D"
        #expect(service == BluetoothUUID(0x180D))
        let services: Set<BluetoothUUID> = ["180D", "0000180d-0000-1000-8000-00805f9b34fb", "180F"]
        #expect(services.count == 2)
        let vendor: BluetoothUUID = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
        #expect(vendor == BluetoothUUID(high: 0x6E40_0001_B5A3_F393, low: 0xE0A9_E50E_24DC_CA9E))
    }

    @Test("a literal that is no identifier ends the program with the reason")
    func wrongLiteral() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let uuid: BluetoothUUID = "180G"
            print(uuid)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("\"180G\" is no Bluetooth UUID; write 4, 8 or 32 hexadecimal digits"))
    }

    @Test("an identifier of a vendor is printed in full")
    func vendor() throws {
        let text = "00004200-f366-40b2-ac37-70cce0aa83b1"
        let uuid = try #require(BluetoothUUID(text))
        #expect(uuid.assignedNumber == nil)
        #expect(uuid.description == "00004200-F366-40B2-AC37-70CCE0AA83B1")
        #expect(uuid.fullDescription == text)
        #expect(BluetoothUUID(high: 0x0000_4200_F366_40B2, low: 0xAC37_70CC_E0AA_83B1) == uuid)
    }

    @Test("a 32-bit number is printed with eight digits")
    func wide() {
        let uuid: BluetoothUUID = "12345678"
        #expect(uuid.assignedNumber == 0x1234_5678)
        #expect(uuid.description == "12345678")
    }

    @Test(
        "a text that is no identifier is refused",
        arguments: [
            "", "180", "180dd", "180g", "0x180", "-180d", "+180", " 180d", "180d ", "-", "0x", "²180", "18-0d",
            "0000180d-0000-1000-8000-00805f9b34f",
            "0000180d-0000-1000-8000-00805f9b34fbb", "0000180d0000-1000-8000-00805f9b34fb",
            "0000180d-0000-1000-800000805f9b34fb-", "0x0x180d", "0x0000180d-0000-1000-8000-00805f9b34fb",
            "{0000180d-0000-1000-8000-00805f9b34fb}", "é80d",
            String(repeating: "0", count: 100_000),
        ])
    func refused(text: String) {
        #expect(BluetoothUUID(text) == nil)
    }

    @Test("identifiers are ordered as they are written")
    func order() {
        #expect(BluetoothUUID(0x1809) < BluetoothUUID(0x180D))
        #expect(BluetoothUUID(0x2A37) > BluetoothUUID(0x180D))
    }
}
