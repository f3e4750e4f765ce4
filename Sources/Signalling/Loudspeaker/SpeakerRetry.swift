/// After what time a process that sounds is started again: soon while an alarm sounds, later and later otherwise.
struct SpeakerRetry: Hashable, Sendable {
    /// Whether anything could be heard before.
    private(set) var hasWorked = false
    /// How many processes have ended since one last worked.
    private var failures = 0

    /// The longest times while an alarm sounds where something could be heard before, while one sounds elsewhere, and
    /// otherwise.
    private static let longest = (
        soundingAgain: Duration.seconds(1), sounding: Duration.seconds(10), quiet: Duration.seconds(60)
    )

    /// A process works.
    mutating func worked() { (hasWorked, failures) = (true, 0) }

    /// A process has ended, or could not be started.
    ///
    /// - Parameter isSounding: Whether an alarm sounds.
    /// - Returns: After what time the next one is started.
    mutating func failed(whileSounding isSounding: Bool) -> Duration {
        let first = isSounding ? Duration.milliseconds(100) : .seconds(1)
        let longest = !isSounding ? Self.longest.quiet : hasWorked ? Self.longest.soundingAgain : Self.longest.sounding
        let delay = min(longest, first * (1 << failures))
        failures = min(failures + 1, 10)
        return delay
    }
}
