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
        "the roles of the cells are as approved",
        arguments: ["live", "off-body", "fever", "link-lost", "history", "distance-alarm"])
    func rolesAreAsApproved(name: String) throws {
        let ward = try #require(Ward.stories.first { $0.name == name }?.ward)
        let grid = ward.drawn(80, 24)
        var picture = ""
        for (title, letter) in [("colour", letter(of:)), ("monochrome", attributeLetter(of:))] {
            picture += "== \(title)\n"
            for row in 0..<grid.rows {
                picture += (0..<grid.columns).map { letter(grid[$0, row]) }.joined() + "\n"
            }
        }
        try expectGolden(picture, "\(name)-roles.txt")
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

    /// A letter for what is left of a cell's style without colours: bold, dim, reverse, underline.
    private func attributeLetter(of cell: Cell) -> String {
        let attributes = cell.style.attributes
        if attributes.contains(.reverse) { return attributes.contains(.bold) ? "R" : "r" }
        if cell.scalar == " " { return " " }
        if attributes.contains(.underline) { return "u" }
        return attributes.contains(.bold) ? "b" : attributes.contains(.dim) ? "d" : "."
    }

    /// A letter for a cell's role; a capital where it is reversed.
    private func letter(of cell: Cell) -> String {
        let letters: [Style.Role: String] = [
            .plain: ".", .faint: "f", .frame: "-", .brand: "b", .heartRate: "h", .oxygenSaturation: "o",
            .temperature: "t", .alarmHigh: "r", .alarmMedium: "y", .alarmLow: "c", .simulated: "s", .key: "k",
            .good: "g",
        ]
        let isReversed = cell.style.attributes.contains(.reverse)
        let letter = cell.scalar == " " && !isReversed ? " " : letters[cell.style.role] ?? "?"
        return isReversed ? (letter == "." ? "#" : letter.uppercased()) : letter
    }
}
