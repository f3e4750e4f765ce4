import Glibc

/// Both ends of a terminal that exists only in the kernel.
final class PseudoTerminal {
    /// The end of the program under test.
    let programEnd: CInt
    /// The end of the person, or the emulator.
    private(set) var personEnd: CInt

    init?(columns: UInt16, rows: UInt16) {
        var person: CInt = -1
        var program: CInt = -1
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&person, &program, nil, nil, &size) == 0 else { return nil }
        personEnd = person
        programEnd = program
        _ = fcntl(person, F_SETFL, O_NONBLOCK)
    }

    deinit {
        hangUp()
        close(programEnd)
    }

    /// What the program has written since the last call.
    func output() -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(personEnd, &buffer, buffer.count)
            guard count > 0 else { return result }
            result += buffer[0..<count]
        }
    }

    /// The same as text.
    func outputText() -> String { String(decoding: output(), as: UTF8.self) }

    /// Presses keys.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(personEnd, bytes, bytes.count)
    }

    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(personEnd, UInt(TIOCSWINSZ), &size)
    }

    /// Closes the window.
    func hangUp() {
        guard personEnd >= 0 else { return }
        close(personEnd)
        personEnd = -1
    }

    /// Whether Ctrl-S stops what is written.
    var stopsOnControlS: Bool {
        var settings = termios()
        tcgetattr(programEnd, &settings)
        return settings.c_iflag & tcflag_t(IXON) != 0
    }

    /// Writes as a program does, until nothing more is taken because there is no reader.
    func fill() {
        let flags = fcntl(programEnd, F_GETFL)
        _ = fcntl(programEnd, F_SETFL, flags | O_NONBLOCK)
        let bytes = [UInt8](repeating: UInt8(ascii: "."), count: 4096)
        while write(programEnd, bytes, bytes.count) > 0 {}
        _ = fcntl(programEnd, F_SETFL, flags)
    }

    /// Whether the terminal echoes and reads by lines, as a shell leaves it.
    var isCooked: Bool {
        var settings = termios()
        tcgetattr(programEnd, &settings)
        return settings.c_lflag & tcflag_t(ECHO) != 0 && settings.c_lflag & tcflag_t(ICANON) != 0
    }
}
