import Base
import Vitals

/// The permitted rate of wishes per connection: as fast as a user presses keys, with short bursts.
public struct WishRate: Hashable, Sendable {
    /// The greatest number at once.
    public static let burst = 40
    /// The interval after which one more is allowed, in nanoseconds.
    private static let interval: Int64 = 100_000_000

    private var left = burst
    private var filledAt: Moment
    private var refusedAt: Moment?

    /// Creates a rate with the full burst available.
    public init(at now: Moment) {
        filledAt = now
    }

    /// Whether one more wish is allowed now; counts it if so.
    public mutating func allows(at now: Moment) -> Bool {
        let more = now.monotonicNanoseconds.subtractingSaturated(filledAt.monotonicNanoseconds) / Self.interval
        if more > 0 {
            left = Int(min(Int64(Self.burst), Int64(left).addingSaturated(more)))
            filledAt = now
        }
        guard left > 0 else { return false }
        left -= 1
        return true
    }

    /// Whether to report a refusal: at most once a second.
    public mutating func mayComplain(at now: Moment) -> Bool {
        if let refusedAt, now.since(refusedAt) < .seconds(1), now >= refusedAt { return false }
        refusedAt = now
        return true
    }
}
