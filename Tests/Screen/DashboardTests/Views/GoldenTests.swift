import Appearance
import Base
import TestSupport
import Testing
import TextGrid

@testable import Dashboard

/// Approved pictures of the screen; `make golden` rewrites them.
///
/// What is in no picture is held by properties: `StorySubjectTests`, `AlarmColorTests`, `DrawPropertyTests`.
@Suite("Golden screens")
struct GoldenTests {
    static let sizes = [(20, 4), (30, 6), (45, 20), (60, 16), (80, 24), (100, 30), (200, 60)]

    /// The stories with a picture at every size and in every glyph set: each is drawn by other views than the others.
    static let atEverySize: Set = ["live", "link-lost", "alarms-page", "sensor-page", "distance-alarm"]

    @Test("every story looks as it was approved at 80 × 24, and five of them at every size in every glyph set")
    func looksAsApproved() throws {
        var files: [(name: String, text: String)] = []
        for (name, ward) in Ward.stories where !PagePictureTests.stories.contains(name) {
            guard Self.atEverySize.contains(name) else {
                let grid = ward.drawn(80, 24)
                files.append(("\(name).txt", "== text\n\(text(of: grid))\(looks(of: grid))"))
                continue
            }
            for (columns, rows) in Self.sizes {
                let pictures = GlyphSet.allCases.map { "== \($0.rawValue)\n\(text(of: ward.drawn(columns, rows, $0)))" }
                files.append(("\(name)-\(columns)x\(rows).txt", pictures.joined()))
            }
            let sections = [(20, 4), (30, 6), (60, 16), (80, 24), (100, 30)].map { (columns, rows) in
                "== \(columns)x\(rows)\n\(looks(of: ward.drawn(columns, rows)))"
            }
            files.append(("\(name)-looks.txt", sections.joined()))
        }
        try expectGoldenFolder(files, "Screens")
    }

    @Test("lit and dark phases of alarms look as approved, with colours and without")
    func phasesAreAsApproved() throws {
        var picture = ""
        for name in ["alarm-several", "alarm-acknowledged", "alarm-latched", "audio-paused"] {
            var ward = try #require(Ward.stories.first { $0.name == name }?.ward)
            for phase in ["lit", "dark for high", "lit again", "dark for medium and high"] {
                let grid = ward.drawn(80, 24)
                let alarmRows = (0..<grid.rows).filter { row in
                    (0..<grid.columns).contains { grid[$0, row].style.role.isAlarm }
                }
                picture += "== \(name), \(phase)\n"
                for row in alarmRows {
                    let number = row < 10 ? " \(row)" : "\(row)"
                    picture += "\(number) text       \(grid.text(row: row))\n"
                    picture += "\(number) colour     \(letters(grid, row, roleLetter))\n"
                    picture += "\(number) monochrome \(letters(grid, row, attributeLetter))\n"
                }
                // A quarter of a second each, the last one more than a second after the first.
                ward.now = ward.now.advanced(by: phase == "lit again" ? .milliseconds(750) : .milliseconds(250))
            }
        }
        try expectGolden(picture, "phases.txt")
    }

    private func text(of grid: Grid) -> String {
        (0..<grid.rows).map { grid.text(row: $0) + "\n" }.joined()
    }

    /// A letter for the look of each cell, with colours and without.
    private func looks(of grid: Grid) -> String {
        [("colour", roleLetter), ("monochrome", attributeLetter)].map { (title, letter) in
            "== \(title)\n" + (0..<grid.rows).map { letters(grid, $0, letter) + "\n" }.joined()
        }.joined()
    }

    private func letters(_ grid: Grid, _ row: Int, _ letter: (Cell) -> String) -> String {
        let line = (0..<grid.columns).map { letter(grid[$0, row]) }.joined()
        return line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? ""
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
    private func roleLetter(of cell: Cell) -> String {
        let isReversed = cell.style.attributes.contains(.reverse)
        let isEmpty = cell.scalar == " " && !isReversed
        let letter = isEmpty ? " " : Self.letters[cell.style.role] ?? "?"
        return isReversed ? (letter == "." ? "#" : letter.uppercased()) : letter
    }
}
