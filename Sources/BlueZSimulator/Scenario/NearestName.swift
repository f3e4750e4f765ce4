/// Finds what somebody meant who wrote a word wrong.
enum NearestName {
    /// The nearest of the names, or `nil` when none is near.
    static func of(_ word: String, among names: [String]) -> String? {
        let word = Array(word.lowercased().unicodeScalars.prefix(64))
        let nearest = names.map { ($0, distance(word, Array($0.lowercased().unicodeScalars))) }.min { $0.1 < $1.1 }
        guard let nearest, nearest.1 <= max(1, word.count * 2 / 5) else { return nil }
        return nearest.0
    }

    /// How many letters must be inserted, removed or changed (Levenshtein).
    private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
        var row = Array(0...second.count)
        for (index, scalar) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in second.enumerated() {
                let changed = diagonal + (scalar == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, row[column] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
