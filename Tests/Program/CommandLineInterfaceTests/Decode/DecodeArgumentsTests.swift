import Testing
import VitalDecoders

@testable import CommandLineInterface

@Suite("Arguments of bedside decode")
struct DecodeArgumentsTests {
    private func parse(_ words: [String]) throws -> DecodeArguments {
        try DecodeArguments(try CommandLineArguments(parsing: ["decode"] + words))
    }

    @Test("a UUID and octets are one request, and octets may be several arguments")
    func one() throws {
        let request = try DecodeRequest(uuid: "2A37".utf8, hexadecimal: "164D".utf8)
        #expect(request.uuid == BluetoothUUID(0x2A37))
        #expect(request.octets == [0x16, 0x4D])
        #expect(try parse(["2A37", "164D"]).task == .one(request))
        #expect(try parse(["0x2a37", "16", "4D"]).task == .one(request))
        #expect(try parse(["2A37", "16:4D"]).task == .one(request))
    }

    @Test("two dashes ask for lines from standard input")
    func lines() throws {
        #expect(try parse(["-", "-"]).task == .lines)
        #expect(try parse(["--e2e-crc", "yes", "-", "-"]).context.endToEndCRC == true)
        #expect(try parse(["-", "-", "--e2e-crc=no"]).context.endToEndCRC == false)
        #expect(try parse(["-", "-", "--explain"]).explains)
    }

    @Test(
        "arguments that cannot be used are named",
        arguments: [
            ([], "a UUID and octets are missing"), (["2A37"], "octets are missing after the UUID"),
            (["2A37", "-"], "to read lines from standard input, both the UUID and the octets must be -"),
            (["-", "00"], "to read lines from standard input, both the UUID and the octets must be -"),
            (["--list", "2A37"], "--list takes no UUID and no octets"),
            (["2A37", "1"], "the octets must be pairs of hexadecimal digits, and one digit stands alone"),
            (["--e2e-crc", "maybe", "2AA7", "00"], "--e2e-crc must be yes or no, not 'maybe'"),
            (["--foo"], "there is no option '--foo'"),
            (["2AA7", "00", "--e2e-crc"], "the option --e2e-crc needs a value: --e2e-crc ANSWER"),
        ])
    func unusable(words: [String], reason: String) {
        let error = #expect(throws: UsageError.self) { try parse(words) }
        #expect(error?.description == "\(reason) (see bedside decode --help)")
    }
}
