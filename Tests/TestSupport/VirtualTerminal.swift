import CVTerm

/// A terminal without glass: it takes what a program writes and knows what a real terminal would show.
public final class VirtualTerminal {
    private let terminal: OpaquePointer
    private let screen: OpaquePointer
    private let callbacks: UnsafeMutablePointer<VTermScreenCallbacks>
    /// The modes that the program has set.
    public fileprivate(set) var modes = TerminalModes()
    /// The newest bytes, with which a sequence may begin.
    private var end: [UInt8] = []

    /// Makes a terminal of a size in cells.
    public init(columns: Int, rows: Int) {
        guard let terminal = vterm_new(Int32(rows), Int32(columns)), let screen = vterm_obtain_screen(terminal) else {
            preconditionFailure("libvterm makes no terminal of \(columns) x \(rows)")
        }
        self.terminal = terminal
        self.screen = screen
        // libvterm keeps the pointer.
        callbacks = .allocate(capacity: 1)
        callbacks.initialize(to: VTermScreenCallbacks())
        callbacks.pointee.settermprop = propertyChanged
        vterm_set_utf8(terminal, 1)
        vterm_screen_set_callbacks(screen, callbacks, Unmanaged.passUnretained(self).toOpaque())
        vterm_screen_enable_altscreen(screen, 1)
        vterm_screen_reset(screen, 1)
        modes = TerminalModes()
    }

    deinit {
        vterm_free(terminal)
        callbacks.deallocate()
    }

    /// Takes bytes that the program wrote.
    ///
    /// - Returns: What the terminal answers, such as its cursor position when it was asked.
    public func write(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        followCursor(bytes)
        vterm_input_write(terminal, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
        vterm_screen_flush_damage(screen)
        var answer = [CChar](repeating: 0, count: 4096)
        let count = vterm_output_read(terminal, &answer, answer.count)
        return answer.prefix(count).map { UInt8(bitPattern: $0) }
    }

    /// Follows by itself whether the cursor is shown.
    ///
    /// libvterm 0.1 keeps that with the position when a program saves the cursor (DECSC), which ncurses does when it
    /// scrolls, and brings it back when the alternate screen is left; a real terminal does not.
    private func followCursor(_ bytes: UnsafeRawBufferPointer) {
        let text = end + bytes
        let sequence = Array("\u{1B}[?25".utf8)
        for start in text.indices.dropLast(sequence.count) where text[start] == sequence[0] {
            guard text[start..<(start + sequence.count)].elementsEqual(sequence) else { continue }
            modes.isCursorVisible = text[start + sequence.count] == UInt8(ascii: "h")
        }
        end = Array(text.suffix(sequence.count))
    }

    /// Gives the terminal another size.
    public func resize(columns: Int, rows: Int) {
        vterm_set_size(terminal, Int32(rows), Int32(columns))
        vterm_screen_flush_damage(screen)
    }

    /// The text of every row now, without its look, as UTF-8: much faster than ``contents``.
    public var rowTexts: [[UInt8]] {
        var (rows, columns): (Int32, Int32) = (0, 0)
        vterm_get_size(terminal, &rows, &columns)
        var text = [CChar](repeating: 0, count: Int(columns) * 16)
        return (0..<rows).map { row in
            let place = VTermRect(start_row: row, end_row: row + 1, start_col: 0, end_col: columns)
            let count = vterm_screen_get_text(screen, &text, text.count, place)
            return text[..<min(count, text.count)].map { UInt8(bitPattern: $0) }
        }
    }

    /// What the terminal shows now.
    public var contents: Screen {
        var rows: Int32 = 0
        var columns: Int32 = 0
        vterm_get_size(terminal, &rows, &columns)
        let cells = (0..<rows).map { row in
            (0..<columns).map { column in cell(row: row, column: column) }
        }
        let cursor = cvterm_cursor(terminal)
        return Screen(
            cells: cells, modes: modes, cursor: CursorPosition(row: Int(cursor.row), column: Int(cursor.col)))
    }

    private func cell(row: Int32, column: Int32) -> ShownCell {
        var found = VTermScreenCell()
        vterm_screen_get_cell(screen, VTermPos(row: row, col: column), &found)
        let scalars = withUnsafeBytes(of: found.chars) { bytes in
            bytes.bindMemory(to: UInt32.self).prefix { $0 != 0 }
        }
        var text = String.UnicodeScalarView()
        for scalar in scalars {
            // The cell right of a wide character holds -1, which is no scalar.
            if let scalar = Unicode.Scalar(scalar) { text.append(scalar) }
        }
        return ShownCell(
            text: scalars.isEmpty ? " " : String(text),
            isBold: found.attrs.bold != 0,
            isUnderlined: found.attrs.underline != 0,
            isReversed: found.attrs.reverse != 0,
            isBlinking: found.attrs.blink != 0,
            foreground: color(found.fg),
            background: color(found.bg))
    }

    private func color(_ color: VTermColor) -> CellColor {
        if cvterm_color_is_default(color) { return .standard }
        let index = cvterm_color_index(color)
        return index >= 0 ? .palette(Int(index)) : .rgb(cvterm_color_rgb(color))
    }
}

private let propertyChanged:
    @convention(c) (VTermProp, UnsafeMutablePointer<VTermValue>?, UnsafeMutableRawPointer?) -> Int32 = {
        property, value, owner in
        guard let value, let owner else { return 0 }
        let terminal = Unmanaged<VirtualTerminal>.fromOpaque(owner).takeUnretainedValue()
        switch property {
        case VTERM_PROP_ALTSCREEN: terminal.modes.isAlternateScreen = value.pointee.boolean != 0
        case VTERM_PROP_MOUSE: terminal.modes.isMouseReported = value.pointee.number != 0
        case VTERM_PROP_TITLE: terminal.modes.title = value.pointee.string.map { String(cString: $0) }
        default: return 0
        }
        return 1
    }
