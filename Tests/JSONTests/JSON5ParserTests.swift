import Testing
import TestSupport

@testable import JSON

@Suite("JSON5")
struct JSON5ParserTests {
    private static func text(_ value: JSON5Value) -> String {
        switch value.content {
        case .null: "null"
        case .boolean(let isTrue): "\(isTrue)"
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
            ("null", "null"), ("true", "true"), (" [1, 2, 3,] ", "[1.0 2.0 3.0]"), ("{}", "{}"), ("[]", "[]"),
            (
                "{unquoted: 1, 'single': 2, \"double\": 3, $dollar_: 4, größe: 5,}",
                "{unquoted:1.0 single:2.0 double:3.0 $dollar_:4.0 größe:5.0}"
            ),
            ("// a comment\n/* another\n * one */ 7 // and one more", "7.0"),
            (
                "[+1, -1, .5, 5., 1e3, 1E-2, 0x1F, -0XfF, 0, -0.25]",
                "[1.0 -1.0 0.5 5.0 1000.0 0.01 31.0 -255.0 0.0 -0.25]"
            ),
            ("[Infinity, -Infinity, NaN]", "[inf -inf nan]"),
            (#"'it\'s \x41 \u00e9 \uD83D\uDE00 \n\t\\ \/ \q'"#, "'it's A é 😀 \n\t\\ / q'"),
            ("'one \\\ntwo'", "'one two'"), ("'\u{2028}'", "'\u{2028}'"), ("\u{FEFF}1", "1.0"),
            ("\u{00A0}1\u{2003}", "1.0"), ("{a: {b: [{c: null}]}}", "{a:{b:[{c:null}]}}"),
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
        #expect(throws: JSON5Error.self) { try JSON5Parser.parse(deep) }
        let letters = Array("{}[]:,'\"\\/*\n0x1eE+-.INau\u{0}\u{2028}é")
        var noise = SeededGenerator(seed: 5)
        for _ in 0..<3000 {
            let text = String((0..<24).compactMap { _ in letters.randomElement(using: &noise) })
            // Either is right; only a crash is not.
            _ = try? JSON5Parser.parse(text)
        }
    }
}
