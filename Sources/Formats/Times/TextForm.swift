import Glibc

/// A form that a typed text may have: an extended regular expression of the C library (`regex(7)`).
///
/// Its matcher is in every process; Swift's own would make the program a tenth larger.
package struct TextForm {
    private let expression: String
    private let groupCount: Int

    /// Keeps an expression; it is compiled when a text is matched.
    ///
    /// - Parameter expression: What the whole text must match; groups count from 1, by their opening parentheses.
    package init(_ expression: String) {
        self.expression = "^(\(expression))$"
        groupCount = expression.utf8.count { $0 == UInt8(ascii: "(") }
    }

    /// The groups of a text that has this form, the whole of it first; `nil` where it has another.
    ///
    /// A group that took no part is `nil`.
    package func groups(of text: String) -> [Substring?]? {
        // The C library reads as far as the first zero.
        if text.utf8.contains(0) { return nil }
        var compiled = regex_t()
        guard regcomp(&compiled, expression, REG_EXTENDED) == 0 else {
            preconditionFailure("\(expression) is no regular expression")
        }
        defer { regfree(&compiled) }
        var places = [regmatch_t](repeating: regmatch_t(), count: groupCount + 2)
        guard regexec(&compiled, text, places.count, &places, 0) == 0 else { return nil }
        return places.dropFirst().map { place in
            guard place.rm_so >= 0 else { return nil }
            let octets = text.utf8
            let start = octets.index(octets.startIndex, offsetBy: Int(place.rm_so))
            return text[start..<octets.index(start, offsetBy: Int(place.rm_eo - place.rm_so))]
        }
    }
}
