/// When a device is connected again whose link was lost.
///
/// The first attempt follows at once; each later one waits twice as long as the one before, up to a limit.
public struct ReconnectPolicy: Hashable, Sendable {
    /// The delay before the second attempt.
    public var firstDelay: Duration
    /// The longest delay.
    public var longestDelay: Duration
    /// How many attempts follow one loss; `nil` for no limit.
    public var attempts: Int?

    public init(firstDelay: Duration = .seconds(1), longestDelay: Duration = .seconds(60), attempts: Int? = nil) {
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.attempts = attempts
    }

    /// The program connects again by itself.
    public static let never = ReconnectPolicy(attempts: 0)
    /// Attempts without an end, at least one a minute.
    public static let always = ReconnectPolicy()
}
