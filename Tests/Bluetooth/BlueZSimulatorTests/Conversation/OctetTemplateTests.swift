import JSON
import Testing
import VitalDecoders

@testable import BlueZSimulator

@Suite("Templates of octets")
struct OctetTemplateTests {
    private static func template(_ text: String) throws -> OctetTemplate {
        let scenario = try Scenario(
            json5: """
                {sensors: [{
                  name: 'S', address: 'C0:52:49:00:00:02', kind: 'generic', quantities: { glucose: 204, systolic: 120 },
                  services: [{ uuid: 'FFE0', characteristics: [{ uuid: 'FFE1', flags: ['notify'], value: '\(text)' }] }],
                  conversation: [{ subscribed: 'FFE1', saves: { challenge: '01 02' } }],
                }]}
                """, file: "test")
        return try #require(scenario.sensors[0].services[0].characteristics[0].values.first)
    }

    private static func filling(_ request: [UInt8] = []) -> TemplateFilling {
        let quantities = [
            "glucose": 204.0, "systolic": 120, "pulseRate": 200, "seconds": 5_730_698, "temperature": -1.5,
        ]
        return TemplateFilling(
            request: request, saved: ["challenge": [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]],
            identifier: "123456", seconds: 0,
            time: DateTime(year: 2026, month: 1, day: 2, hour: 3, minute: 4, second: 5),
            quantityAt: { name, _ in quantities[name] ?? 0 }, random: { [UInt8](repeating: 7, count: $0) })
    }

    @Test(
        "places are filled in as the vectors of the protocols are",
        arguments: [
            // O2Ring's poll, with its CRC-8.
            ("AA 17 E8 00 00 00 00 {crc8}", "AA17E8000000001B"),
            // A value of a CGM sensor with E2E-CRC, and one with a falling trend.
            ("08 00 {sfloat systolic} 0A 00 {e2e-crc}", "080078000A00C56B"),
            ("0A 01 78 00 0A 00 {sfloat temperature*10 e-1} {e2e-crc}", "0A0178000A00F1FFD597"),
            // Glucose of a G5, and its authentication.
            ("31 00 68 0A 00 00 {u32 seconds} {u16 glucose} 06 FF {crc16}", "3100680A00008A715700CC0006FFC42A"),
            ("03 {dexcom-hash {saved challenge}}", "03E60D4A7999B0FBB2"),
            // A blood pressure's time, and 204 mg/dL as kilograms a litre.
            ("{time}", "EA070102030405"), ("{sfloat glucose e-5}", "CCB0"),
            // A checksum that leaves out the first octet.
            ("FE 0A 55 {sum 1}", "FE0A555F"),
            // Numbers of every shape, at their bounds, and a pulse of 200 in a BCI packet.
            ("{u8 glucose*2} {i8 glucose-404}", "FF80"), ("{u16be glucose} {u24 glucose}", "00CCCC0000"),
            ("{u8 pulseRate>>1&64|5} {u8 pulseRate&127}", "4548"), ("{text OK} {random 2}", "4F4B0707"),
            ("{request 1..3} {request 4}", "0102040506"),
        ])
    func vectors(template: String, octets: String) throws {
        let filled = try Self.template(template).octets(Self.filling([0, 1, 2, 3, 4, 5, 6]))
        #expect(filled.map { Hexadecimal.text(UInt64($0), digits: 2) }.joined() == octets)
    }

    @Test(
        "a pattern fits to octets, to any octet, to the rest and to what its places are now",
        arguments: [
            ("F0", [0xF0], true), ("F0", [0xF0, 1], false), ("D1 ..", [0xD1, 5], true), ("D1 ..", [0xD1], false),
            ("01 *", [1], true), ("01 *", [1, 2, 3], true), ("01 *", [2], false),
            ("04 {dexcom-hash {saved challenge}}", [4, 0xE6, 0x0D, 0x4A, 0x79, 0x99, 0xB0, 0xFB, 0xB2], true),
            ("04 {dexcom-hash {saved challenge}}", [4, 0xE6, 0x0D, 0x4A, 0x79, 0x99, 0xB0, 0xFB, 0xB3], false),
            ("AA {crc8}", [0xAA, 0x5F], true), ("AA {crc8}", [0xAA, 0x5E], false),
        ] as [(String, [UInt8], Bool)])
    func patterns(pattern: String, octets: [UInt8], fits: Bool) throws {
        let node = ScenarioNode(value: try JSON5Parser.parse("'\(pattern)'"), field: "", file: "test")
        #expect(try OctetTemplateReader.pattern(node).matches(octets, Self.filling()) == fits)
    }

    @Test("a Libre's memory has the checksums of the facts, and its newest value where its index says")
    func libreMemory() {
        let octets = LibreImage.octets(now: 600) { 100 + $0 / 60 }
        #expect(octets.count == 344 && octets[0] == 0x22 && octets[1] == 0x48)
        #expect(Int(octets[316]) | Int(octets[317]) << 8 == 5010)
        let place = 28 + 6 * ((Int(octets[26]) + 15) % 16)
        let raw = Double(Int(octets[place]) | Int(octets[place + 1]) << 8)
        #expect((raw * 117.647 / 1000).rounded() == 110)
    }
}
