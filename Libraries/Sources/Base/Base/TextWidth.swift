/// The width of a text on a terminal in columns.
///
/// Follows Unicode Standard Annex 11: wide and full-width characters have two columns, combining marks none, all others
/// (including ambiguous ones) one.
public func columnWidth(of text: String) -> Int {
    var columns = 0
    for scalar in text.unicodeScalars {
        columns += scalar.columns
    }
    return columns
}

extension Unicode.Scalar {
    /// The width of the character on a terminal: 0 for a combining mark, 2 for a wide character, otherwise 1.
    ///
    /// Characters that are replaced before they are shown (such as control characters) count 1; those that are dropped
    /// (format characters, variation selectors) count 0.
    @inlinable
    public var columns: Int {
        if value < 0x300 { return value == 0xAD ? 0 : 1 }
        if isPlain { return 1 }
        // The vowels and finals of old Hangul combine with the syllable before, though they are letters.
        if (0x1160...0x11FF).contains(value) { return 0 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide ? 2 : 1
        }
    }

    /// Whether this is one of the characters that make up most of the screen, so that no table is needed.
    ///
    /// ASCII, the other letters and signs of Latin scripts, dashes and dots, subscript digits, arrows, minus and other
    /// mathematical signs, box lines, blocks and shapes, suits with the heart, braille: all are visible and one column
    /// wide.
    @inlinable
    public var isPlain: Bool {
        switch value {
        case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF, 0x2010...0x2027, 0x2080...0x208E, 0x2190...0x22FF, 0x2500...0x25FC,
            0x2660...0x2667, 0x2800...0x28FF:
            true
        default: false
        }
    }

    /// A safe replacement for this character on a terminal; `nil` to drop it.
    @inlinable
    public var printable: Unicode.Scalar? {
        if isPlain { return self }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return "\u{FFFD}"
        case .format: return nil
        // Skin tones and variation selectors change the width on some terminals only; without them all terminals agree.
        case .modifierSymbol where (0x1F3FB...0x1F3FF).contains(value): return nil
        case .nonspacingMark where (0xFE00...0xFE0F).contains(value) || value >= 0xE0100: return nil
        default: return self
        }
    }

    /// Whether the character is wide or full-width.
    public var isWide: Bool {
        guard value >= 0x1100 else { return false }
        var low = 0
        var high = wideRanges.count
        while low < high {
            let middle = (low + high) / 2
            if wideRanges[middle].upperBound < value {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < wideRanges.count && wideRanges[low].contains(value)
    }
}

/// The characters that a terminal can show.
public enum GlyphSet: String, CaseIterable, Hashable, Sendable {
    /// All characters, including braille patterns: terminal emulators with a UTF-8 locale.
    case braille
    /// Block elements, no braille: the Linux console and poor fonts.
    case blocks
    /// Only ASCII: other locales and terminals.
    case ascii
}

extension Unicode.Scalar {
    /// What ASCII has for a character that it lacks.
    public var asciiStandIn: Unicode.Scalar {
        switch self {
        case "·", "•": "-"
        case "…": "."
        case "−", "–", "—": "-"
        case "’", "‘": "'"
        case "“", "”": "\""
        default: "?"
        }
    }
}
