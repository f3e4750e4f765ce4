import CNcurses
import Glibc
import Synchronization

/// The sequences and settings that restore a terminal, accessible to the handler of a fatal signal.
final class TerminalRestoration {
    private let memory: UnsafeMutablePointer<Memory>

    /// Plain memory, so that a signal handler needs neither locks nor allocation.
    fileprivate struct Memory {
        var descriptor: CInt
        var settings: termios
        var text: UnsafeMutableBufferPointer<UInt8>
        /// The pipe of the process that guards the terminal; negative for none.
        var guardDescriptor: CInt
    }

    /// The descriptor of the terminal.
    let descriptor: CInt

    /// Reads the sequences from ncurses; call it after ncurses has started.
    ///
    /// - Parameter ending: A sequence to write in addition.
    init(descriptor: CInt, termios: termios, ending: String = "") {
        self.descriptor = descriptor
        // End bracketed paste and keypad mode, reset attributes and colours, clear the screen, where the picture would
        // stay if there is no alternate one, show the cursor, leave the alternate screen.
        var bytes: [UInt8] = []
        // Switches mouse reports off, which only xterm and compatible terminals send.
        if cncurses_capability("kmous") != nil { bytes += Array("\u{1B}[?1000l\u{1B}[?1006l".utf8) }
        for capability in ["BD", "rmkx", "sgr0", "oc", "clear", "cnorm", "rmcup"] {
            guard let sequence = cncurses_capability(capability) else { continue }
            bytes += Self.withoutPadding(String(cString: sequence).utf8)
        }
        bytes += Array(ending.utf8)
        let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = text.initialize(from: bytes)
        memory = .allocate(capacity: 1)
        memory.initialize(
            to: Memory(descriptor: descriptor, settings: termios, text: text, guardDescriptor: -1))
    }

    deinit {
        disarm()
        memory.pointee.text.deallocate()
        memory.deallocate()
    }

    /// Makes ``restoreTerminalFromSignalHandler()`` restore this terminal.
    func arm() {
        armed.store(UInt(bitPattern: memory), ordering: .releasing)
    }

    /// Makes the signal handler leave this terminal alone.
    func disarm() {
        _ = armed.compareExchange(expected: UInt(bitPattern: memory), desired: 0, ordering: .acquiringAndReleasing)
    }

    /// The pipe to which the signal handler reports that it has restored the terminal; negative for none.
    var guardDescriptor: CInt {
        get { memory.pointee.guardDescriptor }
        set { memory.pointee.guardDescriptor = newValue }
    }

    /// What another process needs to restore the terminal; `nil` if the terminal is gone.
    func guardMessage(sentence: String) -> TerminalGuardMessage? {
        var shown = termios()
        guard tcgetattr(descriptor, &shown) == 0 else { return nil }
        return TerminalGuardMessage(
            program: getpid(), settings: memory.pointee.settings, shownSettings: shown,
            restoring: Array(memory.pointee.text), sentence: sentence)
    }

    /// Restores the terminal's former settings.
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

/// The address of the memory of the terminal to restore; 0 when none is in use.
private let armed = Atomic<UInt>(0)

/// Restores the terminal in use from the handler of a fatal signal; does nothing when none is in use.
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
    var owner = TerminalGuardMessage.Owner.shellAfterCrash.rawValue
    if memory.pointee.guardDescriptor >= 0 { _ = write(memory.pointee.guardDescriptor, &owner, 1) }
}
