/// The limits of a connection; exceeding one ends it.
public struct LineSocketLimits: Hashable, Sendable {
    /// The longest line that is read, in bytes without the line feed.
    public var longestLine: Int
    /// How many bytes may wait for the other side to read them.
    public var unread: Int
    /// The greatest number of lasting connections of a server (``LineSocketServer/keep(_:reserve:)``).
    public var connections: Int
    /// The number of further connections; a new one replaces the oldest, so that a single question is always answered.
    public var passing: Int
    /// How long a server waits for the first line of a connection.
    public var timeout: Duration
    /// How long a connection that is finished waits for the other side to read the rest.
    public var ending: Duration

    /// Creates limits; the defaults are generous for every request.
    public init(
        longestLine: Int = 64 * 1024, unread: Int = 1 << 20, connections: Int = 32, passing: Int = 8,
        timeout: Duration = .seconds(10), ending: Duration = .seconds(1)
    ) {
        self.longestLine = longestLine
        self.unread = unread
        self.connections = connections
        self.passing = passing
        self.timeout = timeout
        self.ending = ending
    }
}
