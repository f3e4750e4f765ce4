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

    /// The delay after so many failures in a row, from 1.
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
