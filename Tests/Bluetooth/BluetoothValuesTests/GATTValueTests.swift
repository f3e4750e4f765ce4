import BluetoothValues
import Testing

@Suite("Values of characteristics")
struct GATTValueTests {
    private func expectSame<Value: GATTValue & Equatable>(_ value: Value, _ octets: [UInt8]) throws {
        #expect(value.gattOctets == octets)
        #expect(try Value(gatt: octets) == value)
    }

    @Test("numbers travel with the least octet first, and come back the same")
    func numbers() throws {
        try expectSame(UInt8(0xFE), [0xFE])
        try expectSame(UInt16(0x1234), [0x34, 0x12])
        try expectSame(Int16(-2), [0xFE, 0xFF])
        try expectSame(UInt32(0x0102_0304), [4, 3, 2, 1])
        try expectSame(Int8(-1), [0xFF])
        try expectSame(UInt64.max, [UInt8](repeating: 0xFF, count: 8))
        try expectSame(Int64.min, [0, 0, 0, 0, 0, 0, 0, 0x80])
    }

    @Test("texts are UTF-8, truths one octet, octets themselves")
    func others() throws {
        try expectSame("Grüße 🫀", Array("Grüße 🫀".utf8))
        try expectSame("", [])
        try expectSame(true, [1])
        try expectSame(false, [0])
        try expectSame([1, 2, 3] as [UInt8], [1, 2, 3])
    }

    @Test("octets that are not a value are refused in a sentence")
    func refused() {
        #expect(throws: GATTDecodingError("Expected 2 octets for a number, but 1 came.")) { try UInt16(gatt: [1]) }
        #expect(throws: GATTDecodingError("Expected 1 octet for a number, but 0 came.")) { try UInt8(gatt: []) }
        #expect(throws: GATTDecodingError.self) { try Bool(gatt: [2]) }
        #expect(throws: GATTDecodingError.self) { try String(gatt: [0xFF, 0xFE]) }
    }
}
