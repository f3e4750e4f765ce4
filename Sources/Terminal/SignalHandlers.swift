import Glibc

/// Quirk ncurses-takes-signals: keeps it from doing so, for signals are the program's business.
enum SignalHandlers {
    /// Does something that may set signal handlers, and puts the former ones back.
    static func keeping<Result>(_ body: () -> Result) -> Result {
        let signals = [SIGINT, SIGTERM, SIGTSTP, SIGWINCH]
        let saved = signals.map { signal in
            var action = sigaction()
            sigaction(signal, nil, &action)
            return action
        }
        let result = body()
        for (signal, action) in zip(signals, saved) {
            var action = action
            sigaction(signal, &action, nil)
        }
        return result
    }
}
