import Testing
import VitalDecoders

@Suite("E2E-CRC")
struct EndToEndCRCTests {
    @Test("the checksum of the ASCII digits 1 to 9 is 0x6F91")
    func checkValue() {
        #expect(EndToEndCRC.checksum(Array("123456789".utf8).span) == 0x6F91)
        #expect(EndToEndCRC.checksum([UInt8]().span) == 0xFFFF)
    }
}
