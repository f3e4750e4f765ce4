import Base
import Vitals
import WardMessages

/// A pair of readings of the ward's clock and of the bed's, by which the age of every message is bounded.
///
/// The bed read its clock after the ward had asked, and says so in an answer that had to wait, so what the bed's clock showed is not older than the question. A
/// message of which the bed's clock showed so much more, or less, was sent so much later, or earlier. A message that was
/// delayed on its way is therefore as old as it is, and not as young as it looks on arrival.
struct ClockAnchor: Hashable, Sendable {
    /// When the ward asked.
    let asked: MonotonicTime
    /// What the bed's clock showed when the question came, in milliseconds.
    let bootMilliseconds: Int64
    /// When the answer came.
    let answered: MonotonicTime
    /// How long the bed let the question wait, in milliseconds.
    var waited: Int64 = 0

    /// For how long it is used: clocks of two computers drift apart by up to a tenth of a second in that time.
    static let lifetime = Duration.seconds(900)
    /// After how long a new one is wanted.
    static let renewal = Duration.seconds(300)
    /// After how long one that took long to come is replaced.
    static let hurriedRenewal = Duration.seconds(10)
    /// How long an answer takes at most so that it need not be replaced soon.
    private static let promptness = Duration.milliseconds(500)

    /// A time before or at which a message was sent, and not after it came.
    func sent(_ stamp: WardStamp, received: MonotonicTime) -> MonotonicTime {
        let difference = stamp.bootMilliseconds.subtractingSaturated(bootMilliseconds).multipliedSaturated(
            by: 1_000_000)
        return min(asked.advanced(byNanoseconds: difference), received)
    }

    /// What the bed's clock shows at most, in milliseconds.
    func bootMilliseconds(at now: MonotonicTime) -> Int64 {
        bootMilliseconds.addingSaturated(now.nanoseconds(since: asked) / 1_000_000)
    }

    /// When a new one is wanted.
    var renewalDue: MonotonicTime {
        let isPrompt = answered.since(asked) - .milliseconds(waited) <= Self.promptness
        return answered.advanced(by: isPrompt ? Self.renewal : Self.hurriedRenewal)
    }

    /// When it is used no more.
    var expiry: MonotonicTime { answered.advanced(by: Self.lifetime) }
}
