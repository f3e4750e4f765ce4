import Foundation
import Formats
import JSON
import Testing
import VitalDecoders

@Suite("JSON writer")
struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("objects and arrays nest, with commas between members and elements only")
    func nesting() {
        let result = text { json in
            json.beginObject()
            json.key("a")
            json.beginArray()
            json.integer(1)
            json.beginObject()
            json.endObject()
            json.beginArray()
            json.endArray()
            json.null()
            json.endArray()
            json.key("b")
            json.beginObject()
            json.key("c")
            json.bool(true)
            json.key("d")
            json.bool(false)
            json.endObject()
            json.key("e")
            json.string("")
            json.endObject()
            json.newline()
            json.beginArray()
            json.endArray()
        }
        #expect(result == #"{"a":[1,{},[],null],"b":{"c":true,"d":false},"e":""}"# + "\n[]")
    }

    @Test("whole numbers of every width print all their digits")
    func integers() {
        let result = text { json in
            json.beginArray()
            json.integer(0)
            json.integer(Int8.min)
            json.integer(Int64.min)
            json.integer(UInt64.max)
            json.integer(-1_234_567_890)
            json.endArray()
        }
        #expect(result == "[0,-128,-9223372036854775808,18446744073709551615,-1234567890]")
    }

    @Test("decimals are exact and plain")
    func decimals() {
        let result = text { json in
            json.beginArray()
            json.decimal(DecimalNumber(376, exponent: -1))
            json.decimal(DecimalNumber(1000, exponent: -1))
            json.hundredths(3760)
            json.hundredths(-5)
            json.endArray()
        }
        #expect(result == "[37.6,100,37.6,-0.05]")
    }

    @Test(
        "a string escapes what JSON demands and what could harm a terminal",
        arguments: [
            ("plain", #""plain""#), ("quote \" and \\", #""quote \" and \\""#), ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#),
            ("\u{0}\u{1B}[31m", #""\u0000\u001b[31m""#), ("\u{7F}\u{9B}", #""\u007f\u009b""#),
            ("a\u{202E}b\u{2028}\u{FEFF}", #""a\u202eb\u2028\ufeff""#), ("°C ☃ 🔋", "\"°C ☃ 🔋\""),
            ("\u{E0001}", #""\udb40\udc01""#), ("e\u{301}", "\"e\u{301}\""),
        ])
    func strings(value: String, expected: String) {
        #expect(text { $0.string(value) } == expected)
    }

    @Test("a reader of JSON gets every string back unchanged")
    func roundTrip() throws {
        for first in stride(from: 0, to: 0x11_0000, by: 0x100) {
            let scalars = (first..<first + 0x100).compactMap(Unicode.Scalar.init)
            var original = String.UnicodeScalarView()
            original.append(contentsOf: scalars)
            var json = JSONWriter()
            json.beginArray()
            json.string(String(original))
            json.endArray()
            let parsed = try #require(try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String])
            #expect(parsed.first.map { Array($0.unicodeScalars) } == scalars)
        }
    }

    @Test("a writer that was emptied starts anew")
    func emptied() {
        var json = JSONWriter()
        json.integer(1)
        json.removeAll()
        json.integer(2)
        #expect(json.bytes == Array("2".utf8))
    }

    @Test("fields become an object in which the absent ones are null")
    func fields() {
        let result = text { json in
            json.fields([
                Field("a", .absent), Field("b", .list([.integer(1), .text("x")])), Field("c", .object([])),
                Field("d", .bool(true)), Field("e", .decimal(DecimalNumber(15, exponent: -1))),
            ])
        }
        #expect(result == #"{"a":null,"b":[1,"x"],"c":{},"d":true,"e":1.5}"#)
    }
}
