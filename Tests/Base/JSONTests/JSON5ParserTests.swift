import Base
import Testing
import TestSupport

@testable import JSON

@Suite("JSON5")
struct JSON5ParserTests {
    private static func text(_ value: JSON5Value) -> String {
        switch value.content {
        case .null: "null"
        case .boolean(let isTrue): "\(isTrue)"
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .string(let text): "'\(text)'"
        case .array(let elements): "[" + elements.map { Self.text($0) }.joined(separator: " ") + "]"
        case .object(let members):
            "{" + members.map { "\($0.name):\(Self.text($0.value))" }.joined(separator: " ") + "}"
        }
    }

    @Test(
        "everything that JSON5 adds to JSON is read",
        arguments: [
            ("null", "null"), ("true", "true"), (" [1, 2, 3,] ", "[1 2 3]"), ("{}", "{}"), ("[]", "[]"),
            (
                "{unquoted: 1, 'single': 2, \"double\": 3, $dollar_: 4, größe: 5,}",
                "{unquoted:1 single:2 double:3 $dollar_:4 größe:5}"
            ),
            ("// a comment\n/* another\n * one */ 7 // and one more", "7"),
            (
                "[+1, -1, .5, 5., 1e3, 1E-2, 0x1F, -0XfF, 0, -0.25]",
                "[1 -1 0.5 5.0 1000.0 0.01 31 -255 0 -0.25]"
            ),
            ("[Infinity, -Infinity, NaN]", "[inf -inf nan]"),
            (#"'it\'s \x41 \u00e9 \uD83D\uDE00 \n\t\\ \/ \q'"#, "'it's A é 😀 \n\t\\ / q'"),
            ("'one \\\ntwo'", "'one two'"), ("'\u{2028}'", "'\u{2028}'"), ("\u{FEFF}1", "1"),
            ("// a comment\u{2028}1", "1"), ("1//", "1"),
            ("[0x7FFFFFFFFFFFFFFF, 0x8000000000000000]", "[\(Int64.max) 9.223372036854776e+18]"),
            ("[9007199254740993, -9223372036854775808]", "[9007199254740993 -9223372036854775808]"),
            ("[9223372036854775808, 1234567890123456789012]", "[9.223372036854776e+18 1.2345678901234568e+21]"),
            ("\u{00A0}1\u{2003}", "1"), ("{a: {b: [{c: null}]}}", "{a:{b:[{c:null}]}}"),
        ])
    func values(text: String, expected: String) throws {
        #expect(Self.text(try JSON5Parser.parse(text)) == expected)
    }

    @Test(
        "a mistake is reported with its line, its column and what is wrong",
        arguments: [
            ("", 1, 1, "expected a value, found the end of the file"),
            ("{a: 1", 1, 6, "expected ',' or '}', found the end of the file"),
            ("[1\n 2]", 2, 2, "expected ',' or ']', found '2'"),
            ("{a 1}", 1, 4, "expected ':' after 'a', found '1'"),
            ("{1: 2}", 1, 2, "expected a name, found '1'"),
            ("{a: 1,\n a: 2}", 2, 2, "'a' is given twice"),
            ("yes", 1, 1, "expected a value, found the word 'yes'"),
            ("'open", 1, 1, "a string is not closed"), ("'a\nb'", 1, 1, "a string is not closed"),
            ("/* open", 1, 1, "a comment is not closed"), ("1 2", 1, 3, "expected the end of the file, found '2'"),
            ("[1.2.3]", 1, 2, "'1.2.3' is no number"), ("012", 1, 1, "'012' is no number"),
            ("0x", 1, 1, "'0x' is no number"), ("-", 1, 2, "expected a number, found the end of the file"),
            ("1_000", 1, 1, "'1_000' is no number"), ("Infinite", 1, 1, "'Infinite' is no number"),
            (#"'\xZ1'"#, 1, 4, "expected 2 hexadecimal digits, found 'Z'"),
            (#"'\uDC00'"#, 1, 8, "a surrogate stands alone"),
            ("\u{1B}", 1, 1, "expected a value, found a control character"),
            ("\r\n\r#", 3, 1, "expected a value, found '#'"),
        ])
    func mistakes(text: String, line: Int, column: Int, reason: String) {
        #expect(throws: JSON5Error(position: TextPosition(line: line, column: column), reason: reason)) {
            try JSON5Parser.parse(text)
        }
    }

    private static let strictTexts: [(text: String, expected: String)] = [
        (" [1, -2, 0, -0, 0.5, 1e3, 1E-2, 1.5e+2]\r\n\t", "[1 -2 0 0 0.5 1000.0 0.01 150.0]"),
        (
            #"{"a": "\" \\ \/ \b\f\n\r\t\u00e9\ud83d\ude00\u007F", "": null}"#,
            "{a:'\" \\ / \u{8}\u{C}\n\r\té😀\u{7F}' :null}"
        ),
        ("[true, false, {}, [], \"'//é\u{2028}\"]", "[true false {} [] ''//é\u{2028}']"),
    ]

    @Test("JSON is read by the same rules where it is strict", arguments: strictTexts)
    func strict(text: String, expected: String) throws {
        #expect(Self.text(try JSON5Parser.parse(text, .json)) == expected)
        #expect(Self.text(try JSON5Parser.parse(text)) == expected)
    }

    @Test(
        "what JSON5 adds is refused where JSON is strict",
        arguments: [
            "[1,]", "{\"a\":1,}", "{a:1}", "{'a':1}", "'a'", "+1", ".5", "5.", "5.e1", "0x1F", "Infinity", "-Infinity",
            "NaN", "-NaN", "// a\n1", "/**/1", "1//", "\u{FEFF}1", "\u{A0}1", "\u{B}1", "\"\t\"", "\"\\x41\"",
            "\"\\'\"", "\"\\v\"", "\"\\0\"", "\"a\\\nb\"", "{\"a\":1,\"a\":2}", "01", "-01", "-", "1e", "1e5.5", "",
        ])
    func strictMistakes(text: String) {
        #expect(throws: JSON5Error.self) { try JSON5Parser.parse(text, .json) }
    }

    @Test("a text that is not UTF-8 is refused where the first such byte stands")
    func encoding() {
        #expect(
            throws: JSON5Error(position: TextPosition(line: 2, column: 3), reason: "the text is not UTF-8")
        ) {
            try JSON5Parser.parse(Array("[\n'é".utf8) + [0xC3, 0x28])
        }
        #expect(throws: JSON5Error.self) { try JSON5Parser.parse([0x22, 0xED, 0xA0, 0x80, 0x22], .json) }
    }

    @Test("an accessor gives what a value is, and nothing of another kind")
    func accessors() throws {
        let value = try JSON5Parser.parse("{a: 'x', b: [1, 2.5, 3e0], c: true, d: null, e: 9007199254740993}")
        #expect(value["a"]?.text == "x")
        #expect(value["b"]?.elements?.map(\.whole) == [1, nil, 3])
        #expect(value["b"]?.elements?.map(\.number) == [1, 2.5, 3])
        #expect(value["c"]?.boolean == true)
        #expect(value["d"]?.isNull == true)
        #expect(value["e"]?.whole == 9_007_199_254_740_993)
        #expect(value["f"] == nil && value["a"]?["a"] == nil && value.text == nil && value["a"]?.whole == nil)
        #expect(value["a"]?.number == nil && value["a"]?.boolean == nil && value["a"]?.elements == nil)
        #expect(value["c"]?.isNull == false && value["d"]?.members == nil)
    }

    @Test("a name is given once, also in an object of many members")
    func repeatedNames() throws {
        let members = (0..<100_000).map { "k\($0):\($0)" }.joined(separator: ",")
        #expect(try JSON5Parser.parse("{\(members)}").members?.count == 100_000)
        for name in ["k0", "k15", "k16", "k99999"] {
            #expect(throws: JSON5Error.self) { try JSON5Parser.parse("{\(members),\(name):1}") }
        }
    }

    @Test("a value knows where it begins")
    func positions() throws {
        guard case .object(let members) = try JSON5Parser.parse("{\n  a: 1,\n  /* x */ 'b':\n    [2],\n}").content
        else {
            Issue.record("no object")
            return
        }
        #expect(members.map(\.namePosition) == [TextPosition(line: 2, column: 3), TextPosition(line: 3, column: 11)])
        #expect(members.map(\.value.position) == [TextPosition(line: 2, column: 6), TextPosition(line: 4, column: 5)])
    }

    @Test("lists within lists are bounded, and no text crashes the parser")
    func hostileTexts() {
        let deep = String(repeating: "[", count: 100_000)
        for syntax in [JSON5Parser.Syntax.json, .json5] {
            #expect(throws: JSON5Error.self) { try JSON5Parser.parse(deep, syntax) }
        }
        let letters = Array("{}[]:,'\"\\/*\n0x1eE+-.INau\u{0}\u{2028}é")
        var noise = SeededGenerator(seed: 5)
        var strictCount = 0
        for number in 0..<3000 {
            let text = String((0...number % 24).compactMap { _ in letters.randomElement(using: &noise) })
            // Either is right; only a crash is not. What JSON allows, JSON5 reads the same way.
            let value = try? JSON5Parser.parse(text)
            if let strict = try? JSON5Parser.parse(text, .json) {
                strictCount += 1
                #expect(strict == value)
            }
            _ = try? JSON5Parser.parse((0..<24).map { _ in UInt8.random(in: .min ... .max, using: &noise) })
        }
        #expect(strictCount > 5)
    }
}
