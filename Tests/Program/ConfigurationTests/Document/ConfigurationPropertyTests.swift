import Base
import TestSupport
import Testing

@testable import Configuration

/// Makes files that are right in every way that the format allows, and some that are not.
private struct FileGenerator {
    var random: SeededGenerator

    mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }

    mutating func file() -> String {
        let ending = pick(["\n", "\r\n"])
        var text = ""
        for line in 0..<Int.random(in: 0...12, using: &random) { text += self.line(line) + ending }
        return text + pick(["", "# no end of line"])
    }

    mutating func line(_ number: Int) -> String {
        let blank = pick(["", " ", "\t", "   "])
        let comment = pick(["", "", " # c = 1", "#[x]", "\t# é 💓"])
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return blank
        case 1: return blank + "# comment \(number)"
        case 2: return "\(blank)[\(blank)section\(number)\(pick(["", ".sub", " . sub-2"]))\(blank)]\(comment)"
        default: return "\(blank)key\(number)\(blank)=\(blank)\(value())\(comment.isEmpty ? "" : " ")\(comment)"
        }
    }

    mutating func value() -> String {
        pick([
            "1", "-2.50", "+0.1", "1_000", "true", "false", "07:30:00", "1e-3", "\"\"", "\"a # b\"",
            #""\" \\ \u00E9""#,
            "'it''s'".replacing("''", with: ""), "'# ]'", "[]", "[ \"a\" , 'b', ]", "[\"]\", \"#\"]",
        ])
    }
}

@Suite("Properties of the document")
struct ConfigurationPropertyTests {
    @Test("what is read is printed as it was, and all of these files can be read")
    func identity() throws {
        var generator = FileGenerator(random: SeededGenerator(seed: 1))
        for _ in 0..<2000 {
            let file = generator.file()
            let document = try ConfigurationDocument(file)
            #expect(Array(document.text.utf8) == Array(file.utf8))
        }
    }

    @Test("random bytes are refused or printed as they were, and never crash")
    func anything() {
        var random = SeededGenerator(seed: 2)
        let alphabet = Array("ab=[].\"'\\#, \t\n\r0-9é:u{}".utf8) + [0xC3, 0xFF, 0x00]
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            guard let document = try? ConfigurationDocument(bytes: bytes) else { continue }
            #expect(Array(document.text.utf8) == bytes)
        }
    }

    @Test("a value that is set is there, every other one and every comment stays")
    func setting() throws {
        var generator = FileGenerator(random: SeededGenerator(seed: 3))
        for _ in 0..<2000 {
            let before = try ConfigurationDocument(generator.file())
            var after = before
            let target = before.entries.randomElement(using: &generator.random)
            let (section, key) = (target?.section ?? "new.section", generator.pick([target?.key ?? "k", "added"]))
            let value = generator.pick([
                ConfigurationValue.text("é \"\\ \n\u{1}"), .number(ExactDecimal(significand: -385, decimals: 1)),
                .boolean(true), .texts(["a", "]"]),
            ])
            after.set(key, in: section, to: value, comment: ["why"])
            let read = try ConfigurationDocument(after.text)
            #expect(read == after)
            #expect(read.value(of: key, in: section) == value)
            for entry in before.entries where entry.key != key || entry.section != section {
                #expect(read.value(of: entry.key, in: entry.section) == entry.value)
            }
            let rest = Set(after.text.unicodeScalars.split(separator: "\n").map(String.init))
            for line in before.text.unicodeScalars.split(separator: "\n").map(String.init)
            where line.drop(while: { $0 == " " || $0 == "\t" }).first == "#" {
                #expect(rest.contains(line) || rest.contains(line + "\r"))
            }
        }
    }
}
