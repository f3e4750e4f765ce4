/// The word among `candidates` that a person most likely meant, or `nil` when none is near.
///
/// Nearness is the Levenshtein distance; more than a third of the word's letters wrong (at least two) is not near.
public func nearestWord(to word: String, among candidates: [String]) -> String? {
    let limit = max(2, word.count / 3)
    let ranked = candidates.map { (distance: editDistance(Array(word), Array($0)), word: $0) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= limit else { return nil }
    return best.word
}

private func editDistance(_ first: [Character], _ second: [Character]) -> Int {
    var previous = Array(0...second.count)
    for (row, left) in first.enumerated() {
        var current = [row + 1]
        for (column, right) in second.enumerated() {
            let substitution = previous[column] + (left == right ? 0 : 1)
            current.append(min(substitution, previous[column + 1] + 1, current[column] + 1))
        }
        previous = current
    }
    return previous[second.count]
}
