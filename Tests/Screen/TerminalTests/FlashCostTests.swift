@testable import Dashboard
import Appearance
import TestSupport
import Testing
import TextGrid

@testable import Terminal

// Part of the suite of the terminal, for ncurses keeps global state and these must run one after the other.
extension TerminalTests {
    /// A number of high priority in a field of 30 × 8 cells is the largest that flashes at 120 × 40.
    @Test("a field that flashes between two fills writes its ground only, four times a second and in few octets")
    func flashCost() throws {
        let pty = try PseudoTerminal(columns: 120, rows: 40)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        var grid = Grid(columns: 120, rows: 40)
        let style = Style(.alarmHigh, [.bold, .reverse, .flashing])
        let field = Area(column: 80, row: 4, columns: 30, rows: 8)
        grid.fill(Area(column: 0, row: 1, columns: 120, rows: 1), " ", style)
        grid.put("▲▲▲ HR SEVERELY HIGH 152 bpm > 140", style, in: Area(column: 1, row: 1, columns: 118, rows: 1))
        grid.fill(field, " ", style)
        BigDigits.fitting("188", columns: field.columns, rows: field.rows, glyphs: .braille)
            .draw("152", style, in: field, on: &grid)
        terminal.paint(grid)
        _ = pty.output()
        var octets = 0
        for phase in 1...20 {
            grid.restyleFlashing { AlarmLook.phase($0, isLit: phase.isMultiple(of: 2)) }
            terminal.paint(grid)
            let written = pty.output()
            #expect(!written.isEmpty)
            octets += written.count
        }
        // About three for each cell of the line and of the field: runs of three cells cost less to repeat than to jump over.
        #expect(octets / 20 <= 1250)
    }
}
