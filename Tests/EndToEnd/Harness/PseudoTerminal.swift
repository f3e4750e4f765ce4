import CSpawn
import Glibc

/// The two ends of a pseudo-terminal.
///
/// Our end of the program's side stays open, so that the terminal's settings can be read after the program has ended.
final class PseudoTerminal {
    /// The terminal's side: what the program writes is read here.
    private(set) var master: Int32
    /// The path of the program's side.
    let path: String
    private var slave: Int32
    private let settingsAtStart: termios

    init(columns: Int, rows: Int) throws {
        master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        // Not `ptsname`, whose answer all threads share.
        var name = [CChar](repeating: 0, count: 64)
        guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, ptsname_r(master, &name, name.count) == 0 else {
            throw HarnessError("no pseudo-terminal can be had: \(String(cString: strerror(errno)))")
        }
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var settings = termios()
        guard slave >= 0, tcgetattr(slave, &settings) == 0 else {
            close(master)
            throw HarnessError("\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        settingsAtStart = settings
        resize(columns: columns, rows: rows)
    }

    deinit {
        hangUp()
    }

    /// Changes the size; the program gets SIGWINCH.
    func resize(columns: Int, rows: Int) {
        _ = cspawn_set_window_size(master, UInt16(rows), UInt16(columns))
    }

    /// Reads everything that the program has written so far.
    func readAll(_ handle: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) { buffer in
            while case let count = read(master, buffer.baseAddress, buffer.count), count > 0 {
                handle(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }

    /// Writes invisible output on the program's side until the line takes nothing more.
    func fill() {
        let descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        let bytes = [UInt8](repeating: 0, count: 4096)
        while write(descriptor, bytes, bytes.count) > 0 {}
        close(descriptor)
    }

    /// Types bytes.
    func type(_ bytes: [UInt8]) {
        // A few bytes always fit into the kernel's queue unless the program stopped reading, which the test will see.
        _ = write(master, bytes, bytes.count)
    }

    /// Whether line editing, echo, signals and all other settings are as they were before the program.
    var hasSettingsOfStart: Bool {
        var now = termios()
        guard tcgetattr(slave, &now) == 0 else { return false }
        let before = settingsAtStart
        return now.c_iflag == before.c_iflag && now.c_oflag == before.c_oflag && now.c_cflag == before.c_cflag
            && now.c_lflag == before.c_lflag
            && withUnsafeBytes(of: now.c_cc) { now in
                withUnsafeBytes(of: before.c_cc) { now.elementsEqual($0) }
            }
    }

    /// Pulls the plug, as a terminal window does that is closed.
    func hangUp() {
        if master >= 0 { close(master) }
        if slave >= 0 { close(slave) }
        master = -1
        slave = -1
    }
}
