import Glibc

/// What the program sends to the process that guards its terminal: how to restore it once, then each change of who has it.
struct TerminalGuardMessage {
    /// The program's process.
    var program: pid_t
    /// The settings to restore.
    var settings: termios
    /// The settings while the screen is shown; where others are found, somebody else has taken the terminal over.
    var shownSettings: termios
    /// The sequences that restore the terminal.
    var restoring: [UInt8]
    /// What to write below, before the time of day.
    var sentence: [UInt8]

    /// Who has the terminal.
    enum Owner: UInt8 {
        /// The program, whose screen is shown.
        case program = 0x70
        /// The shell, as after Ctrl-Z.
        case shell = 0x73
        /// The shell, because the program is about to end by a fatal signal and has restored the terminal.
        case shellAfterCrash = 0x63
        /// Nobody who needs a guard: the program ends as it should.
        case nobody = 0x6E
    }

    private static let headSize = MemoryLayout<pid_t>.size + 2 * MemoryLayout<termios>.size + 4

    /// The octets to send: both ends are the same program.
    var octets: [UInt8] {
        var octets: [UInt8] = []
        withUnsafeBytes(of: program) { octets += $0 }
        withUnsafeBytes(of: settings) { octets += $0 }
        withUnsafeBytes(of: shownSettings) { octets += $0 }
        for text in [restoring, sentence] { octets += [UInt8(text.count >> 8 & 0xFF), UInt8(text.count & 0xFF)] }
        return octets + restoring + sentence
    }

    /// Reads a message, and removes it from the octets; `nil` while a part of it is missing.
    init?(takenFrom octets: inout [UInt8]) {
        guard octets.count >= Self.headSize else { return nil }
        let sizes = octets[(Self.headSize - 4)..<Self.headSize].map(Int.init)
        let (first, second) = (sizes[0] << 8 | sizes[1], sizes[2] << 8 | sizes[3])
        guard octets.count >= Self.headSize + first + second else { return nil }
        (program, settings, shownSettings) = octets.withUnsafeBytes { bytes in
            let start = MemoryLayout<pid_t>.size
            return (
                bytes.loadUnaligned(as: pid_t.self), bytes.loadUnaligned(fromByteOffset: start, as: termios.self),
                bytes.loadUnaligned(fromByteOffset: start + MemoryLayout<termios>.size, as: termios.self)
            )
        }
        restoring = Array(octets[Self.headSize..<(Self.headSize + first)])
        sentence = Array(octets[(Self.headSize + first)..<(Self.headSize + first + second)])
        octets.removeFirst(Self.headSize + first + second)
    }

    init(program: pid_t, settings: termios, shownSettings: termios, restoring: [UInt8], sentence: String) {
        (self.program, self.settings, self.shownSettings) = (program, settings, shownSettings)
        (self.restoring, self.sentence) = (Array(restoring.prefix(0xFFFF)), Array(sentence.utf8.prefix(0xFF)))
    }
}
