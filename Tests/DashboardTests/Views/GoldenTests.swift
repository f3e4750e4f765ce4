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

    @Test("the roles of the cells are as approved", arguments: ["live", "off-body", "fever", "link-lost"])
    func rolesAreAsApproved(name: String) throws {
        let ward = try #require(Ward.stories.first { $0.name == name }?.ward)
        let grid = ward.drawn(80, 24)
        var picture = ""
        for row in 0..<grid.rows {
            picture += (0..<grid.columns).map { letter(of: grid[$0, row]) }.joined() + "\n"
        }
        try expectGolden(picture, "\(name)-roles.txt")
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
