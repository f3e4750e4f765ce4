/// The most likely intended word for a misspelled one; `nil` when no candidate is near.
///
/// The distance is the number of letters to insert, remove, change or swap with their neighbour (Damerau-Levenshtein),
/// ignoring case: at most two fifths of the letters written, and at least one is allowed. Otherwise a word of three
/// letters or more may abbreviate a candidate: its letters in their order, the first one and more than half of them.
/// Only the first 64 letters are compared.
///
/// - Parameters:
///   - word: The misspelled word.
///   - candidates: The allowed words; of several equally near ones, the first wins.
public func nearestWord(to word: String, among candidates: [String]) -> String? {
    let letters = Array(word.lowercased().unicodeScalars.prefix(64))
    let ranked = candidates.map { ($0, distance(letters, Array($0.lowercased().unicodeScalars))) }
    if let nearest = ranked.min(by: { $0.1 < $1.1 }), nearest.1 <= max(1, letters.count * 2 / 5) { return nearest.0 }
    return candidates.first { isShort(letters, for: Array($0.lowercased().unicodeScalars)) }
}

private func isShort(_ letters: [Unicode.Scalar], for word: [Unicode.Scalar]) -> Bool {
    guard letters.count >= 3, letters.count * 2 > word.count, letters.first == word.first else { return false }
    var rest = letters[...]
    for letter in word where letter == rest.first { rest.removeFirst() }
    return rest.isEmpty
}

private func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
    var (before, row) = ([Int](), Array(0...second.count))
    for (index, scalar) in first.enumerated() {
        var next = [index + 1]
        for (column, other) in second.enumerated() {
            let changed = row[column] + (scalar == other ? 0 : 1)
            var least = min(changed, row[column + 1] + 1, next[column] + 1)
            let areSwapped = index > 0 && column > 0 && scalar == second[column - 1] && other == first[index - 1]
            if areSwapped { least = min(least, before[column - 1] + 1) }
            next.append(least)
        }
        (before, row) = (row, next)
    }
    return row[second.count]
}

// Searches text without `_StringProcessing`, whose regular expressions make the program a tenth larger.
extension Substring {
    /// The first occurrence of a text, by bytes; `nil` without one, or for an empty text.
    public func firstPlace(of text: String) -> Range<Index>? {
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
    public func firstPlace(of text: String) -> Range<Index>? { self[...].firstPlace(of: text) }

    /// Whether a text occurs; an empty one occurs everywhere.
    public func holds(_ text: String) -> Bool { text.isEmpty || firstPlace(of: text) != nil }

    /// The text with each occurrence of another text replaced by a third.
    public func exchanging(_ text: String, for other: String) -> String {
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
    public var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
