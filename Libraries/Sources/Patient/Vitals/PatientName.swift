/// Patient identifier, safe as a folder name.
///
/// For example `bed-12`, or initials. An unsafe name is refused, never changed.
public struct PatientName: Hashable, Sendable, CustomStringConvertible {
    /// The name as it was given.
    public let text: String

    /// The name as it was given.
    public var description: String { text }

    /// The greatest length in bytes of UTF-8, limited by folder names and socket paths.
    public static let byteLimit = 48

    /// The rule for names, for help and configuration.
    public static let rule =
        "letters, digits, spaces and - _ . ' within, \(byteLimit) bytes at most, and begins with a letter or a digit"

    /// Checks a name.
    ///
    /// - Returns: `nil` if it does not follow ``rule``.
    public init?(_ text: String) {
        guard (1...Self.byteLimit).contains(text.utf8.count), let first = text.unicodeScalars.first,
            Self.isAlphanumeric(first), text.unicodeScalars.allSatisfy(Self.isAllowed), text.last != " ",
            text.last != "."
        else { return nil }
        self.text = text
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        if " -_.'".unicodeScalars.contains(scalar) { return true }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark: return true
        default: return isAlphanumeric(scalar)
        }
    }

    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
        default: false
        }
    }
}
