import Appearance
import Base
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

    @Test("braille puts two values in each cell and joins them")
    func braille() {
        #expect(picture(flat([0, 30, 60, 100]), columns: 2, rows: 1, .braille) == ["⡠⠊"])
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
        #expect("⢸⡇".contains(grid.text(row: 2).last ?? " "), "joined without a break")
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
        let rows = picture([TrendSpan(low: 5, high: 95), TrendSpan(low: 95, high: 95)], columns: 1, rows: 4, .braille)
        #expect(rows == ["⡏", "⡇", "⡇", "⡇"])
    }

    @Test("blocks are solid up to the value, and shaded where it varied")
    func blocks() {
        #expect(picture(flat([0, 49, 100]), columns: 3, rows: 2, .blocks) == ["  █", "▁██"])
        let varied = [TrendSpan(low: 5, high: 95)]
        #expect(picture(varied, columns: 1, rows: 3, .blocks) == ["▇", "▒", "█"])
        var grid = Grid(columns: 1, rows: 3)
        TrendGraph(spans: varied, range: 0...100, limits: [], favoursLow: true, glyphs: .blocks)
            .draw(.plain, in: grid.area, on: &grid)
        #expect((0..<3).map { grid.text(row: $0) } == ["▒", "▒", "▂"])
    }

    private func tints(_ graph: TrendGraph, columns: Int, rows: Int) -> [[Int]] {
        var grid = Grid(columns: columns, rows: rows)
        graph.draw(Style(.heartRate), in: grid.area, on: &grid)
        return (0..<rows).map { row in (0..<columns).map { grid[$0, row].style.attributes.tint } }
    }

    @Test("the ground below a line of braille is tinted by row, but not in a gap, nor above the line")
    func filled() {
        // Two cells at half height, a gap, half a cell, one at the lower edge.
        let spans = flat([50, 50, 50, 50, nil, nil, nil, 50, 0, 0])
        let graph = TrendGraph(spans: spans, range: 0...100, limits: [], favoursLow: false, glyphs: .braille)
        #expect(
            tints(graph, columns: 5, rows: 6) == [
                [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [2, 2, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 0, 0, 0],
            ])
    }

    @Test("the time of an alarm has a ground from top to bottom, and its line above, the cursor's column excepted")
    func alarmGround() {
        var graph = TrendGraph(
            spans: flat([50, 50, 50, 50, 50, 50]), range: 0...100, limits: [], favoursLow: false, glyphs: .braille)
        graph.shades = [nil, .alarmMedium, .alarmMedium]
        graph.cursor = 2
        // What is measured under the cursor is reversed, and so has no ground of its own.
        #expect(tints(graph, columns: 3, rows: 4) == [[0, 1, 0], [0, 1, 1], [2, 2, 0], [1, 2, 0]])
        var grid = Grid(columns: 3, rows: 4)
        graph.draw(Style(.heartRate), in: grid.area, on: &grid)
        #expect(grid.text(row: 0) == " ▔│")
        #expect((0..<4).allSatisfy { grid[1, $0].style.role == .alarmMedium })
    }

    @Test("a limit is a faint line under the trend")
    func limits() {
        var grid = Grid(columns: 4, rows: 4)
        let graph = TrendGraph(
            spans: flat([nil, nil, nil, nil, nil, nil, 60, 60]), range: 0...100, limits: [60], favoursLow: false,
            glyphs: .braille)
        graph.draw(Style(.temperature), in: grid.area, on: &grid)
        #expect(grid.text(row: 1).hasPrefix("┄┄┄"))
        #expect(grid[0, 1].style.role == .faint)
        #expect(grid[3, 1].style.role == .temperature)
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
