@testable import Dashboard

extension Screen {
    /// The large number of a vital, as it is read across the room: digits, dots and dashes, such as "36.8" or "--".
    ///
    /// - Parameter title: What stands in the rule above the number, such as "HEART RATE".
    /// - Returns: The number, empty when the vital or its number is not there.
    func largeNumber(of title: String) -> String {
        let lines = lines
        guard let rule = lines.firstIndex(where: { $0.contains(title) && "╭├".contains($0.first ?? " ") }) else {
            return ""
        }
        let below = cells[(rule + 1)...].prefix { !"├╰".contains($0.first?.text ?? "├") }
        let rows = below.map { row in row.map { Character($0.text.isEmpty ? " " : $0.text) } }
        for size in LargeShapes.sizes.reversed() where size.height <= rows.count {
            for top in 0...(rows.count - size.height) {
                let number = size.read(Array(rows[top..<(top + size.height)]))
                if !number.isEmpty { return number }
            }
        }
        return ""
    }
}

/// The shapes of one size of large digits, as the program draws them.
private struct LargeShapes {
    let height: Int
    private let shapes: [(character: Character, rows: [[Character]])]

    /// All sizes that fit into a screen of the tests, the smallest first.
    static let sizes: [LargeShapes] = (3...12).map { rows in
        LargeShapes(BigDigits.fitting("188.8", columns: 200, rows: rows, glyphs: .braille))
    }

    private init(_ size: BigDigits) {
        height = size.rows
        shapes = "0123456789-.".map { character in
            let text = String(character)
            var grid = Grid(columns: size.columns(of: text), rows: size.rows, isASCII: false)
            size.draw(text, .plain, in: grid.area, on: &grid)
            let rows = (0..<size.rows).map { row in
                let drawn = Array(grid.text(row: row))
                return drawn + Array(repeating: " ", count: grid.columns - drawn.count)
            }
            return (character, rows)
        }
    }

    /// Reads from left to right; what is no digit is passed over.
    func read(_ rows: [[Character]]) -> String {
        var found = ""
        var column = 0
        while column < rows[0].count {
            let shape = shapes.first { shape in
                shape.rows.indices.allSatisfy { rows[$0].dropFirst(column).starts(with: shape.rows[$0]) }
            }
            if let shape { found.append(shape.character) }
            column += shape?.rows[0].count ?? 1
        }
        return found
    }
}
