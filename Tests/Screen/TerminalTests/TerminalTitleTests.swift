import TestSupport
import Testing

@testable import Terminal

// With the other tests of the terminal, which run one after the other.
extension TerminalTests {
    @Test("the title is put aside, set when it changes, and given back by every way out")
    func title() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try Terminal(
            input: pty.slave, output: pty.slave, traits: Self.traits, hasTitle: true)
        #expect(pty.outputText().contains("\u{1B}[22;0t"))
        terminal.show(title: "♥ 72")
        #expect(pty.outputText() == "\u{1B}]2;♥ 72\u{1B}\\")
        terminal.show(title: "♥ 72")
        #expect(pty.output().isEmpty)
        terminal.suspend()
        #expect(pty.outputText().contains("\u{1B}[23;0t"))
        terminal.show(title: "♥ 73")
        #expect(pty.output().isEmpty)
        terminal.resume()
        #expect(pty.outputText().contains("\u{1B}[22;0t\u{1B}]2;♥ 73\u{1B}\\"))
        restoreTerminalFromSignalHandler()
        #expect(pty.outputText().contains("\u{1B}[23;0t"))
        terminal.restore()
        #expect(pty.outputText().contains("\u{1B}[23;0t"))
    }

    @Test("a title is only set where the terminal has one, and no text can end its sequence")
    func titlePossible() throws {
        for (type, isPossible) in [
            ("xterm-256color", true), ("tmux-256color", true), ("linux", false), ("vt100", false),
        ] {
            let pty = try PseudoTerminal(columns: 80, rows: 24)
            let traits = TerminalTraits(type: type, codeset: "UTF-8", isColorRefused: false)
            let terminal = try Terminal(input: pty.slave, output: pty.slave, traits: traits, hasTitle: true)
            #expect(terminal.hasTitle == isPossible, "\(type)")
            _ = pty.output()
            terminal.show(title: "a")
            #expect(pty.output().isEmpty != isPossible, "\(type)")
            terminal.restore()
        }
        #expect(TerminalTitle.setting("a\u{07}b\u{1B}\\c\u{9C}d\n") == "\u{1B}]2;ab\\cd\u{1B}\\")
        #expect(TerminalTitle.setting(String(repeating: "x", count: 5000)).count < 220)
    }
}
