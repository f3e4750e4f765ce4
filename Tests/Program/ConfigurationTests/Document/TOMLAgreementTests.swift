import Base
import Foundation
import TestSupport
import Testing

@testable import Configuration

@Suite(
    "Files in TOML, as Python's own reader understands them",
    .enabled(if: PythonScript.isHere(with: "tomllib"), "Python 3.11 or newer is missing"))
struct TOMLAgreementTests {
    private let peer: PythonScript

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        peer = try PythonScript(folder.appending(path: "tomllib_peer.py").path)
    }

    private func hexadecimal(_ text: String) -> String {
        text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// A value in the words of the script.
    private func canonical(_ value: ConfigurationValue) -> String {
        switch value {
        case .text(let text): return "s" + hexadecimal(text)
        case .number(let number) where number.decimals == 0: return "i\(number.significand)"
        case .number(let number): return canonical(Double(number.text) ?? .nan)
        case .float(let number): return canonical(number)
        case .boolean(let isTrue): return isTrue ? "b1" : "b0"
        case .dateTime(let time): return "d" + isoFormat(time.text)
        case .list(let values): return "[" + values.map(canonical).joined(separator: ",") + "]"
        case .table(let table):
            let members = table.members.map { (hexadecimal($0.key), canonical($0.value)) }.sorted { $0.0 < $1.0 }
            return "{" + members.map { "\($0)=\($1)" }.joined(separator: ",") + "}"
        }
    }

    private func canonical(_ number: Double) -> String {
        if number.isNaN { return "fnan" }
        let bits = String(number.bitPattern, radix: 16)
        return "f" + String(repeating: "0", count: 16 - bits.count) + bits
    }

    /// A time as Python writes it: with six digits of a fraction or none.
    private func isoFormat(_ text: String) -> String {
        var text = text.replacing("Z", with: "+00:00")
        guard let dot = text.firstIndex(of: ".") else { return text }
        let digits = text[text.index(after: dot)...].prefix { $0.isNumber }
        let micros = String((digits + "000000").prefix(6))
        text.replaceSubrange(dot..<digits.endIndex, with: micros == "000000" ? "" : "." + micros)
        return text
    }

    private func ours(_ text: String) -> String {
        guard let document = try? ConfigurationDocument(text) else { return "invalid" }
        return canonical(.table(document.root))
    }

    private func theirs(_ text: String) throws -> String { try peer.answer(to: hexadecimal(text)) }

    @Test("random files mean the same to both, or are refused by both")
    func agreement() throws {
        var generator = TOMLGenerator(seed: 11)
        var valid = 0
        for _ in 0..<6000 {
            let file = Bool.random(using: &generator.random) ? generator.file() : generator.damaged()
            let (own, other) = (ours(file), try theirs(file))
            if own != "invalid" { valid += 1 }
            #expect(own == other, "\(file.debugDescription): \(reason(file))")
        }
        // Both kinds are many.
        #expect((1500...4500).contains(valid), "\(valid)")
    }

    private func reason(_ file: String) -> String {
        do {
            _ = try ConfigurationDocument(file)
            return ""
        } catch {
            return error.text(file: "file")
        }
    }

    @Test("what may be defined only once is refused by both")
    func definitions() throws {
        for file in [
            "a = 1\na = 2\n", "[a]\n[a]\n", "a.b = 1\na = 2\n", "a = 1\na.b = 2\n", "[a]\nb.c = 1\n[a.b]\n",
            "[a.b.c]\nz = 9\n[a]\nb.c.t = \"x\"\n", "[a.b.c]\n[a]\nb.x = 1\n[a.b]\n",
            "[a.b.c]\n[a]\nb.x = 1\nb.y = 2\n",
            "a = []\n[[a]]\n", "[[a]]\n[a]\n", "[a]\n[[a]]\n", "[a.b]\n[[a]]\n", "a = {}\n[a.b]\n",
            "a = {b.c = 1}\n[a.b]\n",
            "a = {b = 1, b.c = 2}\n", "a = {b.c = 1, b = 2}\n", "a = {b = {}, b.c = 1}\n", "a = {b.c = 1, b.d = 2}\n",
            "[[a]]\n[a.b]\n[[a]]\n[a.b]\n", "[[a.b]]\n[a]\nb.y = 2\n", "a = [{b = 1}]\n[a.c]\n", "a = {b = 1,}\n",
            "a = {b = 1\n}\n", "[a]\n[a.b]\n[a]\n", "[fruit]\napple.color = 1\n[fruit.apple.taste]\n",
            "\"a\" = 1\na = 2\n",
            "[]\n", "[a.]\n", "[.a]\n", "[ [a]]\n", "[[a] ]\n", "a = 1 b = 2\n", "= 1\n", "a\n", "a =\n",
            "\"\"\"a\"\"\" = 1\n",
            "a = \"\"\"\"\"\"\n", "a = \"\"\"\"\"\"\"\n", "a = \"\"\"\"\"\"\"\"\"\n", "a = ''''''''\n",
            "a = \"\\ud800\"\n",
            "a = \"\"\"x\\ y\"\"\"\n", "a = [1,,2]\n", "a = [,]\n", "a = 1979-05-27 \n", "a = 1979-05-27  07:32:00\n",
        ] {
            #expect(try ours(file) == theirs(file), "\(file)")
        }
    }

    @Test("the default file, and files in which values were set, mean to Python what they mean here")
    func written() throws {
        #expect(try ours(SettingTable.defaultFile) == theirs(SettingTable.defaultFile))
        var generator = TOMLGenerator(seed: 12)
        var changed = 0
        while changed < 1500 {
            guard var document = try? ConfigurationDocument(generator.file()) else { continue }
            let before = document
            let target = document.entries.randomElement(using: &generator.random)
            let section = generator.pick([target?.section ?? "a.b", "a", "", "new.\"sec tion\"", "a.b"])
            let key = generator.pick([target?.key ?? "k", "added", "a key", ""])
            let value = generator.pick([
                ConfigurationValue.text("é \"\\ \n\u{1}\u{7F}\u{85}"),
                .number(ExactDecimal(significand: -385, decimals: 1)), .boolean(true), .texts(["a", "]"]),
                .float(.infinity), .float(1e300), .float(-0.0),
                .list([.table(ConfigurationTable([("x y", .boolean(false))]))]),
            ])
            document.set(key, in: section, to: value, comment: ["why"])
            if document == before { continue }
            changed += 1
            #expect(document.value(of: key, in: section) == value, "\(before.text.debugDescription) \(section) \(key)")
            #expect(try ours(document.text) == theirs(document.text), "\(document.text.debugDescription)")
            for entry in before.entries where entry.key != key || entry.section != section {
                #expect(
                    document.value(of: entry.key, in: entry.section).map(canonical) == canonical(entry.value),
                    "\(document.text.debugDescription)")
            }
        }
    }
}
