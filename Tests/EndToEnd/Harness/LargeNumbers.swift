extension Screen {
    /// The large number of a vital, as it is read across the room: digits, dots and dashes, such as "36.8" or "--".
    ///
    /// - Parameter title: What stands in the rule above the number, such as "HEART RATE".
    /// - Returns: The number, empty when the vital or its number is not there.
    func largeNumber(of title: String) -> String {
        guard let rule = lines.firstIndex(where: { $0.contains(title) && "╭├".contains($0.first ?? " ") }) else {
            return ""
        }
        let below = cells[(rule + 1)...].prefix { !"├╰".contains($0.first?.text ?? "├") }
        let rows = below.map { row in row.map { Character($0.text.isEmpty ? " " : $0.text) } }
        let height = LargeShapes.height
        guard rows.count >= height else { return "" }
        // The number stands somewhere between the two rules; the place where most is read is its own.
        let readings = (0...(rows.count - height)).map { read(Array(rows[$0..<($0 + height)])) }
        return readings.max { $0.count < $1.count } ?? ""
    }

    private func read(_ rows: [[Character]]) -> String {
        var found = ""
        var column = 0
        while column < columns {
            if let shape = LargeShapes.all.first(where: { $0.stands(at: column, in: rows) }) {
                found.append(shape.character)
                column += shape.rows[0].count
            } else {
                column += 1
            }
        }
        return found
    }
}

/// The shape of one character of a large number, in half blocks.
private struct LargeShape {
    let character: Character
    let rows: [[Character]]

    func stands(at column: Int, in screen: [[Character]]) -> Bool {
        rows.indices.allSatisfy { row in
            screen[row].dropFirst(column).starts(with: rows[row])
        }
    }
}

/// The shapes as a screen of 100 × 30 shows them.
private enum LargeShapes {
    static let height = 5

    static let all = digits + [dash, dot]

    private static let digits: [LargeShape] = {
        let rows = [
            "▄█████▄   ▄██   ▄█████▄ ▄█████▄    ▄██  ███████  ▄████  ███████ ▄█████▄ ▄█████▄",
            "██   ██  ▀▀██   ▀▀   ██ ▀▀   ██  ▄█▀██  ██      ██          ▄█▀ ██   ██ ██   ██",
            "██   ██    ██     ▄▄██▀   ████  ██  ██  ██████▄ ██████▄    ▄█▀   █████  ▀██████",
            "██   ██    ██   ▄█▀▀    ▄▄   ██ ███████ ▄▄   ██ ██   ██   ▄█▀   ██   ██      ██",
            "▀█████▀  ██████ ███████ ▀█████▀     ██  ▀█████▀ ▀█████▀   ██    ▀█████▀  ████▀ ",
        ].map(Array.init)
        return (0...9).map { digit in
            LargeShape(character: Character("\(digit)"), rows: rows.map { Array($0[(digit * 8)..<(digit * 8 + 7)]) })
        }
    }()

    private static let dash = LargeShape(
        character: "-", rows: ["     ", "     ", "█████", "     ", "     "].map(Array.init))
    private static let dot = LargeShape(
        character: ".", rows: ["    ", "    ", "    ", "    ", " ██ "].map(Array.init))
}
