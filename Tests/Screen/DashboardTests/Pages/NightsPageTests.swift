import Appearance
import Base
import Monitoring
import Nights
import TestSupport
import Testing
import Vitals

@testable import Dashboard

@Suite("The page of a night")
struct NightsPageTests {
    private func text(_ ward: Ward, _ columns: Int = 120, _ rows: Int = 40, _ glyphs: GlyphSet = .braille) -> String {
        let grid = ward.drawn(columns, rows, glyphs)
        return (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    @Test("looks as it was approved at several sizes, with all characters")
    func golden() throws {
        let page = Ward.nightsPage()
        var pictures = ""
        func add(_ ward: Ward, _ columns: Int, _ rows: Int, _ glyphs: GlyphSet) {
            pictures += "== \(columns) × \(rows), \(glyphs.rawValue)\n\(text(ward, columns, rows, glyphs))\n"
        }
        for (columns, rows) in [(45, 16), (80, 24), (120, 40), (200, 60)] { add(page, columns, rows, .braille) }
        for glyphs in [GlyphSet.blocks, .ascii] { add(page, 80, 24, glyphs) }
        add(.nightsPage(hasOther: true), 120, 40, .braille)
        add(.nightsOfView(), 80, 24, .braille)
        try expectGolden(pictures, "nights.txt")
    }

    @Test(
        "never covers alarms, numbers and the mark of simulated data",
        arguments: [(80, 24), (120, 40), (200, 60), (60, 16)])
    func alarms(_ columns: Int, _ rows: Int) {
        let page = text(.nightsPage(), columns, rows)
        #expect(page.contains("FEVER") && page.contains("38.") && page.contains("SIM"))
    }

    @Test("draws anything at any size, and the worst alarm in one row")
    func sizes() {
        let page = Ward.nightsPage(hasOther: true)
        for rows in [1, 2, 3, 5, 8, 13, 21] {
            for columns in [1, 8, 20, 40, 71, 72, 90] {
                let picture = text(page, columns, rows)
                if columns >= 20 { #expect(picture.contains("▲"), "\(columns) × \(rows)") }
            }
        }
    }

    @Test("scrolls to the last fall and the definition, and says where the end is")
    func scrolling() {
        var ward = Ward.nightsPage()
        #expect(!text(ward).contains("medical device"))
        ward.screen.prepare(for: ward.state, size: (120, 40), at: ward.now)
        ward.press(.end)
        #expect(text(ward).contains("medical device"))
        ward.press(.down)
        #expect(text(ward).contains("This is the end."))
        ward.press(.home)
        #expect(text(ward).contains("Recorded"))
    }

    @Test("steps to the other oximeter, and then asks for another night")
    func steps() {
        var ward = Ward.nightsPage(hasOther: true)
        ward.screen.nights.hasEarlier = true
        let begin = Ward.midnight(1) + 12 * 3_600_000
        #expect(text(ward).contains("O2Ring 2231 (1 of 2)"))
        ward.press(.right)
        #expect(text(ward).contains("PM100 (2 of 2)") && text(ward).contains(", only 1 h 20"))
        ward.press(.right)
        #expect(text(ward).contains("This is the last night."))
        ward.press(.left)
        ward.press(.left)
        #expect(ward.screen.nights.wanted == .before(begin))
        // Going back, the last oximeter comes first.
        ward.screen.nights.show(ExampleNight.night(from: begin - 86_400_000, hasOther: true), as: .before(begin))
        #expect(text(ward).contains("PM100 (2 of 2)"))
        ward.screen.nights.hasLater = true
        ward.press(.right)
        #expect(ward.screen.nights.wanted == .after(begin - 86_400_000))
    }

    @Test("is read anew when it is opened, and says why there is nothing")
    func without() {
        var ward = Ward.live(seconds: 60)
        ward.screen.nights.wanted = nil
        ward.press(.character("*"))
        #expect(ward.screen.showsNights && ward.screen.nights.wanted == .last)
        #expect(text(ward).contains("No oximeter has recorded a night yet"))
        ward.press(.left)
        #expect(text(ward).contains("There is no night to read yet."))
        ward.screen.nights.reading = .failed
        #expect(text(ward).contains("The record cannot be read."))
        #expect(text(.nightsOfView()).contains("bedside night prints the nights there."))
        ward.press(.character("*"))
        #expect(!ward.screen.showsNights)
    }
}
