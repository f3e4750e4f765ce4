import CNcurses
import Glibc
import Synchronization

/// What must be written and set to give a terminal back, kept where even a fatal signal's handler can reach it.
final class TerminalRestoration {
    private let memory: UnsafeMutablePointer<Memory>

    /// Plain memory, so that a signal handler needs neither locks nor allocation.
    fileprivate struct Memory {
        var descriptor: CInt
        var settings: termios
        var text: UnsafeMutableBufferPointer<UInt8>
    }

    /// Asks ncurses for the sequences; call it once ncurses is up.
    ///
    /// - Parameter ending: What is written besides.
    init(descriptor: CInt, termios: termios, ending: String = "") {
        // Pasted text unmarked, leave keypad mode, ordinary attributes and colours, visible cursor, leave the alternate screen.
        var bytes: [UInt8] = []
        // What xterm and its likes understand, which alone report the mouse: not to tell any more.
        if cncurses_capability("kmous") != nil { bytes += Array("\u{1B}[?1000l\u{1B}[?1006l".utf8) }
        for capability in ["BD", "rmkx", "sgr0", "oc", "cnorm", "rmcup"] {
            guard let sequence = cncurses_capability(capability) else { continue }
            bytes += Self.withoutPadding(String(cString: sequence).utf8)
        }
        bytes += Array(ending.utf8)
        let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = text.initialize(from: bytes)
        memory = .allocate(capacity: 1)
        memory.initialize(to: Memory(descriptor: descriptor, settings: termios, text: text))
    }

    deinit {
        disarm()
        memory.pointee.text.deallocate()
        memory.deallocate()
    }

    /// From now on ``restoreTerminalFromSignalHandler()`` gives this terminal back.
    func arm() {
        armed.store(UInt(bitPattern: memory), ordering: .releasing)
    }

    /// The terminal is given back, or is about to be; a signal handler need not do it any more.
    func disarm() {
        _ = armed.compareExchange(expected: UInt(bitPattern: memory), desired: 0, ordering: .acquiringAndReleasing)
    }

    /// Puts the terminal's settings back as they were before.
    func restoreSettings() {
        tcsetattr(memory.pointee.descriptor, TCSADRAIN, &memory.pointee.settings)
    }

    /// A sequence without the delays that terminfo marks as `$<5>`.
    private static func withoutPadding(_ sequence: String.UTF8View) -> [UInt8] {
        var result: [UInt8] = []
        var isPadding = false
        for byte in sequence {
            if byte == UInt8(ascii: "<"), result.last == UInt8(ascii: "$") {
                result.removeLast()
                isPadding = true
            } else if isPadding {
                isPadding = byte != UInt8(ascii: ">")
            } else {
                result.append(byte)
            }
        }
        return result
    }
}

/// The address of the memory of the terminal that is to be given back; 0 when none is in use.
private let armed = Atomic<UInt>(0)

/// Gives the terminal in use back from within the handler of a fatal signal; does nothing when none is in use.
///
/// Uses only an atomic load, `write` and `tcsetattr`, which may be called in signal handlers (signal-safety(7)).
public func restoreTerminalFromSignalHandler() {
    let address = armed.exchange(0, ordering: .acquiringAndReleasing)
    guard let memory = UnsafeMutablePointer<TerminalRestoration.Memory>(bitPattern: address) else { return }
    var offset = 0
    while offset < memory.pointee.text.count {
        let written = write(
            memory.pointee.descriptor, memory.pointee.text.baseAddress?.advanced(by: offset),
            memory.pointee.text.count - offset)
        guard written > 0 else { break }
        offset += written
    }
    tcsetattr(memory.pointee.descriptor, TCSANOW, &memory.pointee.settings)
}
