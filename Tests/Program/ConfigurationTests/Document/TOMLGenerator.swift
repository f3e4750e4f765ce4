import TestSupport

/// Makes files in TOML with everything that the format has, and damages them.
struct TOMLGenerator {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// A file; most are valid, some define a name twice.
    mutating func file() -> String {
        let ending = pick(["\n", "\n", "\r\n"])
        var lines: [String] = []
        for _ in 0..<number(0...9) {
            lines.append(line())
        }
        return lines.map { $0.replacing("\n", with: ending) + ending }.joined() + pick(["", "", "# no end of line"])
    }

    private mutating func line() -> String {
        let (blank, comment) = (pick(["", "", " ", "\t"]), pick(["", "", " # c = 1", "#[x]", "\t# é 💓\u{85}"]))
        switch number(0...9) {
        case 0: return blank
        case 1: return blank + "# comment"
        case 2, 3: return "\(blank)[\(blank)\(key())\(blank)]\(comment)"
        case 4: return "\(blank)[[\(key())]]\(comment)"
        default: return "\(blank)\(key())\(blank)=\(blank)\(value(3))\(comment)"
        }
    }

    private mutating func key() -> String {
        let part = ["a", "b", "c", "d", "x-1", "7", "\"q \\u00E9\"", "'l.\"'", "\"\"", "\"a\""]
        var key = pick(part)
        while number(0...2) == 0 { key += pick([".", " . "]) + pick(part) }
        return key
    }

    private mutating func value(_ depth: Int) -> String {
        switch number(0...(depth > 0 ? 8 : 5)) {
        case 0: return pick(Self.integers)
        case 1: return pick(Self.fractions)
        case 2: return pick(["true", "false"])
        case 3: return pick(Self.times)
        case 4, 5: return text()
        case 6, 7:
            let space = pick(["", " ", "\n", " # in a list, ]\n"])
            let values = (0..<number(0...3)).map { _ in value(depth - 1) }
            return "[\(space)" + values.joined(separator: "\(space),")
                + (values.isEmpty ? "" : pick(["", ",", "\(space), "]))
                + "\(space)]"
        default:
            let members = (0..<number(0...3)).map { _ in "\(key()) = \(value(depth - 1))" }
            return "{\(pick(["", " "]))" + members.joined(separator: pick([",", " , "])) + "\(pick(["", " "]))}"
        }
    }

    private mutating func text() -> String {
        let content = (0..<number(0...5)).map { _ in
            pick([
                "a", "é", "💓", " ", "#", "]", #"\n"#, #"\""#, #"\\"#, #"\u0041"#, #"\U0001F493"#, #"\b\t\f\r"#, "'",
                "\t",
            ])
        }.joined()
        switch number(0...5) {
        case 0, 1: return "\"\(content)\""
        case 2: return "'\(content.replacing("'", with: ""))'"
        case 3: return "'''\(pick(["", "\n"]))\(content.replacing("'", with: "\n"))\(pick(["", "'", "''"]))'''"
        default:
            return
                "\"\"\"\(pick(["", "\n"]))\(content)\(pick(["", "\n", "\\\n  \n x", "\\  \n"]))\(pick(["", "\"", "\"\""]))\"\"\""
        }
    }

    /// A file with one to three scalars that are replaced, added, removed or doubled.
    mutating func damaged() -> String {
        var scalars = Array(file().unicodeScalars)
        let others = Array("ab=[].\"'\\#, \t\n\r0-9é:u{}_+xeTZ\u{0}\u{7F}".unicodeScalars)
        for _ in 0..<number(1...3) where !scalars.isEmpty {
            let index = number(0...(scalars.count - 1))
            switch number(0...3) {
            case 0: scalars[index] = pick(others)
            case 1: scalars.insert(pick(others), at: index)
            case 2: scalars.remove(at: index)
            default: scalars.insert(scalars[index], at: index)
            }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    private static let integers = [
        "0", "+0", "-17", "1_000", "0xDEAD_beef", "0o755", "0b1101", "9223372036854775807", "-9223372036854775808",
        "01", "1__0", "_1", "1_", "0x", "-0x1", "+", "--1",
    ]
    private static let fractions = [
        "0.0", "-0.0", "3.1415", "+1.0", "1e06", "-2E-2", "6.626e-34", "inf", "-inf", "nan", "+nan", "9_224.617",
        "1234567890.123456789", "1.", ".7", "1.e3", "1e", "01.5", "1._0", "infinity", "0.1e5", "1e400",
    ]
    private static let times = [
        "1979-05-27T07:32:00Z", "1979-05-27 07:32:00-07:00", "1979-05-27t00:32:00.999999z", "1979-05-27",
        "2024-02-29", "2023-02-29", "07:32:00", "00:32:00.5", "24:00:00", "07:32", "1979-05-27T07:32:00.1234567+01:30",
        "1979-13-01", "1979-05-27 # not a time", "1979-05-27T", "07:32:60",
    ]
}
