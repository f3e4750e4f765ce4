import Base

/// Detects from the loop's own turns that its thread was stalled: the process was stopped, traced or starved, or a
/// handler blocked.
///
/// Uses the clock that does not count while the computer sleeps: sleep is not a stall.
struct StallDetector {
    /// The shortest stall that is reported, in nanoseconds; shorter ones are ordinary delays.
    let shortest: Int64
    private var lastSign: Int64

    init(shortest: Int64, now: Int64) {
        self.shortest = shortest
        lastSign = now
    }

    /// The longest wait, in nanoseconds; a pause longer than ``shortest`` was therefore not a wait.
    var longestWait: Int64 { shortest / 2 }

    /// Records that the loop is running.
    ///
    /// - Returns: The length of the stall before, in nanoseconds; `nil` when it is too short to report.
    mutating func alive(now: Int64) -> Int64? {
        defer { lastSign = now }
        let passed = now.subtractingSaturated(lastSign)
        return passed >= shortest ? passed : nil
    }
}

extension EventLoop {
    /// Calls a handler on the loop's thread after each stall of the loop, with its length in nanoseconds.
    ///
    /// The handler is called before any timer and any descriptor that became ready meanwhile, so values read from a
    /// descriptor are known to have waited. While watched, the loop wakes up at least twice in `shortest`, because a
    /// process cannot determine afterwards how long it was stopped.
    ///
    /// - Parameters:
    ///   - shortest: Shorter stalls are not reported; `.zero` ends the watch.
    ///   - handler: Replaces the previous one.
    public func watchStalls(shortest: Duration, _ handler: @escaping (Int64) -> Void) {
        checkOwnership()
        let nanoseconds = shortest.nanoseconds
        stalls = nanoseconds > 0 ? StallDetector(shortest: nanoseconds, now: Timestamp.awakeNow()) : nil
        stallHandler = stalls == nil ? nil : handler
    }

    /// Calls the handler of ``watchStalls(shortest:_:)`` if the loop was stalled since the last check.
    ///
    /// The loop checks before it handles ready descriptors; a handler of many events can check in between.
    public func checkForStall() {
        guard let stalled = stalls?.alive(now: Timestamp.awakeNow()) else { return }
        stallHandler?(stalled)
    }
}
