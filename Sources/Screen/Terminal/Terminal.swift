import Appearance
import CNcurses
import CSystem
import EventLoops
import Glibc
import TextGrid

/// The terminal as a screen of cells and a source of keys, over ncurses.
///
/// ncurses keeps global state and is not thread-safe: use one terminal at a time, always from the same thread. Nothing
/// here blocks: `readKey()` returns at once, and the caller watches ``inputDescriptor`` and the signals.
public final class Terminal {
    /// Becomes readable when a key was pressed or the terminal was closed.
    public let inputDescriptor: CInt
    /// The traits of the terminal from the environment.
    public let traits: TerminalTraits

    private let input: UnsafeMutablePointer<FILE>
    let output: UnsafeMutablePointer<FILE>
    let line: OutputLine
    private let handle: OpaquePointer
    let restoration: TerminalRestoration
    /// The process that restores the terminal if this one is killed.
    var terminalGuard: TerminalGuard?
    private var painter: Painter
    /// The colour of the terminal's own ground; `nil` where it is not known.
    public private(set) var ground: Theme.Color?
    private var phase = Phase.shown
    /// Whether the terminal reports the mouse.
    private(set) var usesMouse = false
    /// Whether Bedside sets the terminal's title while its screen is shown.
    public let hasTitle: Bool
    var title = ""
    /// The present paste, while it arrives.
    var paste: Paste?
    /// The theme for each ground, and the greatest depth, that were asked for.
    private var wanted: (theme: (Theme.Color?) -> Theme, deepest: ColorDepth?)
    /// The question for the terminal's ground, while its answer may come.
    var groundQuestion: GroundQuestion?
    /// The keys that came beside an answer of the terminal, to be read first.
    var keysBesideAnswer: [Input] = []
    /// The number of the descriptor that ncurses reads from.
    var inputStream: CInt { fileno(input) }

    private enum Phase {
        case shown, suspended, restored
    }

    /// Takes over the terminal: alternate screen, single keys without echo.
    ///
    /// The program handles signals: handlers that ncurses sets are removed again, and Ctrl-C still raises `SIGINT`.
    /// - Parameters:
    ///   - inputDescriptor: A descriptor of the terminal for reading.
    ///   - outputDescriptor: A descriptor of the terminal for writing.
    ///   - traits: The traits of the terminal; read from the environment by default.
    ///   - theme: The colours to begin with.
    ///   - isCursorShown: Whether the cursor is visible, for users who follow it.
    ///   - hasTitle: Whether to set the title, if the terminal has one.
    /// - Throws: ``TerminalError`` when it is not a terminal, or cannot show a screen; it is left unchanged then.
    public init(
        input inputDescriptor: CInt = STDIN_FILENO, output outputDescriptor: CInt = STDOUT_FILENO,
        traits: TerminalTraits = .current(), theme: Theme = .dark, isCursorShown: Bool = false, hasTitle: Bool = false
    ) throws(TerminalError) {
        guard isatty(inputDescriptor) == 1, isatty(outputDescriptor) == 1 else { throw .notATerminal }
        guard !traits.type.isEmpty else { throw .noTerminalType }
        guard let input = openStream(inputDescriptor, "r") else { throw .notATerminal }
        guard let output = openStream(outputDescriptor, "w") else {
            fclose(input)
            throw .notATerminal
        }
        let saved = termios(of: outputDescriptor)
        // Quirk initscr-exits: newterm does not end the program for an unknown terminal type.
        let created = SignalHandlers.keeping { newterm(traits.type, output, input) }
        guard let created else {
            fclose(input)
            fclose(output)
            throw .unknownTerminalType(traits.type)
        }
        guard cncurses_capability("cup") != nil else {
            endwin()
            delscreen(created)
            fclose(input)
            fclose(output)
            throw .noCursorMovement(traits.type)
        }
        // Quirk ncurses-flushes-moves: ncurses buffers only after the terminal was released and taken over again. This
        // is done before colours are started, because it would reset colours that the user may have chosen.
        endwin()
        cncurses_refresh()
        handle = created
        self.input = input
        self.output = output
        self.inputDescriptor = inputDescriptor
        self.traits = traits
        cbreak()
        noecho()
        nonl()
        cncurses_keypad(true)
        cncurses_nodelay(true)
        cncurses_immediate_off()
        // A frame is small, and must not be cut short because a key waits.
        typeahead(-1)
        curs_set(isCursorShown ? 1 : 0)
        // Long enough for the rest of an arrow key on a slow line, short enough for Esc to feel instant.
        set_escdelay(25)
        // From here on ncurses writes to memory, and the modes of the terminal are set.
        line = OutputLine(stream: fileno(output))
        (ground, wanted) = (traits.ground, ({ _ in theme }, nil))
        painter = Painter(theme: theme, traits: traits)
        self.hasTitle = hasTitle && TerminalTitle.isPossible(traits)
        restoration = TerminalRestoration(
            descriptor: outputDescriptor, termios: saved, ending: self.hasTitle ? TerminalTitle.restoring : "")
        restoration.arm()
        refuseFlowControl()
        announcePastes(true)
        if self.hasTitle { write(TerminalTitle.saving) }
    }

    deinit {
        restore()
    }

    /// The size in cells, as reported by the terminal.
    public var size: (columns: Int, rows: Int) {
        var window = winsize()
        guard csystem_window_size(line.terminal, &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(window.ws_col), Int(window.ws_row))
    }

    /// Shows a grid; writes only the differences to the last one.
    public func paint(_ grid: Grid) {
        guard phase == .shown else { return }
        painter.paint(grid)
        line.sendCollected()
    }

    /// The colour depth in use.
    public var colorDepth: ColorDepth { painter.colorDepth }

    /// Uses another theme from the next grid on; it paints a background of its own if it is unreadable on the terminal's.
    ///
    /// - Parameters:
    ///   - deepest: The greatest colour depth; `nil` for that of the traits.
    ///   - theme: The colours for a ground of the terminal's; called again when that becomes known later.
    public func use(deepest: ColorDepth? = nil, _ theme: @escaping (Theme.Color?) -> Theme) {
        guard phase != .restored else { return }
        wanted = (theme, deepest)
        painter.use(theme(ground), on: ground, deepest: deepest)
    }

    /// Draws on a ground of the terminal's that has become known.
    func use(ground: Theme.Color) {
        self.ground = ground
        use(deepest: wanted.deepest, wanted.theme)
    }

    /// Switches mouse reports on or off.
    ///
    /// While on, the mouse selects text for the clipboard only with Shift.
    public func useMouse(_ isUsed: Bool) {
        guard phase != .restored, isUsed != usesMouse else { return }
        usesMouse = isUsed && cncurses_watch_mouse(true)
        if !isUsed { _ = cncurses_watch_mouse(false) }
        line.sendCollected()
    }

    /// Shows or hides the cursor; some terminals cannot hide it.
    public func showCursor(_ isShown: Bool) {
        guard phase != .restored else { return }
        curs_set(isShown ? 1 : 0)
        line.sendCollected()
    }

    /// The last mouse action that ncurses decoded; `nil` for an unsupported one.
    private func mouseAction() -> MouseAction? {
        var column: CInt = 0
        var row: CInt = 0
        return switch cncurses_read_mouse(&column, &row) {
        case 1: .click(column: Int(column), row: Int(row))
        case 4: .wheelUp
        case 5: .wheelDown
        default: nil
        }
    }

    /// Reads the new size of the terminal: call it after `SIGWINCH`, then paint.
    public func resize() {
        guard phase == .shown else { return }
        let (columns, rows) = size
        resizeterm(CInt(rows), CInt(columns))
        cncurses_erase()
        // The terminal's content is unknown: it may have been smaller meanwhile, even if it is not now.
        cncurses_redraw()
        painter.forget()
    }

    /// Releases the terminal temporarily, before `SIGTSTP`; painting and keys do nothing until ``resume()``.
    public func suspend() {
        guard phase == .shown else { return }
        line.giveUpWaiting()
        dropGroundQuestion()
        if hasTitle { write(TerminalTitle.restoring) }
        restoration.disarm()
        announcePastes(false)
        phase = .suspended
        line.withTerminal { endwin() }
        terminalGuard?.report(.shell)
    }

    /// Takes over the terminal again after ``suspend()`` and shows the last grid.
    public func resume() {
        guard phase == .suspended else { return }
        phase = .shown
        terminalGuard?.report(.program)
        restoration.arm()
        line.withTerminal { reset_prog_mode() }
        cncurses_refresh()
        line.sendCollected()
        announcePastes(true)
        if hasTitle { write(TerminalTitle.saving + TerminalTitle.setting(title)) }
        resize()
    }

    /// Restores the terminal permanently; calling it again does nothing.
    public func restore() {
        guard phase != .restored else { return }
        restoration.disarm()
        if phase == .shown {
            line.giveUpWaiting()
            dropGroundQuestion()
            announcePastes(false)
            if hasTitle { write(TerminalTitle.restoring) }
            line.withTerminal { endwin() }
        }
        phase = .restored
        delscreen(handle)
        fclose(input)
        fclose(output)
        restoration.restoreSettings()
        endGuard()
    }
}

extension Terminal {
    /// Switches bracketed paste on or off, if the terminal supports it.
    private func announcePastes(_ isAnnounced: Bool) {
        if let sequence = cncurses_capability(isAnnounced ? "BE" : "BD") { write(sequence) }
    }

    /// Writes a sequence outside of ncurses, while the screen is shown.
    func write(_ sequence: UnsafePointer<CChar>) {
        guard phase == .shown else { return }
        line.send(UnsafeBufferPointer(start: sequence, count: strlen(sequence)).lazy.map(UInt8.init(bitPattern:)))
    }

    /// The result of reading a key.
    public enum Input: Hashable, Sendable {
        /// A key was pressed.
        case key(Key)
        /// A mouse action, only after ``Terminal/useMouse(_:)``.
        case mouse(MouseAction)
        /// No input now.
        case nothing
        /// The terminal is closed (hang-up, end of file): no more input follows.
        case closed
    }

    /// Reads a key that has already been pressed; never blocks.
    public func readKey() -> Input {
        guard phase == .shown else { return phase == .restored ? .closed : .nothing }
        if groundQuestion != nil {
            readBesideAnswer(until: Timestamp.monotonicNow() + Self.restLimit)
            endGroundQuestion()
        }
        if !keysBesideAnswer.isEmpty { return keysBesideAnswer.removeFirst() }
        return groundQuestion == nil ? decodedKey() : isClosed ? .closed : .nothing
    }

    /// The next key that ncurses decodes.
    func decodedKey() -> Input {
        while true {
            if paste != nil {
                switch readPaste() {
                case .character(let scalar): return .key(.pasted(scalar))
                case .ended: continue
                case .nothing: return isClosed ? .closed : .nothing
                }
            }
            var character: wint_t = 0
            switch cncurses_read(&character) {
            case OK:
                if character == 0x0C {
                    // Ctrl-L: another program has written on the terminal.
                    cncurses_redraw()
                    cncurses_refresh()
                    line.sendCollected()
                    continue
                }
                guard character == Key.escapeCharacter else { return .key(Key(character: character)) }
                let key = readAfterEscape()
                if paste != nil { continue }
                return .key(key)
            case KEY_CODE_YES:
                // The new size is learned from SIGWINCH, not from this.
                if CInt(bitPattern: character) == KEY_RESIZE { continue }
                if CInt(bitPattern: character) == KEY_MOUSE {
                    guard usesMouse else {
                        skipMouseReport()
                        return .key(.other)
                    }
                    guard let action = mouseAction() else { continue }
                    return .mouse(action)
                }
                return .key(Key(code: CInt(bitPattern: character)))
            default:
                return isClosed ? .closed : .nothing
            }
        }
    }

    /// Whether the other end is closed.
    ///
    /// Quirk ncurses-hides-hang-up: ncurses reports this as "no key pressed".
    private var isClosed: Bool {
        var watched = pollfd(fd: inputDescriptor, events: CShort(POLLIN), revents: 0)
        guard poll(&watched, 1, 0) > 0 else { return false }
        return CInt(watched.revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
    }
}

/// Opens a stream on a copy of a descriptor, so that closing the stream leaves the descriptor open.
private func openStream(_ descriptor: CInt, _ mode: String) -> UnsafeMutablePointer<FILE>? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    guard let stream = fdopen(copy, mode) else {
        close(copy)
        return nil
    }
    return stream
}

/// The settings of a terminal now.
private func termios(of descriptor: CInt) -> termios {
    var settings = termios()
    tcgetattr(descriptor, &settings)
    return settings
}

extension Terminal {
    /// Whether the terminal has a bell, audible or not.
    public var hasBell: Bool { cncurses_capability("bel") != nil }

    /// Rings the terminal's bell once, if it has one, it shows the screen and accepts output.
    public func ring() {
        if takesOutput, let sequence = cncurses_capability("bel") { write(sequence) }
    }
}

/// Prevents ncurses from handling signals, which the program handles.
///
/// Quirk ncurses-takes-signals: `newterm` sets handlers, which are restored afterwards.
///
/// Quirk ncurses-drops-ctrl-z: unless `SIGTSTP` had a handler at the first `newterm`, every `doupdate` ignores it
/// meanwhile, and the kernel then drops a blocked, pending one that the program would read as an event.
enum SignalHandlers {
    /// Runs code that may set signal handlers, and restores the former ones.
    static func keeping<Result>(_ body: () -> Result) -> Result {
        let signals = [SIGINT, SIGTERM, SIGTSTP, SIGWINCH]
        let saved = signals.map { signal in
            var action = sigaction()
            sigaction(signal, nil, &action)
            return action
        }
        var handled = sigaction()
        handled.__sigaction_handler.sa_handler = { _ in }
        sigaction(SIGTSTP, &handled, nil)
        let result = body()
        for (signal, action) in zip(signals, saved) {
            var action = action
            sigaction(signal, &action, nil)
        }
        return result
    }
}
