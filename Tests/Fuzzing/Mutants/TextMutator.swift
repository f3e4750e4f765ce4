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

    /// A text with some changes: bytes, whole words and numbers, lines, and excessive depths and lengths.
    mutating func text(_ file: [UInt8]) -> [UInt8] {
        if below(3) == 0 { return damaged(file) }
        var bytes = file
        for _ in 0...below(4) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        switch below(6) {
        case 0, 1, 2: replaceWord(&bytes, with: Array(one(of: Self.tokens).utf8))
        case 3: moveLine(&bytes)
        case 4:
            let deep = one(of: ["[", "{\"a\":", "[[", "(", "{", "\"\\"])
            bytes.insert(contentsOf: String(repeating: deep, count: 1 << below(15)).utf8, at: below(bytes.count))
        default:
            let long = one(of: ["9", "a", " ", "心", "0.", "-"])
            replaceWord(&bytes, with: Array(String(repeating: long, count: 1 << below(14)).utf8))
        }
    }

    /// Replaces the word or number around some place.
    private mutating func replaceWord(_ bytes: inout [UInt8], with word: [UInt8]) {
        let (numbers, letters) = (UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"))
        func isWord(_ byte: UInt8) -> Bool { numbers.contains(byte) || letters.contains(byte) || byte == 0x2E }
        let wantsNumber = below(2) == 0
        let place = below(bytes.count)
        let start = bytes[place...].firstIndex { wantsNumber ? numbers.contains($0) : isWord($0) } ?? place
        let end = bytes[start...].firstIndex { !isWord($0) } ?? bytes.count
        bytes.replaceSubrange(start..<max(start, end), with: word)
    }

    /// Copies or moves a line to another place.
    private mutating func moveLine(_ bytes: inout [UInt8]) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        let place = below(lines.count)
        let line = below(2) == 0 ? lines[place] : lines.remove(at: place)
        lines.insert(line, at: below(lines.count + 1))
        bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }
}
