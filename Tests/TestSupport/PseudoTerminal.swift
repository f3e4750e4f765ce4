import CSpawn
import Glibc

/// The two ends of a pseudo-terminal.
///
/// Our end of the program's side stays open, so that the terminal's settings can be read after the program has ended.
public final class PseudoTerminal {
    /// The terminal's side: what the program writes is read here.
    public private(set) var master: Int32
    /// The path of the program's side.
    public let path: String
    /// The program's side.
    public let slave: Int32
    private let settingsAtStart: termios

    public init(columns: Int, rows: Int) throws {
        master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        // Not `ptsname`, whose answer all threads share.
        var name = [CChar](repeating: 0, count: 64)
        guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, ptsname_r(master, &name, name.count) == 0 else {
            throw TestSupportError("pseudo-terminal", errno)
        }
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var settings = termios()
        guard slave >= 0, tcgetattr(slave, &settings) == 0 else {
            close(master)
            throw TestSupportError(path, errno)
        }
        settingsAtStart = settings
        resize(columns: columns, rows: rows)
    }

    deinit {
        hangUp()
        close(slave)
    }

    /// Changes the size; the program gets SIGWINCH.
    public func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// Reads everything that the program has written so far.
    public func readAll(_ handle: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) { buffer in
            while case let count = read(master, buffer.baseAddress, buffer.count), count > 0 {
                handle(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }

    /// What the program has written since the last call, as text.
    public func outputText() -> String { String(decoding: output(), as: UTF8.self) }

    /// What the program has written since the last call.
    public func output() -> [UInt8] {
        var result: [UInt8] = []
        readAll { result += $0 }
        return result
    }

    /// Writes invisible output on the program's side until the line takes nothing more.
    public func fill() {
        let descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        let bytes = [UInt8](repeating: 0, count: 4096)
        var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // The kernel moves what was written to our end by and by, and takes more then.
        repeat {
            while write(descriptor, bytes, bytes.count) > 0 {}
        } while poll(&watched, 1, 1000) > 0
        close(descriptor)
    }

    /// Types bytes.
    public func type(_ bytes: [UInt8]) {
        // A few bytes always fit into the kernel's queue unless the program stopped reading, which the test will see.
        _ = write(master, bytes, bytes.count)
    }

    /// Types a text.
    public func type(_ text: String) { type(Array(text.utf8)) }

    /// Whether Ctrl-S stops what is written.
    public var stopsOnControlS: Bool { settings.map { $0.c_iflag & tcflag_t(IXON) != 0 } ?? false }

    /// Whether the terminal echoes and reads by lines, as a shell leaves it.
    public var isCooked: Bool {
        settings.map { $0.c_lflag & tcflag_t(ECHO) != 0 && $0.c_lflag & tcflag_t(ICANON) != 0 } ?? false
    }

    private var settings: termios? {
        var now = termios()
        return tcgetattr(slave, &now) == 0 ? now : nil
    }

    /// Whether line editing, echo, signals and all other settings are as they were before the program.
    public var hasSettingsOfStart: Bool {
        guard let now = settings else { return false }
        let before = settingsAtStart
        return now.c_iflag == before.c_iflag && now.c_oflag == before.c_oflag && now.c_cflag == before.c_cflag
            && now.c_lflag == before.c_lflag
            && withUnsafeBytes(of: now.c_cc) { now in
                withUnsafeBytes(of: before.c_cc) { now.elementsEqual($0) }
            }
    }

    /// Pulls the plug, as a terminal window does that is closed.
    public func hangUp() {
        if master >= 0 { close(master) }
        master = -1
    }
}
