import SaturatingArithmetic

/// Finds out from the loop's own turns that its thread stood still: the process was stopped, traced or starved, or
/// something on the loop did not come back.
///
/// Time is that of the clock which does not count while the computer sleeps: a sleep is no stall.
struct StallDetector {
    /// A shorter stall is the ordinary delay of a busy computer, in nanoseconds.
    let shortest: Int64
    private var lastSign: Int64

    init(shortest: Int64, now: Int64) {
        self.shortest = shortest
        lastSign = now
    }

    /// How long a wait may last at most, in nanoseconds: short enough that what is longer than ``shortest`` was no wait.
    var longestWait: Int64 { shortest / 2 }

    /// The loop is alive.
    ///
    /// - Returns: For how long it was not, in nanoseconds; `nil` when that is too short to matter.
    mutating func alive(now: Int64) -> Int64? {
        defer { lastSign = now }
        let passed = now.subtractingSaturated(lastSign)
        return passed >= shortest ? passed : nil
    }
}

extension EventLoop {
    /// Calls a handler on the loop's thread whenever the loop stood still for a time, with that time in nanoseconds.
    ///
    /// The handler is called before any timer and any descriptor that became ready meanwhile, so whoever reads values
    /// from a descriptor knows that they have waited. While somebody watches, the loop wakes up at least twice in
    /// `shortest`, because nothing in a process can learn afterwards how long it was stopped.
    ///
    /// - Parameters:
    ///   - shortest: What is shorter is not reported; `.zero` ends the watch.
    ///   - handler: Takes the place of the one before.
    public func watchStalls(shortest: Duration, _ handler: @escaping (Int64) -> Void) {
        checkOwnership()
        let nanoseconds = shortest.nanoseconds
        stalls = nanoseconds > 0 ? StallDetector(shortest: nanoseconds, now: Timestamp.awakeNow()) : nil
        stallHandler = stalls == nil ? nil : handler
    }

    /// Calls the handler of ``watchStalls(shortest:_:)`` if the loop stood still since its last sign of life.
    ///
    /// The loop does so by itself before it handles what is ready; whoever handles much in one go can ask in between.
    public func checkForStall() {
        guard let stalled = stalls?.alive(now: Timestamp.awakeNow()) else { return }
        stallHandler?(stalled)
    }
}
