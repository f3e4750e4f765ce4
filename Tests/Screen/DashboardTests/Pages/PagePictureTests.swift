import Appearance
import Base
import TestSupport
import Testing

@testable import Dashboard

@Suite("Pictures of pages")
struct PagePictureTests {
    /// The stories whose pictures are here, and not beside those of the screen.
    static let stories: Set = ["rhythm", "days", "days-fever", "days-view"]

    @Test("look as they were approved at three sizes")
    func lookAsApproved() throws {
        var text = ""
        func add(_ name: String, _ ward: Ward, _ columns: Int, _ rows: Int, _ glyphs: GlyphSet) {
            let grid = ward.drawn(columns, rows, glyphs)
            text += "== \(name), \(columns) × \(rows), \(glyphs.rawValue)\n"
            text += (0..<rows).map { grid.text(row: $0) + "\n" }.joined()
        }
        let (rhythm, record) = (Ward.rhythm(), Ward.recordPage())
        for (columns, rows) in [(30, 8), (45, 16), (120, 40)] {
            for glyphs in GlyphSet.allCases { add("rhythm", rhythm, columns, rows, glyphs) }
        }
        for (columns, rows) in [(30, 10), (60, 20), (120, 40)] { add("record", record, columns, rows, .braille) }
        for (columns, rows) in [(30, 10), (60, 20), (120, 40)] {
            add("contacts", .contactsPage(), columns, rows, .braille)
        }
        add("no contacts", .contactsPage([]), 60, 20, .ascii)
        let days = Ward.daysOfFever()
        for (columns, rows) in [(60, 16), (80, 24), (120, 40), (200, 60)] {
            add("days", days, columns, rows, .braille)
        }
        add("days", days, 80, 24, .blocks)
        add("days", days, 80, 24, .ascii)
        add("days-view", .daysOfView(), 80, 24, .braille)
        add("mascc", .masccForm(), 80, 24, .braille)
        try expectGoldenFolder([("pages.txt", text)], "Pages")
    }
}
