import Glibc
import Terminal

/// Gives the terminal back when the program crashes, so that a fault does not leave the user without a shell.
enum CrashGuard {
    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

    /// Sets handlers for the signals of a crash; each restores the terminal and then lets the crash happen.
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
