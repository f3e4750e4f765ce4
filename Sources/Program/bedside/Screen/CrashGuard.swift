import Glibc
import Terminal

/// Restores the terminal when a signal ends the program, so that the shell stays usable.
enum CrashGuard {
    /// The signals of a crash, of Ctrl-\ (for which the Swift runtime would print a stack trace across the screen), and
    /// other fatal signals.
    private static let signals = [
        SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
    ]

    /// Sets handlers for the signals; each restores the terminal and then raises the signal again.
    static func install() {
        // A stack overflow leaves no room for a handler on the stack that overflowed.
        let size = 64 * 1024
        var stack = stack_t(ss_sp: malloc(size), ss_flags: 0, ss_size: size)
        sigaltstack(&stack, nil)
        for signal in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                restoreTerminalFromSignalHandler()
                // The handler was removed by its first call (SA_RESETHAND): this time the default action follows.
                raise(number)
            }
            action.sa_flags = Int32(SA_ONSTACK) | Int32(bitPattern: UInt32(SA_RESETHAND)) | Int32(SA_NODEFER)
            sigaction(signal, &action, nil)
        }
    }
}
