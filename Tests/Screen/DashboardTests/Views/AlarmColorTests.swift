import Appearance
import Base
import Monitoring
import TestSupport
import Testing
import TextGrid

@testable import Dashboard

/// The colour of an alarm says its priority, at every size and in every glyph set.
@Suite("Colours of alarms")
struct AlarmColorTests {
    private static let roles: [AlarmPriority: Style.Role] = [
        .high: .alarmHigh, .medium: .alarmMedium, .low: .alarmLow,
    ]

    /// Every picture of a story.
    private static func forEachPicture(of ward: Ward, _ body: (Grid, GlyphSet, String) -> Void) {
        for (columns, rows) in GoldenTests.sizes {
            for glyphs in GlyphSet.allCases {
                body(ward.drawn(columns, rows, glyphs), glyphs, "\(columns) × \(rows), \(glyphs)")
            }
        }
    }

    @Test("the line of the worst alarm has the colour of its priority at its marks", .computing)
    func worstAlarm() throws {
        var lines = 0
        for (name, ward) in Ward.stories {
            guard let worst = ward.state.shownAlarms.first else { continue }
            Self.forEachPicture(of: ward) { grid, glyphs, size in
                let marks = Array(glyphs.marks(of: worst.priority).unicodeScalars) + [" "]
                guard
                    let row = (0..<grid.rows).first(where: { row in
                        let text = grid.text(row: row).drop { $0 == " " }.unicodeScalars
                        return text.starts(with: marks)
                    })
                else { return }
                lines += 1
                let first = (0..<grid.columns).first { grid[$0, row].scalar != " " } ?? 0
                for column in first..<first + marks.count - 1 {
                    #expect(grid[column, row].style.role == Self.roles[worst.priority], "\(name), \(size)")
                }
            }
        }
        #expect(lines > 500)
    }

    @Test("what has no alarm colour in its approved picture has none at any size", .computing)
    func noAlarm() {
        var stories = 0
        for (name, ward) in Ward.stories
        where ward.state.shownAlarms.isEmpty && !ward.drawn(80, 24).cells.contains(where: \.style.role.isAlarm) {
            stories += 1
            Self.forEachPicture(of: ward) { grid, _, size in
                let cell = grid.cells.first { $0.style.role.isAlarm }
                #expect(cell == nil, "\(name), \(size)")
            }
        }
        #expect(stories > 10)
    }
}
