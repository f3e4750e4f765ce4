import Appearance
import Base
import TextGrid
import Wording

/// The view of a missing measurement: a word as large as the number in its place, and beside it the duration, the
/// reason, the remedy, and the last value.
struct MissingView {
    let missing: VitalPanel.Missing
    let glyphs: GlyphSet

    /// The preferred width of the text beside the word, before the word becomes wider than the number.
    private static let textColumns = 30

    /// Draws word and text, outlined if something is wrong.
    ///
    /// Nothing is filled, however large it is: that is for alarms about the patient.
    ///
    /// - Parameters:
    ///   - size: The size of the number that is replaced.
    ///   - places: The areas of the number and of the content beside or below it.
    ///   - keepsGraph: Whether there is a graph, which keeps the rows that the text leaves.
    /// - Returns: The rows of the text; all if no graph fits below it.
    func draw(size: BigDigits, in places: VitalPlaces, keepsGraph: Bool, on grid: inout Grid) -> Int {
        let isBeside = places.content.row == places.digits.row
        // A field is at the right of the text; without one, the digits are at its left.
        let isField = isBeside && !places.field.isEmpty
        var text = places.content
        var place = isField ? places.field.inset(left: 1, right: 1) : places.digits
        let more = size.columns(of: missing.word) - place.columns
        let taken = isBeside ? min(max(0, more), max(0, text.columns - Self.textColumns)) : 0
        if taken > 0 {
            // The gap beside the text stays.
            text = isField ? text.inset(right: taken) : text.inset(left: taken)
            place = isField ? place.inset(left: -taken) : place.inset(right: -taken)
        }
        let lines = self.lines(columns: text.columns, rows: text.rows)
        let graphRows = text.rows - lines.count
        let isGraphKept = keepsGraph && graphRows >= (missing.isBanner ? 3 : 2) && taken == 0
        if isGraphKept {
            let rows = isBeside ? lines.count : text.row + lines.count - places.whole.row
            let used = places.whole.inset(bottom: places.whole.rows - rows)
            // The word is as high as the whole, at the one side or at the other.
            drawLeftSide(of: isField || !isBeside ? used : places.whole, on: &grid)
            drawRightSide(of: isField ? places.whole : used, on: &grid)
        } else {
            drawOutline(around: places.whole, on: &grid)
        }
        let word = size.size(forWord: missing.word, columns: place.columns)
        let spare = max(0, place.columns - word.columns(of: missing.word))
        word.draw(
            missing.word, missing.style,
            in: place.inset(
                left: isField ? 0 : isBeside ? spare : spare / 2, top: max(0, (place.rows - word.rows) / 2)),
            on: &grid)
        put(lines, in: text, on: &grid)
        return isGraphKept ? lines.count : text.rows
    }

    /// Draws the sides of the outline of an area, if something is wrong; its title is the top.
    func drawOutline(around area: Area, on grid: inout Grid) {
        drawLeftSide(of: area, on: &grid)
        drawRightSide(of: area, on: &grid)
    }

    private func drawRightSide(of area: Area, on grid: inout Grid) {
        guard missing.isBanner, area.columns >= 2 else { return }
        for row in 0..<area.rows {
            grid.putRight(glyphs.sides.right, Style(missing.style.role), in: area.line(row))
        }
    }

    private func drawLeftSide(of area: Area, on grid: inout Grid) {
        guard missing.isBanner else { return }
        for row in 0..<area.rows { grid.put(glyphs.sides.left, Style(missing.style.role), in: area.line(row)) }
    }

    /// Draws only the text.
    func drawText(in area: Area, on grid: inout Grid) {
        put(lines(columns: area.columns, rows: area.rows), in: area, on: &grid)
    }

    private func put(_ lines: [String], in area: Area, on grid: inout Grid) {
        let plain = Style(missing.style.role, missing.style.attributes.subtracting(.bold))
        for (row, line) in lines.enumerated() {
            grid.put(line, row == 0 ? missing.style : plain, in: area.line(row))
        }
    }

    /// The lines that fit, in the fullest text: duration, reason, remedy, last value.
    func lines(columns: Int, rows: Int) -> [String] {
        guard rows > 0, columns > 0 else { return [] }
        let remedy = missing.remedy.isEmpty ? nil : "\(glyphs.arrow) \(missing.remedy)"
        let calm = [missing.title, missing.remedy].filter { !$0.isEmpty }.joined(separator: glyphs.dot)
        if !missing.isBanner, missing.last == nil, columnWidth(of: calm) <= columns { return [calm] }
        let heads = missing.isBanner ? self.heads(columns: columns) : [[missing.title], [missing.shortTitle]]
        let rest = [remedy, missing.last].compactMap { $0 }
        // The last value is omitted before the remedy, and both before the reason.
        for kept in [rest, rest.filter { $0 == remedy }, []] {
            for head in heads {
                let lines = (head + kept).flatMap { wrapped($0, columns: columns, glyphs: glyphs) }
                if lines.count <= rows { return lines }
            }
            if kept.count == 1, rows >= 2, let head = heads.last, head.allSatisfy({ columnWidth(of: $0) <= columns }) {
                return head + [ellipsized(kept[0], columns: columns, glyphs: glyphs)]
            }
        }
        let short = [heads.last?[0] ?? "", missing.shortTitle, missing.word].first {
            !$0.isEmpty && columnWidth(of: $0) <= columns
        }
        return [short ?? ellipsized(missing.shortTitle, columns: columns, glyphs: glyphs)]
    }

    /// The missing measurement, its duration and reason.
    private func heads(columns: Int) -> [[String]] {
        let dot = glyphs.dot
        let shortest = "\(missing.shortTitle) \(missing.duration)"
        return [
            ["NO MEASUREMENT \(missing.duration)", missing.title],
            ["NO MEASUREMENT \(missing.duration)\(dot)\(missing.title)"],
            ["\(missing.duration)\(dot)\(missing.title)"],
            // The duration is not broken.
            columnWidth(of: shortest) <= columns ? [shortest] : [missing.shortTitle, missing.duration],
        ]
    }
}
