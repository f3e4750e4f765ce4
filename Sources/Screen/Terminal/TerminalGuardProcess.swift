import CSystem
import Glibc

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
