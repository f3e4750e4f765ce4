import CSystem
import EventLoops
import Glibc

/// The guard of the terminal, as the program sees it: a process that restores the terminal if the program is killed.
///
/// A killed program cannot do that: its last picture would stay, with numbers that are not measured any longer.
final class TerminalGuard {
    private let process: pid_t
    /// The writing end of the guard's pipe, which nothing but this process has.
    let descriptor: CInt

    /// Starts the process; `nil` where that is not possible, which leaves a terminal without a guard.
    ///
    /// - Parameters:
    ///   - command: The guard's program and arguments.
    ///   - terminal: The terminal's descriptor, which it writes to.
    ///   - message: How to restore the terminal.
    init?(_ command: [String], terminal: CInt, _ message: TerminalGuardMessage) {
        var ends: [CInt] = [-1, -1]
        guard csystem_pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        let started = try? ChildProcess.start(command, input: .descriptor(ends[0]), output: .descriptor(terminal))
        guard let started else {
            close(ends[1])
            return nil
        }
        (process, descriptor) = (started, ends[1])
        // A pipe takes the message and all changes; should it ever not, nothing waits for that.
        _ = csystem_set_nonblocking(descriptor)
        send(message.octets)
        report(.program)
    }

    /// Reports who has the terminal.
    func report(_ owner: TerminalGuardMessage.Owner) { send([owner.rawValue]) }

    /// Ends the process, which writes nothing more.
    func end() {
        report(.nobody)
        close(descriptor)
        ChildProcess.end(process)
    }

    private func send(_ octets: [UInt8]) {
        // Without its reader there is nothing to guard with, and SIGPIPE is ignored.
        _ = write(descriptor, octets, octets.count)
    }
}

extension Terminal {
    /// Starts the process that restores the terminal if this program is killed while its screen is shown.
    ///
    /// - Parameters:
    ///   - sentence: What it writes then, before the time of day.
    ///   - command: The process, which runs ``TerminalGuardProcess/run()``.
    public func beginGuard(
        sentence: String, command: [String] = ["/proc/self/exe", TerminalGuardProcess.command]
    ) {
        guard terminalGuard == nil, let message = restoration.guardMessage(sentence: sentence) else { return }
        terminalGuard = TerminalGuard(command, terminal: restoration.descriptor, message)
        restoration.guardDescriptor = terminalGuard?.descriptor ?? -1
    }

    /// Ends the process that guards the terminal.
    func endGuard() {
        restoration.guardDescriptor = -1
        terminalGuard?.end()
        terminalGuard = nil
    }
}

/// What the program sends to the process that guards its terminal: how to restore it once, then each change of who has it.
struct TerminalGuardMessage {
    /// The program's process.
    var program: pid_t
    /// The settings to restore.
    var settings: termios
    /// The settings while the screen is shown; other settings mean that another program has taken over the terminal.
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

/// The process that guards the terminal: this program, started with a command that no user types.
///
/// Its standard input is a pipe from the program, and its standard output the terminal; it has no other descriptors. When
/// the program is gone without having ended, it restores the terminal and writes what that means.
public enum TerminalGuardProcess {
    /// The command by which this program becomes this process.
    public static let command = "terminal-guard"

    /// How long writing may take, in seconds: a terminal that takes nothing must not keep this process.
    private static let writingLimit: UInt32 = 5

    /// Waits for the end of the program.
    public static func run() {
        // What ends or stops the program does not end this process, and it may write though it is in the background.
        for number in [SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGUSR1, SIGUSR2] {
            signal(number, SIG_IGN)
        }
        _ = csystem_set_thread_name(command)
        // Neither a folder nor a disk is in use because of it.
        chdir("/")
        tzset()
        var (octets, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        var message: TerminalGuardMessage?
        var owner = TerminalGuardMessage.Owner.nobody
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            octets += buffer[..<count]
            if message == nil { message = TerminalGuardMessage(takenFrom: &octets) }
            guard message != nil else { continue }
            owner = octets.last.flatMap(TerminalGuardMessage.Owner.init) ?? owner
            octets = []
            if owner == .nobody { return }
        }
        guard let message, owner == .program || owner == .shellAfterCrash, hasEnded(message.program) else { return }
        alarm(writingLimit)
        leave(message, isRestored: owner == .shellAfterCrash)
    }

    /// Whether a program has ended, as its pipe makes believe: nothing is written while it lives.
    ///
    /// It is looked at, and its end is not awaited: the shell learns of that, and would write on the old picture. What ends
    /// gives its memory up before its descriptors, and its arguments with it (proc_pid_cmdline(5)).
    private static func hasEnded(_ program: pid_t) -> Bool {
        let arguments = open("/proc/\(program)/cmdline", O_RDONLY | O_CLOEXEC)
        guard arguments >= 0 else { return true }
        defer { close(arguments) }
        var octet: UInt8 = 0
        return read(arguments, &octet, 1) <= 0
    }

    private static func leave(_ message: TerminalGuardMessage, isRestored: Bool) {
        var (now, local) = (time(nil), tm())
        localtime_r(&now, &local)
        let clock = [local.tm_hour, local.tm_min, local.tm_sec].map { ($0 < 10 ? "0" : "") + String($0) }
        // A line feed alone would not return in the settings of a screen, or of a shell that reads a line already.
        var text = message.sentence + Array(" \(clock.joined(separator: ":")).\r\n".utf8)
        if !isRestored {
            var waiting = pollfd(fd: STDOUT_FILENO, events: CShort(POLLOUT), revents: 0)
            if poll(&waiting, 1, 0) == 0 { tcflush(STDOUT_FILENO, TCOFLUSH) }
            // What the program has not written to its end is cancelled (CAN, ECMA-48).
            text = [0x18] + message.restoring + text
        }
        // At once, because the shell writes, too.
        guard send(text) else { return }
        if !isRestored { restoreSettings(message) }
    }

    /// Restores the settings, unless the shell has done so.
    private static func restoreSettings(_ message: TerminalGuardMessage) {
        var (now, settings) = (termios(), message.settings)
        guard tcgetattr(STDOUT_FILENO, &now) == 0, now.hasFlags(of: message.shownSettings) else { return }
        tcsetattr(STDOUT_FILENO, TCSANOW, &settings)
    }

    /// Writes to the terminal; `false` where it is gone.
    private static func send(_ octets: [UInt8]) -> Bool {
        var rest = octets[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                rest.removeFirst(count)
            } else if count < 0, errno == EAGAIN {
                var waiting = pollfd(fd: STDOUT_FILENO, events: CShort(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            } else if count < 0, errno != EINTR {
                return false
            }
        }
        return true
    }
}

extension termios {
    /// Whether input, output, line editing and signals are set alike.
    fileprivate func hasFlags(of other: termios) -> Bool {
        (c_iflag, c_oflag, c_cflag, c_lflag) == (other.c_iflag, other.c_oflag, other.c_cflag, other.c_lflag)
    }
}
