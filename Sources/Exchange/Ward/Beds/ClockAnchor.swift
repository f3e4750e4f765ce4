import Base
import Vitals
import WardMessages

/// A pair of readings of the ward's clock and of the bed's, which bounds the age of every message.
///
/// The bed reads its clock after the ward's request and returns it with the answer, so the reading is not older than
/// the request. A message whose time stamp is later or earlier by some time was sent later or earlier by that time. So
/// a message that was delayed on its way gets its true age, not the age since its arrival.
struct ClockAnchor: Hashable, Sendable {
    /// When the ward sent the request.
    let asked: MonotonicTime
    /// The bed's clock when the request arrived, in milliseconds.
    let bootMilliseconds: Int64
    /// When the answer arrived.
    let answered: MonotonicTime
    /// How long the bed delayed the answer, in milliseconds.
    var waited: Int64 = 0

    /// How long it is used: the clocks of two computers drift apart by up to a tenth of a second in that time.
    static let lifetime = Duration.seconds(900)
    /// The age at which a new one is requested.
    static let renewal = Duration.seconds(300)
    /// The age at which one with a slow answer is replaced.
    static let hurriedRenewal = Duration.seconds(10)
    /// The longest time of an answer that need not be replaced soon.
    private static let promptness = Duration.milliseconds(500)

    /// The latest possible time at which a message was sent, but not after its arrival.
    func sent(_ stamp: WardStamp, received: MonotonicTime) -> MonotonicTime {
        let difference = stamp.bootMilliseconds.subtractingSaturated(bootMilliseconds).multipliedSaturated(
            by: 1_000_000)
        return min(asked.advanced(byNanoseconds: difference), received)
    }

    /// The latest possible time of the bed's clock, in milliseconds.
    func bootMilliseconds(at now: MonotonicTime) -> Int64 {
        bootMilliseconds.addingSaturated(now.nanoseconds(since: asked) / 1_000_000)
    }

    /// When a new one is requested.
    var renewalDue: MonotonicTime {
        let isPrompt = answered.since(asked) - .milliseconds(waited) <= Self.promptness
        return answered.advanced(by: isPrompt ? Self.renewal : Self.hurriedRenewal)
    }

    /// When it expires.
    var expiry: MonotonicTime { answered.advanced(by: Self.lifetime) }
}
