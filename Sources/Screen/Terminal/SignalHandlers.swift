import Glibc

/// Prevents ncurses from handling signals, which the program handles.
///
/// Quirk ncurses-takes-signals: `newterm` sets handlers, which are restored afterwards.
///
/// Quirk ncurses-drops-ctrl-z: unless `SIGTSTP` had a handler at the first `newterm`, every `doupdate` ignores it
/// meanwhile, and the kernel then drops a blocked, pending one that the program would read as an event.
enum SignalHandlers {
    /// Runs code that may set signal handlers, and restores the former ones.
    static func keeping<Result>(_ body: () -> Result) -> Result {
        let signals = [SIGINT, SIGTERM, SIGTSTP, SIGWINCH]
        let saved = signals.map { signal in
            var action = sigaction()
            sigaction(signal, nil, &action)
            return action
        }
        var handled = sigaction()
        handled.__sigaction_handler.sa_handler = { _ in }
        sigaction(SIGTSTP, &handled, nil)
        let result = body()
        for (signal, action) in zip(signals, saved) {
            var action = action
            sigaction(signal, &action, nil)
        }
        return result
    }
}
