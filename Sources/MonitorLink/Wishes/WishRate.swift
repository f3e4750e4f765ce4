import SaturatingArithmetic
import Vitals

/// How fast wishes may come by one connection: as fast as fingers press keys, and for a moment faster.
public struct WishRate: Hashable, Sendable {
    /// How many may come at once.
    public static let burst = 40
    /// After how long another one may, in nanoseconds.
    private static let interval: Int64 = 100_000_000

    private var left = burst
    private var filledAt: Moment
    private var refusedAt: Moment?

    /// Makes a rate of which nothing is used.
    public init(at now: Moment) {
        filledAt = now
    }

    /// Whether one more wish may be carried out now, which then counts.
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

    /// Whether a refusal is worth a sentence: once in a second.
    public mutating func mayComplain(at now: Moment) -> Bool {
        if let refusedAt, now.since(refusedAt) < .seconds(1), now >= refusedAt { return false }
        refusedAt = now
        return true
    }
}
