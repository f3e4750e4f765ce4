import Appearance
import Base
import TestSupport
import Testing
import TextGrid
import Wording

@testable import Dashboard

@Suite("Trend graph")
struct TrendGraphTests {
    private func picture(_ spans: [TrendSpan?], columns: Int, rows: Int, _ glyphs: GlyphSet, limits: [Int] = [])
        -> [String]
    {
        var grid = Grid(columns: columns, rows: rows, isASCII: glyphs == .ascii)
        let graph = TrendGraph(spans: spans, range: 0...100, limits: limits, favoursLow: false, glyphs: glyphs)
        graph.draw(.plain, in: grid.area, on: &grid)
        return (0..<rows).map { grid.text(row: $0) }
    }

    private func flat(_ values: [Int?]) -> [TrendSpan?] {
        values.map { $0.map { TrendSpan(low: $0, high: $0) } }
    }

    @Test("braille puts two values in each cell and joins them, and where there is room its own dots glow below")
    func braille() {
        #expect(picture(flat([0, 30, 60, 100]), columns: 2, rows: 1, .braille) == ["⡠⠊"])
        #expect(picture(flat([0, 30, 60, 100]), columns: 2, rows: 3, .braille) == [" ⢸", " ⣿", "⣸⣿"])
    }

    @Test("a gap stays empty and is not bridged", arguments: GlyphSet.allCases)
    func gaps(glyphs: GlyphSet) {
        let cells = 6
        let count = TrendGraph.columns(in: cells, glyphs: glyphs)
        let values = (0..<count).map { $0 * 3 / count == 1 ? nil : 50 }
        let row = Array(picture(flat(values), columns: cells, rows: 1, glyphs)[0])
        #expect(row[2] == " " && row[3] == " ")
        #expect(row[1] != " " && row[4] != " ")
    }

    @Test("values of two sensors are not joined, and a mark stands where the second begins")
    func sources() {
        var grid = Grid(columns: 2, rows: 4)
        var graph = TrendGraph(
            spans: flat([5, 5, 95, 95]), range: 0...100, limits: [50], favoursLow: false, glyphs: .braille)
        graph.draw(.plain, in: grid.area, on: &grid)
        #expect(grid[1, 2].scalar == "⣿" && grid[1, 2].style.attributes.fade == 0, "joined without a break")
        (graph.breaks, graph.changeCells) = ([2], [1])
        grid = Grid(columns: 2, rows: 4)
        graph.draw(.plain, in: grid.area, on: &grid)
        #expect((1..<4).map { grid.text(row: $0).last } == ["┊", "┊", "┊"])
        #expect(grid.text(row: 3).first == "⣀")
    }

    @Test("values at and beyond the ends stay inside", arguments: GlyphSet.allCases)
    func ends(glyphs: GlyphSet) {
        let rows = picture(flat([-1_000_000, 0, 100, 1_000_000]), columns: 4, rows: 2, glyphs)
        #expect(rows.count == 2)
        #expect(rows.contains { !$0.isEmpty })
    }

    @Test("a dip shorter than a column is still drawn down to its depth")
    func extremes() {
        let spans = [TrendSpan(low: 5, high: 95), nil, TrendSpan(low: 95, high: 95), TrendSpan(low: 5, high: 95)]
        #expect(picture(spans, columns: 2, rows: 4, .braille) == ["⡇⣿", "⡇⣿", "⡇⣿", "⡇⣿"])
        #expect(picture(spans, columns: 2, rows: 2, .braille) == ["⡇⢹", "⡇⢸"])
    }

    @Test("blocks are solid where the values are, and below them are shaded the less the deeper")
    func blocks() {
        #expect(picture(flat([0, 49, 100]), columns: 3, rows: 2, .blocks) == ["  █", "▁█"])
        let varied = [TrendSpan(low: 5, high: 95)]
        #expect(picture(varied, columns: 1, rows: 3, .blocks) == ["▇", "█", "█"])
        var grid = Grid(columns: 1, rows: 3)
        TrendGraph(spans: varied, range: 0...100, limits: [], favoursLow: true, glyphs: .blocks)
            .draw(.plain, in: grid.area, on: &grid)
        #expect((0..<3).map { grid.text(row: $0) } == ["█", "█", "▂"])
        #expect(picture(flat([95]), columns: 1, rows: 5, .blocks) == ["▇", "▓", "▒", "░", "░"])
    }

    @Test("in ASCII other characters than those of the line glow below it")
    func characters() {
        #expect(picture(flat([95, 95]), columns: 2, rows: 5, .ascii) == ["''", "::", "::", ".", ""])
        #expect(picture(flat([95, 95]), columns: 2, rows: 2, .ascii) == ["''", ""])
    }

    /// How faded each cell is that shows something: 0 on the line, "·" where nothing is.
    private func fades(_ graph: TrendGraph, columns: Int, rows: Int) -> [String] {
        var grid = Grid(columns: columns, rows: rows)
        graph.draw(Style(.heartRate), in: grid.area, on: &grid)
        return (0..<rows).map { row in
            (0..<columns).map {
                grid[$0, row].scalar == " " ? "·" : "\(grid[$0, row].style.attributes.fade)"
            }.joined()
        }
    }

    @Test(
        "the glow below a line of braille fades with the distance and ends; nothing glows above it, in or beside a gap")
    func glows() {
        // Two cells near the top, a gap, half a cell, a whole one.
        let spans = flat([98, 98, 98, 98, nil, nil, nil, 98, 90, 90])
        let graph = TrendGraph(spans: spans, range: 0...100, limits: [], favoursLow: false, glyphs: .braille)
        #expect(
            fades(graph, columns: 5, rows: 8) == [
                "00·00", "11··1", "22··2", "33··3", "33··3", "33··3", "·····", "·····",
            ])
        var grid = Grid(columns: 5, rows: 8)
        graph.draw(Style(.heartRate), in: grid.area, on: &grid)
        #expect((0..<8).map { grid[0, $0].scalar } == ["⣿", "⣿", "⣿", "⣿", "⢕", "⠡", " ", " "])
        var dark = graph
        dark.glows = false
        #expect(fades(dark, columns: 5, rows: 8) == ["00·00"] + [String](repeating: "·····", count: 7))
        // A low graph needs its rows for the line.
        #expect(fades(graph, columns: 5, rows: 2) == ["00·00", "·····"])
        #expect(fades(graph, columns: 5, rows: 4) == ["00·00", "11··1", "22··2", "·····"])
    }

    @Test("the newest cell of the line is bold, but not under the cursor's past")
    func newest() {
        var graph = TrendGraph(
            spans: flat([50, 50, 50, 50]), range: 0...100, limits: [], favoursLow: false, glyphs: .braille)
        func bold() -> [Bool] {
            var grid = Grid(columns: 2, rows: 1)
            graph.draw(Style(.heartRate), in: grid.area, on: &grid)
            return (0..<2).map { grid[$0, 0].style.attributes.contains(.bold) }
        }
        #expect(bold() == [false, true])
        graph.cursor = 0
        #expect(bold() == [false, false])
    }

    @Test("every dot of the glow is below a measured value of its own column", arguments: 1...20)
    func glowIsHonest(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (columns, rows) = (30, Int.random(in: 1...12, using: &generator))
        var value = 50
        let spans: [TrendSpan?] = (0..<columns * 2).map { _ in
            value = min(max(value + Int.random(in: -30...30, using: &generator), 0), 100)
            guard Int.random(in: 0..<6, using: &generator) > 0 else { return nil }
            return TrendSpan(low: value, high: min(100, value + Int.random(in: 0...20, using: &generator)))
        }
        let graph = TrendGraph(spans: spans, range: 0...100, limits: [], favoursLow: false, glyphs: .braille)
        var grid = Grid(columns: columns, rows: rows)
        graph.draw(Style(.heartRate), in: grid.area, on: &grid)
        for cell in 0..<columns {
            let isWhole = spans[cell * 2] != nil && spans[cell * 2 + 1] != nil
            var hasLine = false
            for row in 0..<rows where grid[cell, row].scalar != " " {
                let isGlow = grid[cell, row].style.attributes.fade > 0
                if !isGlow { hasLine = true }
                #expect(!isGlow || isWhole && hasLine, "\(cell), \(row)")
            }
            #expect(hasLine == (spans[cell * 2] != nil || spans[cell * 2 + 1] != nil))
        }
    }

    @Test("the time of an alarm has its colour on the line and below, and a mark on top, the cursor's column excepted")
    func alarmTime() {
        var graph = TrendGraph(
            spans: flat([50, 50, 50, 50, 50, 50]), range: 0...100, limits: [], favoursLow: false, glyphs: .braille)
        graph.shades = [nil, .alarmMedium, .alarmMedium]
        graph.cursor = 2
        #expect(fades(graph, columns: 3, rows: 6) == ["·00", "··0", "000", "110", "220", "330"])
        var grid = Grid(columns: 3, rows: 6)
        graph.draw(Style(.heartRate), in: grid.area, on: &grid)
        #expect(grid.text(row: 0) == " ▔│")
        #expect((0..<6).map { grid[2, $0].scalar == "│" } == [true, true, false, true, true, true])
        #expect((0..<6).allSatisfy { grid[1, $0].style.role == .alarmMedium && grid[0, $0].style.role == .heartRate })
        #expect(grid[1, 2].style.attributes.contains(.bold) && !grid[0, 2].style.attributes.contains(.bold))
    }

    @Test("a limit is a line of spaced dashes over what is empty or glows, and never over what was measured")
    func limits() {
        var grid = Grid(columns: 8, rows: 6)
        let graph = TrendGraph(
            spans: flat([nil, nil, nil, nil, nil, nil, 98, 98, 98, 98, 40, 40, 40, 40, 40, 40]), range: 0...100,
            limits: [40], favoursLow: false, glyphs: .braille)
        graph.draw(Style(.temperature), in: grid.area, on: &grid)
        #expect(grid.text(row: 3).hasPrefix("╌  ╌⣿"))
        #expect((0..<8).filter { grid[$0, 3].style.role == .frame } == [0, 3])
        #expect(grid[6, 3].style.role == .temperature)
    }

    @Test("any number of spans fits into any area", arguments: GlyphSet.allCases)
    func anySize(glyphs: GlyphSet) {
        for columns in 0...5 {
            for rows in 0...4 {
                for count in [0, 1, 3, 50] {
                    let rows = picture(flat(Array(repeating: 40, count: count)), columns: columns, rows: rows, glyphs)
                    #expect(rows.allSatisfy { columnWidth(of: $0) <= columns })
                }
            }
        }
    }
}
