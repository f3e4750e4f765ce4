import TextGrid

// What a trend has in each cell, in each set of characters.
extension TrendGraph {
    // MARK: Braille

    /// The dots of the line in each column: the lowest and the highest level, joined with the column before.
    private func dotLevels(columns: Int, levels: Int) -> [ClosedRange<Int>?] {
        let skipped = spans.count - columns
        var previous: ClosedRange<Int>?
        return (0..<columns).map { column in
            let index = column + skipped
            guard index >= 0, let span = spans[index] else {
                previous = nil
                return nil
            }
            var low = level(span.low, of: levels)
            var high = level(span.high, of: levels)
            let own = low...high
            if let previous, !breaks.contains(index) {
                // Connected with the previous column, so that a step is a line and not two dots.
                if previous.upperBound < low { low = previous.upperBound + 1 }
                if previous.lowerBound > high { high = previous.lowerBound - 1 }
            }
            previous = own
            return low...high
        }
    }

    func brailleParts(columns: Int, rows: Int) -> [Part?] {
        let top = rows * 4 - 1
        let lines = dotLevels(columns: columns * 2, levels: rows * 4)
        let glow = glow(rows: rows)
        var parts = [Part?](repeating: nil, count: columns * rows)
        let lowestRows = (0..<columns).map { cell in
            [lines[cell * 2], lines[cell * 2 + 1]].compactMap { $0.map { (top - $0.lowerBound) / 4 } }.max()
        }
        for cell in 0..<columns {
            let sides = [lines[cell * 2], lines[cell * 2 + 1]]
            let near = lowestRows[max(0, cell - TrendGlow.width)...min(columns - 1, cell + TrendGlow.width)]
            guard let own = lowestRows[cell], let lowest = near.compactMap(\.self).max() else { continue }
            let lowestRow = min(lowest, own + 1)
            // Beside a gap nothing glows, which would make it narrower.
            let isWhole = glow.reach > 0 && sides.allSatisfy { $0 != nil }
            for row in 0...min(rows - 1, lowestRow + glow.reach) {
                var (line, below): (UInt8, UInt8) = (0, 0)
                for (column, levels) in sides.enumerated() {
                    guard let levels else { continue }
                    for dot in 0..<4 {
                        let level = top - row * 4 - dot
                        if levels.contains(level) { line |= Self.brailleDot(column: column, row: dot) }
                        if level < levels.lowerBound { below |= Self.brailleDot(column: column, row: dot) }
                    }
                }
                let depth = line == 0 ? max(1, row - lowestRow) : 0
                if !isWhole { below = 0 }
                if depth > 0 { below &= glow.dots(at: depth) }
                guard line | below != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(line | below)) else { continue }
                parts[row * columns + cell] = Part(scalar: scalar, depth: depth)
            }
        }
        return parts
    }

    /// The bit of a dot in a braille pattern (Unicode, block 2800: dots 1-2-3-7 on the left, 4-5-6-8 on the right).
    static func brailleDot(column: Int, row: Int) -> UInt8 {
        switch (column, row) {
        case (0, 0): 0x01
        case (0, 1): 0x02
        case (0, 2): 0x04
        case (0, _): 0x40
        case (_, 0): 0x08
        case (_, 1): 0x10
        case (_, 2): 0x20
        default: 0x80
        }
    }

    // MARK: Blocks

    func blockParts(columns: Int, rows: Int) -> [Part?] {
        let skipped = spans.count - columns
        let glow = glow(rows: rows)
        var parts = [Part?](repeating: nil, count: columns * rows)
        for column in 0..<columns {
            let index = column + skipped
            guard index >= 0, let span = spans[index] else { continue }
            let low = level(span.low, of: rows * 8)
            let high = level(span.high, of: rows * 8)
            // The most important value is shown to an eighth of a cell; the values in between are solid.
            let exact = favoursLow ? low : high
            for cell in 0...high / 8 {
                let depth = max(0, low / 8 - cell)
                let block: Unicode.Scalar? =
                    cell == exact / 8
                    ? Unicode.Scalar(0x2581 + UInt32(exact % 8)) : depth == 0 ? "█" : glow.block(at: depth)
                guard let block else { continue }
                parts[(rows - 1 - cell) * columns + column] = Part(scalar: block, depth: depth)
            }
        }
        return parts
    }

    // MARK: ASCII

    func asciiParts(columns: Int, rows: Int) -> [Part?] {
        let marks: [Unicode.Scalar] = rows == 1 ? ["_", ".", "-", "=", "#"] : [".", "-", "'"]
        let skipped = spans.count - columns
        let glow = glow(rows: rows)
        var parts = [Part?](repeating: nil, count: columns * rows)
        for column in 0..<columns {
            let index = column + skipped
            guard index >= 0, let span = spans[index] else { continue }
            let low = level(span.low, of: rows * marks.count)
            let high = level(span.high, of: rows * marks.count)
            let shown = favoursLow ? low : high
            for cell in low / marks.count...high / marks.count {
                let mark = cell == shown / marks.count ? marks[shown % marks.count] : "|"
                parts[(rows - 1 - cell) * columns + column] = Part(scalar: mark)
            }
            for depth in stride(from: 1, through: min(glow.reach, low / marks.count), by: 1) {
                guard let character = glow.character(at: depth, cell: column) else { continue }
                parts[(rows - 1 - low / marks.count + depth) * columns + column] = Part(
                    scalar: character, depth: depth)
            }
        }
        return parts
    }
}

/// The glow below the line of a trend: its own dots, which fade with the distance and end before they mean anything.
///
/// It makes the line easy to find and its gaps easy to see. It is not an area: its lower edge has no value.
struct TrendGlow {
    /// How many cells below the line it reaches.
    let reach: Int

    /// Where the line is a row lower within this many cells on either side, it fades from there, so that little of it changes
    /// while the trend moves.
    static let width = 2

    /// The glow in a graph of a height: none where the line needs all rows.
    init(rows: Int) {
        reach = rows <= 2 ? 0 : rows <= 4 ? 2 : 5
    }

    /// The dots of a braille cell that are left at a distance, in cells below the line from 1.
    ///
    /// - Returns: 0 for no glow.
    func dots(at depth: Int) -> UInt8 {
        guard depth <= reach else { return 0 }
        switch depth {
        case ...3: return 0xFF
        case 4: return 0x95
        default: return 0x21
        }
    }

    /// The block at a distance.
    func block(at depth: Int) -> Unicode.Scalar? {
        guard depth <= reach else { return nil }
        return depth == 1 ? "▓" : depth == 2 ? "▒" : "░"
    }

    /// The character of ASCII at a distance.
    func character(at depth: Int, cell: Int) -> Unicode.Scalar? {
        guard depth <= min(reach, 3) else { return nil }
        return depth < 3 ? ":" : cell.isMultiple(of: 2) ? "." : nil
    }
}
