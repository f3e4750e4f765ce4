/// When to reconnect a device whose link was lost.
///
/// The first attempt follows at once; each later delay is twice the one before, up to a limit.
public struct ReconnectPolicy: Hashable, Sendable {
    /// The delay before the second attempt.
    public var firstDelay: Duration
    /// The longest delay.
    public var longestDelay: Duration
    /// The number of attempts after a loss; `nil` for no limit.
    public var attempts: Int?

    public init(firstDelay: Duration = .seconds(1), longestDelay: Duration = .seconds(60), attempts: Int? = nil) {
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.attempts = attempts
    }

    /// No automatic reconnection.
    public static let never = ReconnectPolicy(attempts: 0)
    /// Attempts without an end, at least one a minute.
    public static let always = ReconnectPolicy()
}
