extension FileMutator {
    /// Numbers, words and marks that a reader of texts might not expect.
    private static let tokens: [String] = [
        "1e999", "-1e999", "9223372036854775808", "-9223372036854775809", "99999999999999999999999", "1e-999",
        "0x8000000000000000",
        "0.1e18", "-0", "NaN", "Infinity", "-Infinity", "1e18h", "9223372036854775807ms", "null", "true", "[]", "{}",
        "\"\"", "''",
        "\\u0000", "\\uD800", "\u{0}", "\u{1B}[2J", "\u{202E}", "\u{FEFF}", "\r", "\n\n", "/*", "//", "#", "=", "[",
        "]", "{", "}",
        "\"", "'", ",", ":", "9999-99-99", "-1", "0", "25:61", "100000000000000000000%",
    ]

    /// A text with some changes: octets, whole words and numbers, lines, and depths and lengths that nobody needs.
    mutating func text(_ file: [UInt8]) -> [UInt8] {
        if below(3) == 0 { return damaged(file) }
        var octets = file
        for _ in 0...below(4) { change(&octets) }
        return octets
    }

    private mutating func change(_ octets: inout [UInt8]) {
        guard !octets.isEmpty else { return }
        switch below(6) {
        case 0, 1, 2: replaceWord(&octets, with: Array(one(of: Self.tokens).utf8))
        case 3: moveLine(&octets)
        case 4:
            let deep = one(of: ["[", "{\"a\":", "[[", "(", "{", "\"\\"])
            octets.insert(contentsOf: String(repeating: deep, count: 1 << below(15)).utf8, at: below(octets.count))
        default:
            let long = one(of: ["9", "a", " ", "心", "0.", "-"])
            replaceWord(&octets, with: Array(String(repeating: long, count: 1 << below(14)).utf8))
        }
    }

    /// Replaces the word or number around some place.
    private mutating func replaceWord(_ octets: inout [UInt8], with word: [UInt8]) {
        let (numbers, letters) = (UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"))
        func isWord(_ octet: UInt8) -> Bool { numbers.contains(octet) || letters.contains(octet) || octet == 0x2E }
        let wantsNumber = below(2) == 0
        let place = below(octets.count)
        let start = octets[place...].firstIndex { wantsNumber ? numbers.contains($0) : isWord($0) } ?? place
        let end = octets[start...].firstIndex { !isWord($0) } ?? octets.count
        octets.replaceSubrange(start..<max(start, end), with: word)
    }

    /// Copies or moves a line to another place.
    private mutating func moveLine(_ octets: inout [UInt8]) {
        var lines = octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        let place = below(lines.count)
        let line = below(2) == 0 ? lines[place] : lines.remove(at: place)
        lines.insert(line, at: below(lines.count + 1))
        octets = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }
}
