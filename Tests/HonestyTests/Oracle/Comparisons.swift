/// Finds comparisons of two numbers in a text, such as "38.04 °C > 38.0", and works them out.
enum Comparisons {
    /// The first comparison that is false as it is written.
    static func firstFalse(in text: String) -> String? {
        let words = text.split(separator: " ").map(String.init)
        for (index, word) in words.enumerated() where [">", "<", "≥", "≤"].contains(word) {
            guard index + 1 < words.count, let right = number(words[index + 1]) else { continue }
            // "1 of 3 · ≥ 38.0 for 2 of 60 min": the number before the point belongs to another fact.
            if index > 0, words[index - 1] == "·" { continue }
            // A unit may stand between.
            let before = [index - 1, index - 2].filter { $0 >= 0 }.lazy.compactMap { number(words[$0]) }.first
            guard let left = before, !isTrue(left, word, right) else { continue }
            return "\(left) \(word) \(right)"
        }
        return nil
    }

    private static func isTrue(_ left: Double, _ relation: String, _ right: Double) -> Bool {
        switch relation {
        case ">": left > right
        case "<": left < right
        case "≥": left >= right
        default: left <= right
        }
    }

    private static func number(_ word: String) -> Double? {
        Double(word.replacing("−", with: "-").filter { !"(),".contains($0) })
    }
}
