import Base

/// The form of configuration files before TOML, in which a word needed no quotes and a number could begin with zeros.
enum OldForm {
    /// The same file as TOML, with every comment; `nil` when there is nothing of the old form in it.
    ///
    /// Lines that are not of either form stay as they are, so that what is wrong in them is reported.
    static func upgraded(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        var result: [Unicode.Scalar] = []
        for line in scalars.split(separator: "\n", omittingEmptySubsequences: false) {
            result += upgraded(line: line)
            result.append("\n")
        }
        result.removeLast()
        return result == scalars ? nil : result
    }

    private static func upgraded(line: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
        let unchanged = Array(line)
        var scanner = TOMLScanner(unchanged)
        scanner.skipBlanks()
        guard !scanner.consume(while: TOMLScanner.isName).isEmpty else { return unchanged }
        scanner.skipBlanks()
        guard scanner.consume("=") else { return unchanged }
        scanner.skipBlanks()
        let start = scanner.offset
        let word = scanner.consume { ![" ", "\t", "\r", "#"].contains($0) }
        let end = scanner.offset
        scanner.skipBlanks()
        guard scanner.isAtLineEnd || scanner.next == "#", let literal = literal(word) else { return unchanged }
        return unchanged[..<start] + Array(literal.unicodeScalars) + unchanged[end...]
    }

    /// A value as TOML has it; `nil` when it is TOML already, or no value of the old form.
    private static func literal(_ word: String) -> String? {
        if word.isEmpty || word == "true" || word == "false" { return nil }
        if let number = ExactDecimal(word) {
            return (try? TOMLNumber.value(word)) == nil ? number.text : nil
        }
        guard word.unicodeScalars.allSatisfy({ TOMLScanner.isName($0) || $0 == "." || $0 == ":" }) else { return nil }
        return ConfigurationValue.quoted(word)
    }
}
