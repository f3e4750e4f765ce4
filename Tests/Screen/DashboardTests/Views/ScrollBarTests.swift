import Appearance
import Base
import Testing
import TextGrid

@testable import Dashboard

@Suite("Scroll bars")
struct ScrollBarTests {
    /// The rows of a border that the thumb covers.
    private func thumb(_ bar: ScrollBar, rows: Int) -> [Int] {
        var grid = Grid(columns: 1, rows: rows)
        bar.draw(.braille, over: grid.area, on: &grid)
        return (0..<rows).filter { grid[0, $0].scalar == GlyphSet.braille.scrollThumb }
    }

    @Test("the thumb is at an end only where nothing is hidden beyond it, and moves with what is seen")
    func ends() {
        for rows in 3...20 {
            for total in [rows + 1, rows + 2, rows * 2, 500] {
                var former = -1
                for top in 0...(total - rows) {
                    let covered = thumb(ScrollBar(top: top, shown: rows, total: total), rows: rows)
                    let first = covered.first ?? -1
                    #expect(covered == Array(first..<first + covered.count) && !covered.isEmpty)
                    #expect((first == 0) == (top == 0), "\(rows), \(total), \(top)")
                    #expect((covered.last == rows - 1) == (top == total - rows), "\(rows), \(total), \(top)")
                    #expect(first >= former)
                    former = first
                }
            }
        }
    }

    @Test("there is none where everything is seen")
    func none() {
        #expect(thumb(ScrollBar(top: 0, shown: 5, total: 5), rows: 5).isEmpty)
        #expect(thumb(ScrollBar(top: 0, shown: 0, total: 0), rows: 5).isEmpty)
    }

    @Test(
        "every page that hides rows has one, and so has the help",
        arguments: [ScreenState.Page.alarms, .log, .settings, .sensor, .entries])
    func pages(page: ScreenState.Page) {
        var ward = Ward.several()
        ward.screen.settings.items = Ward.items + Ward.items
        ward.screen.pages.show(page)
        func hasThumb(_ ward: Ward, rows: Int) -> Bool {
            let grid = ward.drawn(80, rows)
            return (0..<rows).contains { grid[79, $0].scalar == GlyphSet.braille.scrollThumb }
        }
        #expect(hasThumb(ward, rows: page == .log || page == .entries ? 11 : 16))
        #expect(!hasThumb(ward, rows: 60))
        ward.screen.pages.help = LineScroll()
        #expect(hasThumb(ward, rows: 24))
    }
}
