/// Sanitizes a text that came over the air for a terminal, a log or a file name.
///
/// Control characters (C0, DEL, C1), line and paragraph separators, bidirectional controls and other invisible format
/// characters, and unassigned or private code points are replaced by `�` or dropped, and the length is bounded.
///
/// - Parameters:
///   - text: Any text, of any length.
///   - limit: The greatest number of Unicode scalars; a longer text ends with an ellipsis.
public func sanitized(_ text: String, limit: Int = 64) -> String {
    // Nearly all names are plain ASCII, and are shown in each frame.
    if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
        if count == limit {
            result.append("…")
            break
        }
        let isPlain = (0x20...0x7E).contains(scalar.value)
        switch isPlain ? .otherSymbol : scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
            result.append("\u{FFFD}")
        case .format:
            continue
        default:
            result.append(scalar)
        }
        count += 1
    }
    return String(result)
}

/// A text without the spaces at its ends; other blanks stay.
public func withoutOuterSpaces(_ text: some StringProtocol) -> String {
    let start = text.drop { $0 == " " }
    return String(start[..<(start.lastIndex { $0 != " " }.map { start.index(after: $0) } ?? start.startIndex)])
}
