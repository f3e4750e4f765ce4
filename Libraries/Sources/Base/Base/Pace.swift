/// How often something may happen: once an interval in the long run, and several times at once after a quiet time.
///
/// Times are those of one clock that is never set, in nanoseconds.
public struct Pace: Hashable, Sendable {
    /// The interval, in nanoseconds.
    public let interval: Int64
    /// How often it may happen at once.
    public let burst: Int64
    /// When all that has happened would have happened at one interval each.
    private var paidUntil: Int64?

    public init(interval: Duration, burst: Int = 1) {
        self.interval = max(1, interval.nanoseconds)
        self.burst = Int64(max(1, burst))
    }

    /// From when on it may happen again.
    public var next: Int64 {
        paidUntil?.subtractingSaturated((burst - 1).multipliedSaturated(by: interval)) ?? .min
    }

    /// Whether it may happen at a time.
    public func allows(at now: Int64) -> Bool { now >= next }

    /// Records that it happened; where it did not wait for its turn, the next one still waits for one interval at most.
    public mutating func count(at now: Int64) {
        let debt = max(paidUntil ?? .min, now).addingSaturated(interval)
        paidUntil = min(debt, now.addingSaturated(burst.multipliedSaturated(by: interval)))
    }
}

/// Delays between attempts, each twice the one before, up to a bound.
public struct Backoff: Hashable, Sendable {
    /// The delay after the first failure.
    public let first: Duration
    /// The longest delay.
    public let last: Duration
    private var failures = 0

    public init(first: Duration, last: Duration) {
        (self.first, self.last) = (first, last)
    }

    /// The delay after a number of consecutive failures, from 1.
    public func delay(afterFailures failures: Int) -> Duration {
        var delay = first
        var doublings = max(1, failures) - 1
        while doublings > 0, delay < last {
            delay = delay * 2
            doublings -= 1
        }
        return min(delay, last)
    }

    /// The delay before the next attempt; counts the failure that led to it.
    public mutating func next() -> Duration {
        failures += 1
        return delay(afterFailures: failures)
    }

    /// Begins anew after a success.
    public mutating func reset() {
        failures = 0
    }
}
