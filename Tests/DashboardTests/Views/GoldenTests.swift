import TestSupport
import Testing

@testable import Dashboard

/// Pictures of the screen that people have looked at; `BEDSIDE_UPDATE_GOLDEN=1` writes them anew.
@Suite("Golden screens")
struct GoldenTests {
    static let sizes = [(20, 4), (30, 6), (45, 20), (60, 16), (80, 24), (100, 30), (200, 60)]

    @Test("every story looks as it was approved, at every size", arguments: Ward.stories.map(\.name))
    func looksAsApproved(name: String) throws {
        let ward = try #require(Ward.stories.first { $0.name == name }?.ward)
        for (columns, rows) in Self.sizes {
            var picture = ""
            for glyphs in GlyphSet.allCases {
                let grid = ward.drawn(columns, rows, glyphs)
                picture += "== \(glyphs.rawValue)\n" + (0..<rows).map { grid.text(row: $0) + "\n" }.joined()
            }
            try expectGolden(picture, "\(name)-\(columns)x\(rows).txt")
        }
    }

    @Test(
        "with colours and without them the look of the cells is as approved, in every size class",
        arguments: Ward.stories.map(\.name))
    func kindsAreAsApproved(name: String) throws {
        let ward = try #require(Ward.stories.first { $0.name == name }?.ward)
        var picture = ""
        for (columns, rows) in [(20, 4), (30, 6), (60, 16), (100, 30)] {
            let grid = ward.drawn(columns, rows)
            for (title, letter) in [("colour", letter(of:)), ("monochrome", attributeLetter(of:))] {
                picture += "== \(columns)x\(rows) \(title)\n"
                for row in 0..<rows {
                    let line = (0..<columns).map { letter(grid[$0, row]) }.joined()
                    picture += (line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? "") + "\n"
                }
            }
        }
        try expectGolden(picture, "\(name)-kinds.txt")
    }

    @Test(
        "lit and dark phases look as approved, with colours and without",
        arguments: ["alarm-several", "alarm-acknowledged", "alarm-latched", "audio-paused"])
    func phasesAreAsApproved(name: String) throws {
        var ward = try #require(Ward.stories.first { $0.name == name }?.ward)
        var picture = ""
        for phase in ["lit", "dark for high", "lit again", "dark for medium and high"] {
            let grid = ward.drawn(80, 24)
            for (title, letter) in [("colour", letter(of:)), ("monochrome", attributeLetter(of:))] {
                picture += "== \(phase), \(title)\n"
                for row in 0..<grid.rows {
                    let line = (0..<grid.columns).map { letter(grid[$0, row]) }.joined()
                    picture += line + "\n"
                }
            }
            // A quarter of a second each, the last one more than a second after the first.
            ward.now = ward.now.advanced(by: phase == "lit again" ? .milliseconds(750) : .milliseconds(250))
        }
        try expectGolden(picture, "\(name)-phases.txt")
    }

    /// The states that an alarm and the answers to it can be in.
    static let alarmStates = [
        "alarm-pending", "alarm-high", "alarm-medium", "alarm-low", "alarm-several", "alarm-acknowledged",
        "alarm-suspended", "alarm-latched", "alarm-clearing", "fever", "fever-progress", "count-expired",
        "storage-full",
        "clock-jump", "audio-paused", "care-paused", "snoozed", "silenced",
    ]

    @Test("every state of an alarm looks as approved at three sizes, with colours and without", arguments: alarmStates)
    func alarmStyles(name: String) throws {
        let ward = try #require(Ward.stories.first { $0.name == name }?.ward)
        var picture = ""
        for (columns, rows) in [(30, 6), (80, 24), (100, 30)] {
            for glyphs in [GlyphSet.braille, .ascii] {
                let grid = ward.drawn(columns, rows, glyphs)
                for (title, letter) in [("colour", letter(of:)), ("monochrome", attributeLetter(of:))] {
                    picture += "== \(columns)x\(rows), \(glyphs.rawValue), \(title)\n"
                    for row in 0..<grid.rows {
                        picture += (0..<grid.columns).map { letter(grid[$0, row]) }.joined() + "\n"
                    }
                }
            }
        }
        try expectGolden(picture, "\(name)-styles.txt")
    }

    /// A letter for what is left of a cell's style without colours; capitals are reversed: b is bold,
    /// m and l are bold and underlined, or dim as well, as alarms of lower priority are.
    private func attributeLetter(of cell: Cell) -> String {
        let attributes = Theme.dark.look(of: cell.style, at: .none).attributes
        let isReversed = attributes.contains(.reverse)
        if cell.scalar == " ", !isReversed { return " " }
        let letter =
            switch (attributes.contains(.bold), attributes.contains(.underline), attributes.contains(.dim)) {
            case (true, true, true): "l"
            case (true, true, false): "m"
            case (true, false, _): "b"
            case (false, true, _): "u"
            case (false, false, true): "d"
            case (false, false, false): isReversed ? "#" : "."
            }
        return isReversed ? letter.uppercased() : letter
    }

    private static let letters: [Style.Role: String] = [
        .plain: ".", .faint: "f", .frame: "-", .brand: "b", .heartRate: "h", .oxygenSaturation: "o",
        .temperature: "t", .alarmHigh: "r", .alarmMedium: "y", .alarmLow: "c", .simulated: "s", .key: "k",
        .good: "g",
    ]

    /// A letter for a cell's role; a capital where it is reversed.
    private func letter(of cell: Cell) -> String {
        let isReversed = cell.style.attributes.contains(.reverse)
        let letter = cell.scalar == " " && !isReversed ? " " : Self.letters[cell.style.role] ?? "?"
        return isReversed ? (letter == "." ? "#" : letter.uppercased()) : letter
    }
}
