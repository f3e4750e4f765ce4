import Glibc
import Vitals

/// A form of typed text: an extended regular expression of the C library (`regex(7)`).
///
/// Its matcher is in every process; Swift's own would make the program a tenth larger.
package final class TextForm: @unchecked Sendable {
    // `@unchecked Sendable`: it never changes after its initialisation, and threads may match with it at the same time
    // (`regexec(3)`: MT-Safe).
    private let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)

    /// Compiles an expression, which takes thirty times as long as matching with it: forms are static.
    ///
    /// - Parameter expression: The expression for the whole text; groups count from 1, by their opening parentheses.
    package init(_ expression: String) {
        compiled.initialize(to: regex_t())
        guard regcomp(compiled, "^(\(expression))$", REG_EXTENDED) == 0 else {
            preconditionFailure("\(expression) is no regular expression")
        }
    }

    deinit {
        regfree(compiled)
        compiled.deallocate()
    }

    /// The groups of a text that has this form, the whole text first; `nil` for any other text.
    ///
    /// A group that took no part is `nil`.
    package func groups(of text: String) -> [Substring?]? {
        // The C library reads up to the first zero.
        if text.utf8.contains(0) { return nil }
        var places = [regmatch_t](repeating: regmatch_t(), count: compiled.pointee.re_nsub + 1)
        guard regexec(compiled, text, places.count, &places, 0) == 0 else { return nil }
        // The group around the expression is the whole again.
        return places.dropFirst().map { place in
            guard place.rm_so >= 0 else { return nil }
            let octets = text.utf8
            let start = octets.index(octets.startIndex, offsetBy: Int(place.rm_so))
            return text[start..<octets.index(start, offsetBy: Int(place.rm_eo - place.rm_so))]
        }
    }
}

/// The texts of values in the lines of `bedside watch --json`.
enum WatchText {
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
