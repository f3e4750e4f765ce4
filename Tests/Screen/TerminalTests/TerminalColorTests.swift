@testable import Dashboard
import Appearance
import TestSupport
import Testing
import TextGrid

@testable import Terminal

// Part of the suite of the terminal, for ncurses keeps global state and these must run one after the other.
extension TerminalTests {
    private func alarm() -> Grid {
        var grid = Grid(columns: 20, rows: 1)
        grid.fill(grid.area, " ", Style(.alarmHigh, [.bold, .reverse]))
        return grid
    }

    private func painted(
        _ traits: TerminalTraits, theme: Theme = .colorBlind
    ) throws -> (text: String, depth: ColorDepth, end: String) {
        let pty = try PseudoTerminal(columns: 20, rows: 1)
        let terminal = try terminal(pty, traits, theme: theme)
        terminal.paint(alarm())
        let text = pty.outputText()
        let depth = terminal.colorDepth
        terminal.restore()
        return (text, depth, pty.outputText())
    }

    /// An alarm on a terminal that shows any colour, in a theme that has colours of its own.
    private func shownInExactColors() throws -> (PseudoTerminal, Terminal) {
        let pty = try PseudoTerminal(columns: 20, rows: 1)
        var traits = Self.traits
        traits.claimsAnyColor = true
        let terminal = try terminal(pty, traits, theme: .colorBlind)
        terminal.paint(alarm())
        _ = pty.output()
        return (pty, terminal)
    }

    @Test("a terminal that shows any colour gets the theme's own, and its palette back at the end")
    func exactColors() throws {
        var traits = Self.traits
        traits.claimsAnyColor = true
        let (text, depth, end) = try painted(traits)
        #expect(depth == .palette)
        // The ground of high priority, 0xA03000, in place of the nearest of the palette.
        let ground = Theme.colorBlind[.alarmHigh].filled?.ground
        #expect(text.contains("\u{1B}]4;\(ground?.palette ?? -1);rgb:9F/2F/00"), "\(text.debugDescription)")
        #expect(
            text.contains("\u{1B}[48;5;\(ground?.palette ?? -1)m") || text.contains("48;5;\(ground?.palette ?? -1)"))
        #expect(end.contains("\u{1B}]104"))
    }

    @Test("two colours to which the same one of the palette is nearest are both shown exactly")
    func sharedIndex() throws {
        let pty = try PseudoTerminal(columns: 20, rows: 2)
        var traits = Self.traits
        traits.claimsAnyColor = true
        let terminal = try terminal(pty, traits, theme: .dark)
        defer { terminal.restore() }
        // Both are xterm's 41 where there are only 256.
        let styles = [Style(.heartRate), Style(.good)]
        let colors = styles.compactMap { Theme.dark.look(of: $0, at: .palette).text }
        try #require(colors.count == 2 && colors[0].palette == colors[1].palette && colors[0] != colors[1])
        var grid = Grid(columns: 20, rows: 2)
        for (row, style) in styles.enumerated() { grid.fill(grid.area.line(row), "x", style) }
        terminal.paint(grid)
        let definitions = pty.outputText().matches(of: #/\]4;(\d+);rgb:([0-9A-F\/]+)/#)
        // The second is what the palette has anyway, but the first has taken its place.
        #expect(Set(definitions.map(\.1)).count == 2 && Set(definitions.map(\.2)).count == 2)
        #expect(definitions.contains { $0.1 == "\(colors[0].palette)" })
    }

    @Test("a terminal that says nothing of the kind keeps its palette")
    func paletteStays() throws {
        #expect(!(try painted(Self.traits).text.contains("]4;")))
        var traits = Self.traits
        traits.claimsAnyColor = true
        // What is of the palette anyway need not be put there.
        #expect(!(try painted(traits, theme: .dark).text.contains("]4;")))
        traits.deepestColor = .palette
        #expect(!(try painted(traits).text.contains("]4;")))
    }

    @Test("a theme that is changed takes its colours out of the palette again")
    func themeChanges() throws {
        let (pty, terminal) = try shownInExactColors()
        defer { terminal.restore() }
        terminal.use { _ in .dark }
        terminal.paint(alarm())
        let index = Theme.colorBlind[.alarmHigh].filled?.ground.palette ?? 0
        let usual = Theme.Color(index, bright: 0, basic: 0)
        #expect(pty.outputText().contains("]4;\(index);rgb:"))
        #expect(usual.isOfPalette)
    }

    @Test("a terminal that was given back for a while, as at Ctrl-Z, gets the theme's colours again")
    func suspended() throws {
        let (pty, terminal) = try shownInExactColors()
        defer { terminal.restore() }
        terminal.suspend()
        #expect(pty.outputText().contains("\u{1B}]104"))
        terminal.resume()
        let ground = Theme.colorBlind[.alarmHigh].filled?.ground
        let text = pty.outputText()
        #expect(text.contains("\u{1B}]4;\(ground?.palette ?? -1);rgb:9F/2F/00"), "\(text.debugDescription)")
    }

    @Test("no more colours are used than are wanted", arguments: [ColorDepth.bright, .basic, .none])
    func deepest(depth: ColorDepth) throws {
        var traits = Self.traits
        traits.deepestColor = depth
        let (text, shown, _) = try painted(traits)
        #expect(shown == depth)
        #expect(!text.contains("8;5;"), "\(text.debugDescription)")
        #expect(text.contains("\u{1B}[4") == (depth != .none) || text.contains(";4"), "\(text.debugDescription)")
    }

    @Test(
        "monochrome terminals and those who refuse colours get attributes only", arguments: ["vt100", "xterm-256color"])
    func monochrome(type: String) throws {
        let traits = TerminalTraits(type: type, codeset: "UTF-8", isColorRefused: type != "vt100")
        let (text, depth, _) = try painted(traits, theme: .dark)
        #expect(depth == .none)
        #expect(text.firstMatch(of: #/\[[34][0-9]/#) == nil, "\(text.debugDescription)")
        #expect(text.contains("7m") || text.contains("7;") || text.contains(";7"))
    }

    @Test("the Linux console gets its eight colours")
    func linuxConsole() throws {
        let traits = TerminalTraits(type: "linux", codeset: "UTF-8", isColorRefused: false)
        let (text, depth, _) = try painted(traits, theme: .dark)
        #expect(depth == .basic)
        #expect(text.contains("41"))
    }

    @Test("the mouse is reported and decoded only while it is enabled")
    func mouse() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        terminal.paint(grid("x"))
        #expect(!pty.outputText().contains("?1000h"))
        pty.type("\u{1B}[<0;3;4M")
        #expect(terminal.readKey() == .key(.other))
        terminal.useMouse(true)
        terminal.paint(grid("y"))
        #expect(pty.outputText().contains("1000h"))
        pty.type("\u{1B}[<0;3;4M")
        #expect(terminal.readKey() == .mouse(.click(column: 2, row: 3)))
        pty.type("\u{1B}[<64;3;4M\u{1B}[<65;3;4M")
        #expect(terminal.readKey() == .mouse(.wheelUp))
        #expect(terminal.readKey() == .mouse(.wheelDown))
        terminal.useMouse(false)
        #expect(pty.outputText().contains("1000l"))
    }
}
