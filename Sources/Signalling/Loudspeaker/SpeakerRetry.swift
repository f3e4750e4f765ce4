/// The delay before the process is restarted: short during an alarm, increasing otherwise.
struct SpeakerRetry: Hashable, Sendable {
    /// Whether anything could be heard before.
    private(set) var hasWorked = false
    /// The number of processes that have ended since the last working one.
    private var failures = 0

    /// The longest delays: during an alarm if sound worked before, during an alarm otherwise, and without an alarm.
    private static let longest = (
        soundingAgain: Duration.seconds(1), sounding: Duration.seconds(10), quiet: Duration.seconds(60)
    )

    /// A process works.
    mutating func worked() { (hasWorked, failures) = (true, 0) }

    /// Records that a process has ended, or could not be started.
    ///
    /// - Parameter isSounding: Whether an alarm sounds.
    /// - Returns: The delay before the next one is started.
    mutating func failed(whileSounding isSounding: Bool) -> Duration {
        let first = isSounding ? Duration.milliseconds(100) : .seconds(1)
        let longest = !isSounding ? Self.longest.quiet : hasWorked ? Self.longest.soundingAgain : Self.longest.sounding
        let delay = min(longest, first * (1 << failures))
        failures = min(failures + 1, 10)
        return delay
    }
}
