import Testing

@testable import Dashboard

@Suite("Drawing at every size")
struct DrawPropertyTests {
    /// What must hold for any picture.
    private func check(_ grid: Grid, _ columns: Int, _ rows: Int, isASCII: Bool) -> String? {
        guard grid.columns == columns, grid.rows == rows, grid.cells.count == columns * rows else {
            return "wrong size"
        }
        for row in 0..<rows {
            for column in 0..<columns {
                let cell = grid[column, row]
                switch cell.columns {
                case 2:
                    guard column + 1 < columns, grid[column + 1, row].columns == 0 else { return "half a character" }
                case 0:
                    guard column > 0, grid[column - 1, row].columns == 2 else { return "a right half alone" }
                default: break
                }
                if cell.scalar.value < 0x20 || (0x7F...0x9F).contains(cell.scalar.value) {
                    return "a control character"
                }
                if isASCII, !cell.scalar.isASCII { return "not ASCII" }
            }
        }
        if let cursor = grid.cursor, cursor.column >= columns || cursor.row >= rows { return "cursor outside" }
        return nil
    }

    @Test("every story draws at every size from 1 × 1 to 120 × 50", arguments: Ward.stories.map(\.name))
    func everySize(name: String) throws {
        let ward = try #require(Ward.stories.first { $0.name == name }?.ward)
        for columns in 1...120 {
            // Neighbouring heights share their code; every height is covered by some width.
            for rows in stride(from: 1 + columns % 7, through: 50, by: columns <= 60 ? 3 : 7) {
                let glyphs = GlyphSet.allCases[(columns + rows) % 3]
                let fault = check(ward.drawn(columns, rows, glyphs), columns, rows, isASCII: glyphs == .ascii)
                #expect(fault == nil, "\(columns) × \(rows), \(glyphs)")
            }
        }
        for (columns, rows) in [(400, 120), (400, 4), (20, 120), (300, 100), (0, 0), (1, 120), (400, 1)] {
            for glyphs in GlyphSet.allCases {
                let fault = check(ward.drawn(columns, rows, glyphs), columns, rows, isASCII: glyphs == .ascii)
                #expect(fault == nil, "\(columns) × \(rows), \(glyphs)")
            }
        }
    }

    @Test("the worst alarm and the mark of simulated data survive at every size from 20 × 4", arguments: [false, true])
    func alarmSurvives(isHelpShown: Bool) {
        var ward = Ward.linkLost()
        ward.screen.isSimulated = true
        ward.screen.isHelpShown = isHelpShown
        for columns in 20...120 {
            for rows in stride(from: 4 + columns % 5, through: 50, by: 5) {
                let grid = ward.drawn(columns, rows)
                let text = (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
                #expect(text.contains("FEVER 38.8 °C"), "\(columns) × \(rows)")
                #expect(text.contains("SIMULATED"), "\(columns) × \(rows)")
            }
        }
    }

    @Test("the three numbers are on the screen as text or as digits wherever there are four rows")
    func numbersSurvive() {
        let ward = Ward.live(seconds: 5)
        for columns in 20...60 {
            let grid = ward.drawn(columns, 4)
            let text = (0..<4).map { grid.text(row: $0) }.joined(separator: "\n")
            for number in ["73", "98", "36.8"] {
                #expect(text.contains(number), "\(number) at \(columns) columns")
            }
        }
    }

    @Test("the same state makes the same picture")
    func isPure() {
        let ward = Ward.fever()
        #expect(ward.drawn(80, 24) == ward.drawn(80, 24))
    }

    @Test("absurd sizes do not trap", arguments: [(-1, 5), (5, -1), (Int.max, 1), (Int.min, Int.min)])
    func absurdSizes(columns: Int, rows: Int) {
        let grid = Ward.live(seconds: 2).drawn(columns, rows)
        #expect(grid.cells.count == grid.columns * grid.rows)
    }
}
