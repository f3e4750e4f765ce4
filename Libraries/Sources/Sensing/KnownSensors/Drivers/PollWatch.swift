import Vitals

/// Decides when a sensor that must be polled is left alone, so that it can sleep: not worn, or silent.
struct PollWatch: Hashable, Sendable {
    /// Whether the last poll was answered.
    private(set) var isAnswered = true
    private var notWornSince: Moment?
    /// For how long polls were not answered.
    private var silence = Duration.zero

    /// How long it may be off the body before polling ends.
    static let idleLimit = Duration.seconds(120)
    /// How long it may be silent before polling ends.
    private static let longestSilence = Duration.seconds(10)

    /// The time from a poll to the next one.
    ///
    /// A wave is no reason to ask more often than for the values while nothing is measured.
    func interval(_ wave: DriverWave) -> Duration { wave.isWanted && notWornSince == nil ? .seconds(1) : .seconds(2) }

    /// Records that it is polled.
    mutating func ask() { isAnswered = false }

    /// Handles the end of a polling interval; returns whether to poll again.
    mutating func intervalEnded(_ interval: Duration) -> Bool {
        silence += interval
        // A sensor that does not answer polls has fallen asleep, or the link is dead.
        return silence <= Self.longestSilence
    }

    /// Handles an answer; returns whether polling goes on.
    ///
    /// - Parameter isWorn: Whether it is on the body, without an error.
    mutating func answered(isWorn: Bool, at now: Moment) -> Bool {
        (isAnswered, silence) = (true, .zero)
        let since = isWorn ? now : notWornSince ?? now
        notWornSince = isWorn ? nil : since
        return now.since(since) < Self.idleLimit
    }
}
