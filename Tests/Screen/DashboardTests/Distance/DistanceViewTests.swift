import Appearance
import Base
import Monitoring
import Testing
import TextGrid
import Vitals

@testable import Dashboard

@Suite("Distance view")
struct DistanceViewTests {
    private func parts(_ layout: DistanceLayout) -> [Area] {
        [layout.banner, layout.aboveAlarms, layout.alarms, layout.belowAlarms]
            + layout.vitals.flatMap { [$0.title, $0.body, $0.freshness] }
    }

    @Test(
        "nothing overlaps and nothing leaves the screen at any size from 20 × 4 to 400 × 120",
        arguments: GlyphSet.allCases)
    func layout(glyphs: GlyphSet) {
        let numbers: [String?] = ["188", "188", "188.8"]
        for columns in Array(20...60) + [61, 80, 99, 100, 132, 200, 311, 400] {
            for rows in Array(stride(from: 4 + columns % 4, through: 40, by: 4)) + [60, 119, 120] {
                let widest = (columns + rows).isMultiple(of: 3) ? [nil] + numbers.dropFirst() : numbers
                let layout = DistanceLayout(
                    columns: columns, rows: rows, alarmCount: (columns + rows) % 6, hasBanner: rows % 2 == 0,
                    widest: widest, glyphs: glyphs)
                let parts = parts(layout).filter { !$0.isEmpty }
                for (index, part) in parts.enumerated() {
                    guard part.column >= 0, part.row >= 0, part.column + part.columns <= columns,
                        part.row + part.rows <= rows
                    else {
                        Issue.record("\(part) outside at \(columns) × \(rows)")
                        return
                    }
                    for other in parts.dropFirst(index + 1)
                    where part.column < other.column + other.columns && other.column < part.column + part.columns
                        && part.row < other.row + other.rows && other.row < part.row + part.rows
                    {
                        Issue.record("\(part) and \(other) overlap at \(columns) × \(rows)")
                        return
                    }
                }
                #expect(layout.alarms.rows >= 1)
                // Each number has space for all of its digits.
                if layout.digits.face != .text {
                    for (place, widest) in zip(layout.vitals, numbers) where !place.body.isEmpty {
                        guard let widest else { continue }
                        #expect(place.body.columns >= layout.digits.columns(of: widest))
                        #expect(place.body.rows >= layout.digits.rows)
                    }
                }
            }
        }
    }

    @Test("digits never become smaller on a larger screen", arguments: GlyphSet.allCases)
    func grows(glyphs: GlyphSet) {
        let ward = Ward.distance(.live(seconds: 5))
        var screen = ward.screen
        screen.glyphs = glyphs
        let scene = Scene(state: ward.state, screen: screen, now: ward.now)
        for rows in [6, 13, 24, 60] {
            var former = 0
            for columns in Array(20...60) + stride(from: 61, through: 400, by: 7) {
                let size = DistanceView(scene: scene).layout(columns: columns, rows: rows).digits.measure
                #expect(size >= former, "\(columns) × \(rows)")
                former = size
            }
        }
        #expect(DistanceView(scene: scene).layout(columns: 400, rows: 120).digits.rows >= 30)
        #expect(DistanceView(scene: scene).layout(columns: 80, rows: 24).digits.rows >= 5)
    }

    /// The three numbers as they are drawn at a size: as text, or as large digits at their places.
    private func showsNumbers(_ ward: Ward, _ columns: Int, _ rows: Int, _ glyphs: GlyphSet) -> Bool {
        var screen = ward.screen
        screen.glyphs = glyphs
        let scene = Scene(state: ward.state, screen: screen, now: ward.now)
        let layout = DistanceView(scene: scene).layout(columns: columns, rows: rows)
        let grid = ward.drawn(columns, rows, glyphs)
        let lines = (0..<rows).map { grid.text(row: $0) }
        return zip(scene.panels, layout.vitals).allSatisfy { panel, place in
            if layout.digits.face == .text { return lines.contains { $0.contains(panel.digits) } }
            // Drawn alone, and looked for in the place that it has on the screen.
            var alone = Grid(
                columns: layout.digits.columns(of: panel.digits), rows: layout.digits.rows, isASCII: glyphs == .ascii)
            layout.digits.draw(panel.digits, panel.digitStyle, in: alone.area, on: &alone)
            return (place.body.row...place.body.row + place.body.rows - alone.rows).contains { top in
                (place.body.column...place.body.column + place.body.columns - alone.columns).contains { left in
                    (0..<alone.rows).allSatisfy { row in
                        (0..<alone.columns).allSatisfy { alone[$0, row] == grid[left + $0, top + row] }
                    }
                }
            }
        }
    }

    @Test("every number is whole on the screen at every size", arguments: GlyphSet.allCases)
    func numbers(glyphs: GlyphSet) {
        let ward = Ward.distance(.live(seconds: 5))
        for columns in stride(from: 20, through: 130, by: 6) {
            for rows in stride(from: 4 + columns % 5, through: 60, by: 8) {
                #expect(showsNumbers(ward, columns, rows, glyphs), "\(columns) × \(rows)")
            }
        }
        #expect(showsNumbers(ward, 400, 120, glyphs))
    }

    @Test("alarm, mark of simulated data, reason and last value are there at every size that has lines for them")
    func text() {
        let ward = Ward.distance(.simulated(.linkLost()))
        for columns in stride(from: 20, through: 120, by: 7) {
            for rows in stride(from: 4 + columns % 3, through: 50, by: 3) {
                let grid = ward.drawn(columns, rows)
                let text = (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
                #expect(text.contains("FEVER 38.8"), "\(columns) × \(rows)")
                #expect(text.contains("SIMULATED"), "\(columns) × \(rows)")
                if rows >= 12 {
                    #expect(text.contains(columns < 30 ? "lost" : "link lost"), "\(columns) × \(rows)")
                }
                if rows >= 24, columns >= 60 {
                    #expect(text.contains("last 98 % at 13:54"), "\(columns) × \(rows)")
                }
            }
        }
    }

    @Test("z opens and closes it, Esc closes it, and pages come back to it")
    func keys() {
        var ward = Ward.live(seconds: 5)
        ward.press(.character("z"))
        #expect(ward.screen.pages.current == .distance)
        ward.press(.escape)
        #expect(ward.screen.pages.current == nil)
        ward.type("zL")
        #expect(ward.screen.pages.current == .log)
        ward.press(.escape)
        #expect(ward.screen.pages.current == .distance)
        ward.press(.character("z"))
        #expect(ward.screen.pages.current == nil)
        ward.type("Lz")
        #expect(ward.screen.pages.current == .distance)
    }

    @Test("no key acts on a selection that cannot be seen")
    func noSelection() {
        var ward = Ward.distance(.live(seconds: 5))
        for key in [Key.enter, .character("c"), .character("x"), .character("n"), .down, .character("B")] {
            #expect(ward.press(key) == nil)
            #expect(ward.screen.pages.current == .distance)
            #expect(ward.screen.dialogs.inputLine == nil)
        }
        #expect(ward.screen.list.selection == Ward.strap.address)
        #expect(ward.press(.character("a")) == .patient(.acknowledgeAll))
    }

    @Test("what beats is another one at each value, and stands still without values or motion")
    func beat() {
        var ward = Ward.distance(.live(seconds: 5))
        func heart() -> String { ward.drawn(100, 30).text(row: 1) + ward.drawn(100, 30).text(row: 2) }
        let first = heart()
        ward.stream(seconds: 1)
        let second = heart()
        #expect(first.contains("♥") != second.contains("♥"))
        #expect(first.contains("♡") != second.contains("♡"))
        ward.now = ward.now.advanced(by: .milliseconds(900))
        #expect(heart() == second)
        var settings = MonitorSettings()
        settings.alarmSignals.isMotionReduced = true
        for seconds in 4...7 {
            let still = Ward.distance(.live(seconds: seconds, settings: settings))
            #expect(still.drawn(100, 30).text(row: 1).contains("♥"))
        }
    }
}
