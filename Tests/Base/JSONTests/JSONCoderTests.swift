import JSON
import TestSupport
import Testing

@Suite("Values as lines of JSON")
struct JSONCoderTests {
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
        var bytes: [UInt8] = [0, 255]
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
        let line = try JSONCoder.encode(Everything())
        #expect(try JSONCoder.decode(Everything.self, from: line) == Everything())
        #expect(line.allSatisfy { $0 >= 0x20 })
        #expect(try JSONCoder.decode(Int64.self, from: JSONCoder.encode(Int64.min)) == .min)
    }

    @Test("have no fractions")
    func fractions() {
        #expect(throws: EncodingError.self) { try JSONCoder.encode(Half()) }
        #expect(throws: DecodingError.self) { try JSONCoder.decode(Half.self, from: Array(#"{"half":0.5}"#.utf8)) }
        #expect(throws: EncodingError.self) { try JSONCoder.encode(UInt.max) }
    }

    @Test(
        "are refused when they are no JSON",
        arguments: [
            "", "{", "[1,]", "01", "-", "1e", "tru", "\"\\x\"", "\"\u{1}\"", "{\"a\" 1}", "1 2",
            "\"\\ud800\"", "\"open", "{a:1}", "{\"a\":1,\"a\":2}", String(repeating: "[", count: 100_000),
        ])
    func mistakes(text: String) {
        #expect(throws: JSON5Error.self) { try JSONCoder.decode(Int64.self, from: Array(text.utf8)) }
    }

    @Test(
        "are refused when they are another value's",
        arguments: ["{}", "true", "\"1\"", "null", "[1]", "300", "-1", "1.0"])
    func mismatches(text: String) {
        #expect(throws: DecodingError.self) { try JSONCoder.decode(UInt8.self, from: Array(text.utf8)) }
    }

    @Test("are refused when they are no integers of 64 bits", arguments: ["1e3", "9223372036854775808", "0.5"])
    func numbers(text: String) {
        #expect(throws: DecodingError.self) { try JSONCoder.decode(Int64.self, from: Array(text.utf8)) }
        #expect(throws: DecodingError.self) { try JSONCoder.decode([Int64].self, from: Array("[1,\(text)]".utf8)) }
    }

    @Test("are refused when a part of them is not plausible")
    func plausibility() throws {
        let line = try JSONCoder.encode(Everything())
        let isPlausible = { (value: any Decodable) in !(value is Duration) }
        #expect(throws: DecodingError.self) {
            try JSONCoder.decode(Everything.self, from: line, isPlausible: isPlausible)
        }
        #expect(try JSONCoder.decode([Form].self, from: Array("[]".utf8), isPlausible: isPlausible) == [])
    }

    @Test("are read in linear time, also from an object of many names")
    func manyNames() throws {
        let names = Dictionary(uniqueKeysWithValues: (0..<50_000).map { ("name \($0)", $0) })
        #expect(try JSONCoder.decode([String: Int].self, from: JSONCoder.encode(names)) == names)
    }

    @Test("never crash the reader, whatever bytes come")
    func random() throws {
        var generator = SeededGenerator(seed: 3)
        let line = try JSONCoder.encode(Everything())
        for _ in 0..<3000 {
            var broken = line
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                broken[Int.random(in: 0..<broken.count, using: &generator)] = .random(
                    in: .min ... .max, using: &generator)
            }
            broken.removeLast(Int.random(in: 0...3, using: &generator))
            _ = try? JSONCoder.decode(Everything.self, from: broken)
        }
    }
}
