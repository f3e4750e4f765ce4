import MonitorLink
import TestSupport
import Testing

/// The form of what one program tells another.
@Suite("Values as lines of JSON")
struct LinkCoderTests {
    private struct Everything: Codable, Hashable {
        var isTrue = true
        var text = "\u{1B}[2J \"ü\" \\ 😀\n"
        var greatest = Int64.max
        var least = Int64.min
        var small = UInt8(255)
        var all = UInt64.max
        var nothing: Int?
        var something: Int? = 3
        var numbers: [Int64] = [1, -2, .max]
        var octets: [UInt8] = [0, 255]
        var none: [String] = []
        var mixed: [Int?] = [1, nil, 3]
        var places: [Int: String] = [7: "seven"]
        var names: [String: Int] = ["seven": 7]
        var length = Duration.milliseconds(-1500)
        var lanes = SIMD8<Int64>(repeating: -5)
        var form = Form.of(3, "x")
    }

    private enum Form: Codable, Hashable {
        case of(Int, String)
        case none
    }

    private struct Half: Codable {
        var half = 0.5
    }

    @Test("come back as they were")
    func everything() throws {
        let line = try LinkCoder.line(Everything())
        #expect(try LinkCoder.value(Everything.self, line) == Everything())
        #expect(line.allSatisfy { $0 >= 0x20 })
        #expect(try LinkCoder.value(Int64.self, LinkCoder.line(Int64.min)) == .min)
    }

    @Test("have no fractions")
    func fractions() {
        #expect(throws: EncodingError.self) { try LinkCoder.line(Half()) }
        #expect(throws: LinkError.self) { try LinkCoder.value(Half.self, #"{"half":0.5}"#.utf8) }
        #expect(throws: EncodingError.self) { try LinkCoder.line(UInt.max) }
    }

    @Test(
        "are refused when they are no JSON",
        arguments: [
            "", "{", "[1,]", "01", "-", "1e3", "9223372036854775808", "tru", "\"\\x\"", "\"\u{1}\"", "{\"a\" 1}", "1 2",
            "\"\\ud800\"", "\"open", "{a:1}", String(repeating: "[", count: 100_000),
        ])
    func mistakes(text: String) {
        #expect(throws: LinkError.self) { try LinkCoder.value(Int64.self, text.utf8) }
    }

    @Test("are refused when they are another value's", arguments: ["{}", "true", "\"1\"", "null", "[1]", "300"])
    func mismatches(text: String) {
        #expect(throws: DecodingError.self) { try LinkCoder.value(UInt8.self, text.utf8) }
    }

    @Test("never crash the reader, whatever octets come")
    func random() throws {
        var generator = SeededGenerator(seed: 3)
        let line = try LinkCoder.line(Everything())
        for _ in 0..<3000 {
            var broken = line
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                broken[Int.random(in: 0..<broken.count, using: &generator)] = .random(
                    in: .min ... .max, using: &generator)
            }
            broken.removeLast(Int.random(in: 0...3, using: &generator))
            _ = try? LinkCoder.value(Everything.self, broken)
        }
    }
}
