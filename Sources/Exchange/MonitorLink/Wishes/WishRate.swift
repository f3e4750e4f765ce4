import Base
import Vitals

/// The permitted rate of wishes per connection: as fast as a user presses keys, with short bursts.
public struct WishRate: Hashable, Sendable {
    /// The greatest number at once.
    public static let burst = 40

    private var pace = Pace(interval: .milliseconds(100), burst: burst)
    private var refusedAt: Moment?

    /// Creates a rate with the full burst available.
    public init() {}

    /// Whether one more wish is allowed now; counts it if so.
    public mutating func allows(at now: Moment) -> Bool {
        guard pace.allows(at: now.monotonicNanoseconds) else { return false }
        pace.count(at: now.monotonicNanoseconds)
        return true
    }

    /// Whether to report a refusal: at most once a second.
    public mutating func mayComplain(at now: Moment) -> Bool {
        if let refusedAt, now.since(refusedAt) < .seconds(1), now >= refusedAt { return false }
        refusedAt = now
        return true
    }
}
