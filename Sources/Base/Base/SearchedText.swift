// Searches text without `_StringProcessing`, whose regular expressions make the program a tenth larger.
extension Substring {
    /// The first occurrence of a text, by bytes; `nil` without one, or for an empty text.
    package func firstPlace(of text: String) -> Range<Index>? {
        guard let first = text.utf8.first else { return nil }
        var rest = utf8
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: text.utf8) { return start..<utf8.index(start, offsetBy: text.utf8.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension String {
    /// The first occurrence of a text, by bytes; `nil` without one, or for an empty text.
    package func firstPlace(of text: String) -> Range<Index>? { self[...].firstPlace(of: text) }

    /// Whether a text occurs; an empty one occurs everywhere.
    package func holds(_ text: String) -> Bool { text.isEmpty || firstPlace(of: text) != nil }

    /// The text with each occurrence of another text replaced by a third.
    package func exchanging(_ text: String, for other: String) -> String {
        var result = ""
        var rest = self[...]
        while let place = rest.firstPlace(of: text) {
            result += rest[..<place.lowerBound]
            result += other
            rest = rest[place.upperBound...]
        }
        return result + rest
    }
}

extension String {
    /// The text with a capital at its beginning, as a sentence has it.
    package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
