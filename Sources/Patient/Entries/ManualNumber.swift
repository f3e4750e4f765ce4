import Base

/// A typed decimal number, with a point or a comma, in exact thousandths.
package struct ManualNumber: Hashable {
    package let thousandths: Int
    /// The typed text.
    package let text: String

    /// Whether it was typed without a separator; 1.000 was not, whatever its value.
    package var isWrittenWhole: Bool { !text.contains { $0 == "." || $0 == "," } }

    /// Whether its separator may also separate thousands, as in 1.250, but not in 0.125 or 1.25.
    package var maySeparateThousands: Bool {
        let parts = text.split { $0 == "." || $0 == "," }
        return parts.count == 2 && parts[1].count == 3 && parts[0].contains { $0 != "0" }
    }

    /// Reads the number at the beginning of a word, and returns it with the rest of the word.
    ///
    /// - Returns: `nil` without a number, or when it has more than seven digits or three decimals.
    package static func read(_ word: String) -> (number: ManualNumber, rest: Substring)? {
        let text = word.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "," }
        guard let number = ExactDecimal(text, .typed(digits: 7, decimals: 3))?.scaled(decimals: 3) else { return nil }
        return (ManualNumber(thousandths: number, text: String(text)), word.dropFirst(text.count))
    }
}
