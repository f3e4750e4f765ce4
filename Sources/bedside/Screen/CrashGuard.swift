import Glibc
import Terminal

/// Gives the terminal back when a signal ends the program, so that a fault does not leave the user without a shell.
enum CrashGuard {
    /// The signals of a crash, Ctrl-\ (which the Swift runtime would answer with a stack trace across the screen), and
    /// what else ends a program that does not expect it.
    private static let signals = [
        SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
    ]

    /// Sets handlers for the signals; each restores the terminal and then lets the program end by it.
    static func install() {
        // A stack overflow leaves no room for a handler on the stack that overflowed.
        let size = 64 * 1024
        var stack = stack_t(ss_sp: malloc(size), ss_flags: 0, ss_size: size)
        sigaltstack(&stack, nil)
        for signal in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                restoreTerminalFromSignalHandler()
                // The handler is gone with its first call (SA_RESETHAND): this time the default happens.
                raise(number)
            }
            action.sa_flags = Int32(SA_ONSTACK) | Int32(bitPattern: UInt32(SA_RESETHAND)) | Int32(SA_NODEFER)
            sigaction(signal, &action, nil)
        }
    }
}
