/// The word that somebody most likely meant who wrote one wrong, or `nil` when none is near.
///
/// Nearness is how many letters must be inserted, removed or changed (Levenshtein), without regard to case: at most two
/// fifths of those that were written, but one in any case. Only the first 64 letters count.
///
/// - Parameters:
///   - word: What was written.
///   - candidates: What could have been meant; of several that are as near the first.
public func nearestWord(to word: String, among candidates: [String]) -> String? {
    let letters = Array(word.lowercased().unicodeScalars.prefix(64))
    let ranked = candidates.map { ($0, distance(letters, Array($0.lowercased().unicodeScalars))) }
    guard let nearest = ranked.min(by: { $0.1 < $1.1 }), nearest.1 <= max(1, letters.count * 2 / 5) else { return nil }
    return nearest.0
}

private func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
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
