import Nights
import Wording

/// A night as a picture of ASCII characters: the saturation with lines at 90 and 88 %, the falls, and what is left out.
struct NightTextPicture {
    private let columns: NightColumns
    private let text: NightText

    /// The columns of the picture, and those of the numbers beside it.
    private static let width = 72, labels = 6

    init(_ part: PatientNight.Part, _ text: NightText) {
        columns = NightColumns(part, count: Self.width)
        self.text = text
    }

    /// The lines, each with its line feed; empty without any saturation.
    func lines() -> String {
        guard let range = columns.saturations else { return "" }
        let step = range.lowerBound < 70 ? 4 : 2
        let bottom = min(86, Int(range.lowerBound) / step * step)
        var lines = stride(from: 100, through: bottom, by: -step).map { line(of: $0, step: step) }
        if columns.columns.contains(where: { $0.fall > 0 }) {
            lines.append(labelled("falls", columns.columns.map { Self.digit(of: $0.fall) }))
        }
        if columns.columns.contains(where: { $0.exclusion != nil }) {
            lines.append(labelled("out", columns.columns.map { $0.exclusion.map { Character($0.letter) } ?? " " }))
        }
        lines.append(axis)
        if let legend { lines.append(String(repeating: " ", count: Self.labels) + legend) }
        return lines.map { trimmed($0) + "\n" }.joined()
    }

    private func line(of value: Int, step: Int) -> String {
        let isLimit = value == 90 || value == 88
        let cells = columns.columns.map { column -> Character in
            guard let range = column.saturation, Int(range.lowerBound) < value + step,
                Int(range.upperBound) >= value
            else { return isLimit ? "-" : " " }
            return "#"
        }
        return labelled("\(value) %", cells)
    }

    /// The depth of a fall in one character.
    private static func digit(of depth: Int) -> Character {
        depth == 0 ? " " : depth < 10 ? Character("\(depth)") : "+"
    }

    private func labelled(_ label: String, _ cells: [Character]) -> String {
        String(repeating: " ", count: max(0, Self.labels - 1 - label.count)) + label + " " + String(cells)
    }

    /// The whole hours below the picture, as many as fit.
    private var axis: String {
        var cells = [Character](repeating: " ", count: Self.width)
        var free = 0
        for hour in text.hours(in: columns.range) {
            guard let column = columns.column(of: hour), column >= free, column + 5 <= Self.width else { continue }
            for (place, character) in text.clock(hour).enumerated() { cells[column + place] = character }
            free = column + 7
        }
        return labelled("", cells)
    }

    /// What the letters mean that are there.
    private var legend: String? {
        let found = NightExclusion.allCases.filter { reason in columns.columns.contains { $0.exclusion == reason } }
        return found.isEmpty ? nil : "out: " + found.map { "\($0.letter) \($0.text)" }.joined(separator: ", ")
    }

    private func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
