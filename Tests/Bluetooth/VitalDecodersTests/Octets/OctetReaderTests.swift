import Testing
import VitalDecoders

@Suite("Octet reader")
struct OctetReaderTests {
    @Test("every kind of field is read little-endian and written back")
    func everyKind() throws {
        let value = octets(
            "01 02 03 04 05 06 07 08 09 0A FF FE FF 0B 0C 0D 0E 0F 42 0E 00 FE 22 F0 E9 07 03 0A 0E 1E 2D")
        let copy = value
        var reader = OctetReader(copy.span, context: DecodingContext(), log: NoFieldLog())
        #expect(try reader.uint8("a") == 0x01)
        #expect(try reader.uint16("b") == 0x0302)
        #expect(try reader.uint24("c") == 0x060504)
        #expect(try reader.uint32("d") == 0x0A09_0807)
        #expect(try reader.int8("e") == -1)
        #expect(try reader.int16("f") == -2)
        #expect(try reader.uint40("g") == 0x0F_0E0D_0C0B)
        #expect(try reader.float("h").description == "36.5")
        #expect(try reader.shortFloat("i").description == "3.4")
        #expect(try reader.dateTime("j").description == "2025-03-10 14:30:45")
        #expect(reader.remaining == 0)
        #expect(reader.offset == value.count)

        var writer = OctetWriter()
        writer.uint8(0x01)
        writer.uint16(0x0302)
        writer.uint24(0x060504)
        writer.uint32(0x0A09_0807)
        writer.int8(-1)
        writer.int16(-2)
        writer.uint40(0x0F_0E0D_0C0B)
        writer.float(MedicalFloat(bitPattern: 0xFE00_0E42))
        writer.shortFloat(MedicalShortFloat(bitPattern: 0xF022))
        writer.dateTime(DateTime(year: 2025, month: 3, day: 10, hour: 14, minute: 30, second: 45))
        #expect(writer.octets == value)
    }

    @Test("a field that does not fit is malformed at its place, and the reader does not move")
    func truncated() throws {
        let value: [UInt8] = [1, 2]
        var reader = OctetReader(value.span, context: DecodingContext(), log: NoFieldLog())
        _ = try reader.uint8("a")
        #expect(
            throws: MalformedValueError(offset: 1, reason: "the value needs an oxygen level, 1 of 4 octets present")
        ) {
            try OctetReaderTests.readBehind(value)
        }
        #expect(reader.offset == 1)
        #expect(reader.rest("rest") == [2])
    }

    private static func readBehind(_ value: [UInt8]) throws(MalformedValueError) {
        var reader = OctetReader(value.span, context: DecodingContext(), log: NoFieldLog())
        _ = try reader.uint8("a")
        _ = try reader.uint32("oxygen level")
    }

    @Test("a recorder keeps name, format, place and meaning")
    func recorder() throws {
        let value: [UInt8] = [1, 2, 3]
        var reader = OctetReader(value.span, context: DecodingContext(), log: FieldRecorder())
        _ = try reader.uint8("first")
        _ = try reader.uint16("second")
        reader.explain("explained")
        #expect(
            reader.log.records == [
                FieldRecord(name: "first", format: "uint8", offset: 0, count: 1, meaning: "1"),
                FieldRecord(name: "second", format: "uint16", offset: 1, count: 2, meaning: "explained"),
            ])
    }
}
