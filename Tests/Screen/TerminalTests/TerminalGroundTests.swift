import Appearance
import Glibc
import TestSupport
import Testing
import TextGrid

@testable import Terminal

// With the other tests of the terminal, which run one after the other.
extension TerminalTests {
    /// A terminal that says nothing of its ground.
    private static let silent = TerminalTraits(type: "xterm-256color", codeset: "UTF-8", isColorRefused: false)

    /// Learns the ground while a terminal answers with a text as soon as it is asked.
    private func learn(_ terminal: Terminal, _ pty: PseudoTerminal, answer: String, within limit: Duration) {
        // What is typed before the question is asked is there when it is asked.
        pty.type(answer)
        terminal.learnGround(within: limit)
    }

    private func keys(_ terminal: Terminal) -> [Terminal.Input] {
        var keys: [Terminal.Input] = []
        while true {
            let key = terminal.readKey()
            if key == .nothing || key == .closed { return keys }
            keys.append(key)
        }
    }

    @Test("the ground that a terminal answers is its ground, and the keys that came beside it are keys")
    func answeredGround() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty, Self.silent)
        defer { terminal.restore() }
        _ = pty.output()
        learn(
            terminal, pty, answer: "a\u{1B}OA\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\ä\u{1B}[5~\u{1B}[?1;2cz",
            within: .seconds(60))
        #expect(pty.outputText() == "\u{1B}]11;?\u{1B}\\\u{1B}[c")
        #expect(terminal.ground?.rgb == 0xFFFFFF)
        pty.type("q\u{1B}OB")
        let expected: [Key] = [.character("a"), .up, .character("ä"), .pageUp, .character("z"), .character("q"), .down]
        #expect(keys(terminal) == expected.map { .key($0) })
        // Yellow on white could not be read: the dark theme has its own ground there, the light one needs none.
        terminal.paint(grid("x"))
        #expect(pty.outputText().contains("48;5;232"))
        terminal.use { _ in .light }
        terminal.paint(grid("y"))
        #expect(!pty.outputText().contains("48;5;"))
    }

    @Test("a terminal that answers nothing is waited for no longer than said, and gets a ground in every cell")
    func unansweredGround() throws {
        let pty = try PseudoTerminal(columns: 20, rows: 3)
        let terminal = try terminal(pty, Self.silent)
        defer { terminal.restore() }
        learn(terminal, pty, answer: "j", within: .milliseconds(1))
        #expect(terminal.ground == nil)
        _ = pty.output()
        terminal.paint(grid("x", columns: 20, rows: 3))
        #expect(pty.outputText().contains("48;5;232"))
        #expect(keys(terminal) == [.key(.character("j"))])
        // An answer that comes later is no key, in whatever pieces it comes.
        for piece in ["k\u{1B}", "]11;rgb:qqqq/ffff", "/dd\u{07}\u{1B}[?", "62;4", "c", "l"] {
            pty.type(piece)
            for key in keys(terminal) {
                #expect([.key(.character("k")), .key(.escape), .key(.character("l"))].contains(key))
            }
        }
        #expect(terminal.groundQuestion == nil)
    }

    @Test(
        "an answer that comes late, over a slow line, is the ground from then on, and the theme for it is chosen again")
    func lateGround() throws {
        let pty = try PseudoTerminal(columns: 20, rows: 3)
        let terminal = try terminal(pty, Self.silent)
        defer { terminal.restore() }
        terminal.use { ground in ground?.rgb == 0xFFFFFF ? .light : .dark }
        terminal.learnGround(within: .milliseconds(1))
        #expect(terminal.ground == nil)
        pty.type("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?1;2c")
        #expect(keys(terminal).isEmpty)
        #expect(terminal.ground?.rgb == 0xFFFFFF)
        _ = pty.output()
        terminal.paint(grid("x", columns: 20, rows: 3))
        #expect(!pty.outputText().contains("48;5;"))
    }

    @Test(
        "no question is asked where it might be shown, where the ground is known, and where there are no colours",
        arguments: ["linux", "vt100", "ansi", "xterm-256color", "xterm-mono"])
    func unasked(type: String) throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        var traits = TerminalTraits(type: type, codeset: "UTF-8", isColorRefused: type == "xterm-mono")
        if type == "xterm-mono" { traits.type = "xterm" }
        if type == "xterm-256color" { traits.ground = Theme.Color(15, bright: 15, basic: 7) }
        let terminal = try terminal(pty, traits)
        defer { terminal.restore() }
        _ = pty.output()
        terminal.learnGround(within: .seconds(60))
        #expect(pty.output().isEmpty)
    }

    @Test(
        "a terminal that goes away, or floods its input, while it is asked holds nothing up", arguments: [true, false])
    func troubleWhileAsked(goesAway: Bool) throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty, Self.silent)
        defer { terminal.restore() }
        if goesAway {
            pty.hangUp()
            terminal.learnGround(within: .seconds(60))
            #expect(terminal.readKey() == .closed)
        } else {
            let flood = String(repeating: "j", count: 3000)
            pty.type(flood)
            terminal.learnGround(within: .milliseconds(1))
            #expect(keys(terminal).count == flood.count)
        }
        #expect(terminal.ground == nil)
    }

    @Test("a question that is still open when the terminal is given back leaves no answer to the shell")
    func openQuestion() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty, Self.silent)
        terminal.learnGround(within: .milliseconds(1))
        pty.type("\u{1B}]11;#fff\u{07}\u{1B}[?1;2c\n")
        terminal.restore()
        var watched = pollfd(fd: pty.slave, events: Int16(POLLIN), revents: 0)
        #expect(poll(&watched, 1, 0) == 0)
    }
}
