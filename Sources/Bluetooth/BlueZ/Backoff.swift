/// Delays between attempts, each twice the one before, up to a bound.
struct Backoff {
    let first: Duration
    let last: Duration
    private var current: Duration

    init(first: Duration, last: Duration) {
        self.first = first
        self.last = last
        current = first
    }

    /// The delay before the next attempt.
    mutating func next() -> Duration {
        defer { current = min(current * 2, last) }
        return current
    }

    /// Resets the delay after a success.
    mutating func reset() {
        current = first
    }
}
