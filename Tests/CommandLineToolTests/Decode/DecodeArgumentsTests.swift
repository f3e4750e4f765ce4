import Testing
import VitalDecoders

@testable import CommandLineTool

@Suite("Arguments of bedside decode")
struct DecodeArgumentsTests {
    @Test("a UUID and octets are one request, and octets may be several arguments")
    func one() throws {
        let request = try DecodeRequest(uuid: "2A37".utf8, hexadecimal: "164D".utf8)
        #expect(request.uuid == BluetoothUUID(0x2A37))
        #expect(request.octets == [0x16, 0x4D])
        #expect(try DecodeArguments(["2A37", "164D"]).task == .one(request))
        #expect(try DecodeArguments(["0x2a37", "16", "4D"]).task == .one(request))
        #expect(try DecodeArguments(["2A37", "16:4D"]).task == .one(request))
    }

    @Test("two dashes ask for lines from standard input")
    func lines() throws {
        #expect(try DecodeArguments(["-", "-"]).task == .lines)
        #expect(try DecodeArguments(["--e2e-crc", "yes", "-", "-"]).context.endToEndCRC == true)
        #expect(try DecodeArguments(["-", "-", "--e2e-crc=no"]).context.endToEndCRC == false)
        #expect(try DecodeArguments(["-", "-", "--explain"]).explains)
    }

    @Test(
        "arguments that cannot be used are named",
        arguments: [
            ([], "a UUID and octets are missing"), (["2A37"], "octets are missing after the UUID"),
            (["2A37", "-"], "to read lines from standard input, both the UUID and the octets must be -"),
            (["-", "00"], "to read lines from standard input, both the UUID and the octets must be -"),
            (["--foo"], "there is no option --foo"), (["--list", "2A37"], "--list takes no UUID and no octets"),
            (["2A37", "1"], "the octets must be pairs of hexadecimal digits, and one digit stands alone"),
            (["--e2e-crc", "maybe", "2AA7", "00"], "--e2e-crc must be yes or no"),
            (["2AA7", "00", "--e2e-crc"], "--e2e-crc must be yes or no"),
        ])
    func unusable(arguments: [String], reason: String) {
        #expect(throws: DecodeArguments.Problem(reason: reason)) { try DecodeArguments(arguments) }
    }
}
