import BluetoothValues
import Testing

@Suite("Hexadecimal octets")
struct HexadecimalTests {
    @Test(
        "pairs of digits may have spaces, tabs, colons and dashes between them",
        arguments: [
            ("", []), ("164d", [0x16, 0x4D]), ("16 4D", [0x16, 0x4D]), ("16:4d", [0x16, 0x4D]),
            ("16-4D", [0x16, 0x4D]),
            (" 16\t 4D ", [0x16, 0x4D]), ("0x164D", [0x16, 0x4D]), ("00", [0]), ("fF", [255]),
        ] as [(String, [UInt8])])
    func valid(text: String, octets: [UInt8]) throws {
        #expect(try Hexadecimal.octets(text.utf8) == octets)
    }

    @Test("a digit that stands alone is refused", arguments: ["1", "164", "1 6", "16 4", "1:64D", "0x1"])
    func half(text: String) {
        #expect(throws: Hexadecimal.ParsingError.halfOctet) { try Hexadecimal.octets(text.utf8) }
    }

    @Test("other characters are refused", arguments: ["16 4G", "16,4D", "16\n", "é", "0y16", "16 0x4D"])
    func other(text: String) {
        #expect(throws: Hexadecimal.ParsingError.notHexadecimal) { try Hexadecimal.octets(text.utf8) }
    }

    @Test("octets print as pairs with a space between them")
    func print() {
        #expect(Hexadecimal.text([0, 0x0A, 0xFF]) == "00 0A FF")
        #expect(Hexadecimal.text([]) == "")
    }
}
