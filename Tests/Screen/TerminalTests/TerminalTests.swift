@testable import Dashboard
import Appearance
import Glibc
import TestSupport
import Testing
import TextGrid

@testable import Terminal

/// ncurses keeps global state, so these run one after the other.
@Suite("Terminal", .serialized)
struct TerminalTests {
    static let traits = TerminalTraits(
        type: "xterm-256color", codeset: "UTF-8", isColorRefused: false, ground: Theme.Color(0, bright: 0, basic: 0))
    private static let enterAlternateScreen = "\u{1B}[?1049h"
    private static let leaveAlternateScreen = "\u{1B}[?1049l"

    init() {
        setlocale(LC_CTYPE, "C.UTF-8")
    }

    func terminal(
        _ pty: PseudoTerminal, _ traits: TerminalTraits = TerminalTests.traits, theme: Theme = .dark
    ) throws -> Terminal {
        try Terminal(input: pty.slave, output: pty.slave, traits: traits, theme: theme)
    }

    /// A grid as the program makes it, with a marker text.
    func grid(_ text: String, columns: Int = 80, rows: Int = 24) -> Grid {
        var grid = Grid(columns: columns, rows: rows)
        grid.put(text, .plain, in: grid.area)
        return grid
    }

    @Test("a grid is painted, and the next one costs only what changed")
    func paintsDifferences() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        terminal.paint(grid("heart rate 72 ♥ 体温"))
        let first = pty.outputText()
        #expect(first.contains(Self.enterAlternateScreen))
        #expect(first.contains("heart rate 72 ♥ 体温"))
        terminal.paint(grid("heart rate 73 ♥ 体温"))
        let second = pty.output()
        #expect(second.count < 24)
        #expect(second.contains(UInt8(ascii: "3")))
        terminal.paint(grid("heart rate 73 ♥ 体温"))
        #expect(pty.output().isEmpty)
    }

    @Test("full cells of a large digit are a ground without seams, and blocks only where bold text is brighter")
    func strokes() throws {
        let cases: [(ColorDepth, Style, ground: String?)] = [
            (.palette, Style(.heartRate, [.stroke, .bold]), "48;5;41"), (.bright, Style(.heartRate, .stroke), "102"),
            (.basic, Style(.heartRate, .stroke), nil), (.none, Style(.heartRate, .stroke), "7"),
            (.palette, Style(.alarmHigh, [.stroke, .reverse]), "48;5;231"), (.palette, Style(.heartRate), nil),
        ]
        for (depth, style, ground) in cases {
            let pty = try PseudoTerminal(columns: 20, rows: 2)
            var traits = Self.traits
            traits.deepestColor = depth
            let terminal = try terminal(pty, traits)
            var grid = Grid(columns: 20, rows: 2)
            grid.put("█▀█", style, in: grid.area)
            terminal.paint(grid)
            let text = pty.outputText()
            #expect(
                text.contains("▀") && text.contains("█") == (ground == nil),
                "\(depth), \(style): \(text.debugDescription)")
            // The colour of the text, as a ground or reversed.
            if let ground {
                let isGround = text.contains("[\(ground)m") || text.contains(";\(ground)m")
                #expect(isGround, "\(depth), \(style): \(text.debugDescription)")
            }
            terminal.restore()
        }
    }

    @Test("a Ctrl-Z that comes before a frame is still there after it")
    func keepsSignals() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        // To this thread, where it waits, as it waits for the program's loop.
        var stop = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &stop, &before)
        pthread_kill(pthread_self(), SIGTSTP)
        terminal.paint(grid("heart rate 72"))
        var atOnce = timespec()
        let signal = sigtimedwait(&stop, nil, &atOnce)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        #expect(signal == SIGTSTP)
    }

    @Test("every way to give the terminal back leaves it as it was, once")
    func restores() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        terminal.paint(grid("x"))
        #expect(!pty.isCooked)
        _ = pty.output()
        terminal.restore()
        #expect(pty.outputText().contains(Self.leaveAlternateScreen))
        #expect(pty.isCooked)
        terminal.restore()
        restoreTerminalFromSignalHandler()
        terminal.paint(grid("y"))
        terminal.resize()
        terminal.suspend()
        terminal.resume()
        #expect(pty.output().isEmpty)
        #expect(terminal.readKey() == .closed)
    }

    @Test("a terminal that accepts nothing is reported, and neither bell nor title nor the exit wait for it")
    func hangingLine() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        terminal.paint(grid("x"))
        _ = pty.output()
        #expect(terminal.takesOutput)
        pty.fill()
        #expect(!terminal.takesOutput)
        terminal.ring()
        terminal.show(title: "72")
        #expect(!pty.output().contains(7) && terminal.takesOutput)
        pty.fill()
        terminal.suspend()
        #expect(pty.isCooked)
        terminal.resume()
        pty.fill()
        terminal.restore()
        #expect(pty.isCooked && pty.outputText().contains(Self.leaveAlternateScreen))
    }

    @Test("a frame that is accepted in part is completed later, without waiting")
    func partOfAFrame() throws {
        let pty = try PseudoTerminal(columns: 200, rows: 60)
        let terminal = try terminal(pty)
        let letters = ["qw", "zx"].map { String(repeating: $0, count: 100) }
        var count = 0
        // There is no reader: sooner or later a frame finds room for its beginning only.
        while !terminal.isOutputWaiting, count < 1000 {
            count += 1
            var grid = Grid(columns: 200, rows: 60)
            for row in 0..<60 {
                // Two letters in turn that the next frame does not have, so that every cell is written.
                grid.put(letters[count % 2], .plain, in: Area(column: 0, row: row, columns: 200, rows: 1))
            }
            terminal.paint(grid)
        }
        #expect(terminal.isOutputWaiting && !terminal.takesOutput)
        var text = ""
        while terminal.isOutputWaiting {
            text += pty.outputText()
            terminal.sendWaitingOutput()
        }
        text += pty.outputText()
        let ending = letters.map { letters in text.count { letters.contains($0) } }
        // Nothing of any frame is missing.
        #expect(ending == [count / 2, (count + 1) / 2].map { $0 * 12_000 })
        terminal.paint(grid("after it", columns: 200, rows: 60))
        #expect(pty.outputText().contains("after it"))
        terminal.restore()
    }

    @Test("Ctrl-S does not stop the screen, after a suspension neither, and is the shell's again at the end")
    func flowControl() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        for text in ["one", "two"] {
            pty.type("\u{13}")
            #expect(terminal.readKey() == .key(.other) && terminal.takesOutput)
            terminal.paint(grid(text))
            #expect(pty.outputText().contains(text))
            terminal.suspend()
            #expect(pty.stopsOnControlS)
            terminal.resume()
        }
        terminal.restore()
        #expect(pty.stopsOnControlS)
    }

    @Test("a terminal that is let go is given back")
    func deinitRestores() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        do {
            let terminal = try terminal(pty)
            terminal.paint(grid("x"))
        }
        #expect(pty.outputText().hasSuffix(Self.leaveAlternateScreen) || pty.isCooked)
        #expect(pty.isCooked)
    }

    @Test("a fatal signal's handler gives the terminal back without ncurses")
    func restoresFromHandler() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        terminal.paint(grid("x"))
        _ = pty.output()
        restoreTerminalFromSignalHandler()
        let text = pty.outputText()
        #expect(text.contains(Self.leaveAlternateScreen))
        #expect(text.contains("\u{1B}[?25h"))
        #expect(!text.contains("$<"))
        #expect(pty.isCooked)
        restoreTerminalFromSignalHandler()
        #expect(pty.output().isEmpty)
    }

    @Test("suspending gives the terminal back for a while, resuming shows the same again")
    func suspends() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        terminal.paint(grid("before"))
        _ = pty.output()
        terminal.suspend()
        #expect(pty.outputText().contains(Self.leaveAlternateScreen))
        #expect(pty.isCooked)
        terminal.paint(grid("unseen"))
        #expect(pty.output().isEmpty)
        terminal.resume()
        terminal.paint(grid("after"))
        let text = pty.outputText()
        #expect(text.contains(Self.enterAlternateScreen))
        #expect(text.contains("after"))
        #expect(!pty.isCooked)
    }

    @Test("a new size is taken over and the next grid fills it")
    func resizes() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        terminal.paint(grid("x"))
        pty.resize(columns: 120, rows: 40)
        terminal.resize()
        #expect(terminal.size == (120, 40))
        _ = pty.output()
        let wide = String(repeating: "w", count: 119)
        terminal.paint(grid(wide, columns: 120, rows: 40))
        #expect(pty.outputText().contains("www"))
        #expect(terminal.readKey() == .nothing)
    }

    @Test("all is written again after a size that came and went unnoticed")
    func briefSize() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        terminal.paint(grid("heart rate 72"))
        pty.resize(columns: 8, rows: 2)
        pty.resize(columns: 80, rows: 24)
        _ = pty.output()
        terminal.resize()
        terminal.paint(grid("heart rate 73"))
        #expect(pty.outputText().contains("heart rate 73"))
    }

    @Test("many sizes one after the other do no harm, even when the grid is of another size")
    func resizeStorm() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        for step in 0..<300 {
            let columns = 1 + step * 37 % 200
            let rows = 1 + step * 17 % 60
            pty.resize(columns: columns, rows: rows)
            if step % 3 != 0 { terminal.resize() }
            terminal.paint(grid("体x", columns: columns, rows: rows))
            _ = pty.output()
        }
        #expect(terminal.readKey() == .nothing)
    }

    @Test("keys arrive one by one, without waiting")
    func keys() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        terminal.paint(grid("x"))
        #expect(terminal.readKey() == .nothing)
        pty.type("jä?\r\n\u{1B}OA\u{1B}OB\u{1B}[5~\u{01}\u{7F}q\u{1B}[3~\u{15}\u{05}\u{02}")
        let expected: [Key] = [
            .character("j"), .character("ä"), .character("?"), .enter, .enter, .up, .down, .pageUp, .home, .backspace,
            .character("q"), .delete, .eraseLine, .end, .other,
        ]
        for key in expected {
            #expect(terminal.readKey() == .key(key))
        }
        #expect(terminal.readKey() == .nothing)
        pty.type("\u{1B}")
        #expect(terminal.readKey() == .key(.escape))
    }

    @Test(
        "what comes with an Esc and is no key of ours is one unknown key, never the letters in it",
        arguments: [
            "\u{1B}q", "\u{1B}\r", "\u{1B}[?1;2c", "\u{1B}[<0;10;10M", "\u{1B}[M qq", "\u{1B}[1;99q", "\u{1B}Oq",
            "\u{1B}\u{1B}q", "\u{1B}]11;rgb:aaaa/ssss/qqqq\u{07}", "\u{1B}P>|q\u{1B}\\",
        ])
    func sequences(sequence: String) throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        terminal.paint(grid("x"))
        pty.type(sequence + "j")
        #expect(terminal.readKey() == .key(.other))
        #expect(terminal.readKey() == .key(.character("j")))
        #expect(terminal.readKey() == .nothing)
    }

    @Test("pasted text is no keys but text, however it arrives")
    func paste() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        terminal.paint(grid("x"))
        #expect(terminal.readKey() == .nothing)
        func pasted(_ text: String) {
            for scalar in text.unicodeScalars { #expect(terminal.readKey() == .key(.pasted(scalar))) }
        }
        pty.type("\u{1B}[200~quit\rq\u{1B}[20")
        pasted("quit\rq")
        #expect(terminal.readKey() == .nothing)
        pty.type("qä")
        // What began like the end of the paste was none; its last character is lost with it.
        pasted("ä")
        #expect(terminal.readKey() == .nothing)
        pty.type("q\u{1B}[201~j")
        pasted("q")
        #expect(terminal.readKey() == .key(.character("j")))
        #expect(terminal.readKey() == .nothing)
        terminal.restore()
        #expect(pty.outputText().contains("\u{1B}[?2004l"))
    }

    @Test("a terminal that is closed is reported as closed, again and again")
    func hangUp() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        terminal.paint(grid("x"))
        pty.hangUp()
        #expect(terminal.readKey() == .closed)
        terminal.paint(grid("y"))
        #expect(terminal.readKey() == .closed)
    }

    @Test("without colours alarms are still distinguished by attributes", arguments: [true, false])
    func colors(isColorRefused: Bool) throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        var traits = Self.traits
        traits.isColorRefused = isColorRefused
        let terminal = try terminal(pty, traits)
        defer { terminal.restore() }
        var grid = Grid(columns: 80, rows: 24)
        grid.put("FEVER", Style(.alarmHigh, [.bold, .reverse]), in: grid.area)
        terminal.paint(grid)
        let text = pty.outputText()
        #expect(text.contains("48;5;160") == !isColorRefused)
        #expect((text.contains(";7m") || text.contains("[7m")) == isColorRefused)
    }

    @Test("the cursor goes where the grid says, and is seen only where that is wanted", arguments: [true, false])
    func cursor(isShown: Bool) throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try Terminal(
            input: pty.slave, output: pty.slave, traits: Self.traits, isCursorShown: isShown)
        defer { terminal.restore() }
        var grid = grid("x")
        grid.cursor = Grid.Position(column: 6, row: 4)
        terminal.paint(grid)
        let text = pty.outputText()
        #expect(text.contains("\u{1B}[?25l") == !isShown)
        #expect(text.hasSuffix("\u{1B}[5;7H"))
    }

    @Test("what cannot show a screen is refused with a sentence, and left alone")
    func refuses() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        for (type, error) in [
            ("", TerminalError.noTerminalType), ("no-such-terminal", .unknownTerminalType("no-such-terminal")),
            ("dumb", .noCursorMovement("dumb")),
        ] {
            var traits = Self.traits
            traits.type = type
            #expect(throws: error) { try terminal(pty, traits) }
            #expect(pty.isCooked)
        }
        let file = open("/dev/null", O_RDWR)
        defer { close(file) }
        #expect(throws: TerminalError.notATerminal) { try Terminal(input: file, output: file, traits: Self.traits) }
    }

    @Test("the program's signal handlers are its own")
    func signalsStay() throws {
        let pty = try PseudoTerminal(columns: 80, rows: 24)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        for signal in [SIGINT, SIGTERM, SIGTSTP, SIGWINCH] {
            var action = sigaction()
            sigaction(signal, nil, &action)
            #expect(action.__sigaction_handler.sa_handler == nil, "\(signal)")
        }
    }
}
