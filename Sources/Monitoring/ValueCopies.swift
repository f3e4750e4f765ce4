import SaturatingArithmetic
import Vitals

/// Recognises that each value of a sensor comes several times, because BlueZ signals it once for every program that has
/// subscribed, and that could not be taken out before.
///
/// A value like the one before, within 50 ms of it, tells nothing new, whether it is a copy or the sensor said it twice.
struct ValueCopies: Codable, Hashable, Sendable {
    private static let longestPause: Int64 = 50_000_000
    /// How many values in succession must have been repeated before that is said, and must not have been before it is
    /// unsaid.
    private static let certainty = 3

    /// Whether the newest outcome repeats the one before.
    private(set) var isRepeat = false
    /// Whether values come several times each.
    private(set) var areExpected = false
    private var last: Reading.Outcome?
    private var lastArrival: Int64 = 0
    private var isRepeated = false
    private var agreeing = 0

    /// Takes note of an outcome.
    mutating func arrived(_ outcome: Reading.Outcome, at nanoseconds: Int64) {
        defer { (last, lastArrival) = (outcome, nanoseconds) }
        isRepeat = outcome == last && nanoseconds.subtractingSaturated(lastArrival) <= Self.longestPause
        guard !isRepeat else {
            isRepeated = true
            return
        }
        // The value before is complete.
        agreeing = isRepeated == areExpected || last == nil ? 0 : agreeing + 1
        isRepeated = false
        guard agreeing >= Self.certainty else { return }
        areExpected.toggle()
        agreeing = 0
    }
}
