import Vitals

/// Recognises that each value of a sensor arrives several times, because BlueZ signals it once for every subscribed
/// program, and those copies could not be removed earlier.
///
/// A value that equals the previous one within 50 ms adds nothing, whether it is a copy or the sensor repeated it.
struct ValueCopies: Codable, Hashable, Sendable {
    private static let longestPause = Duration.milliseconds(50)
    /// The number of successive values that must agree before ``areExpected`` changes.
    private static let certainty = 3

    /// Whether the newest outcome repeats the previous one.
    private(set) var isRepeat = false
    /// Whether values arrive several times each.
    private(set) var areExpected = false
    private var last: Reading.Outcome?
    private var lastArrival = MonotonicTime(nanoseconds: 0)
    private var isRepeated = false
    private var agreeing = 0

    /// Records an outcome.
    mutating func arrived(_ outcome: Reading.Outcome, at time: MonotonicTime) {
        defer { (last, lastArrival) = (outcome, time) }
        isRepeat = outcome == last && time.since(lastArrival) <= Self.longestPause
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
