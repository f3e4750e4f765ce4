/// How much one side of a connection puts up with before it ends the connection.
public struct MonitorSocketLimits: Hashable, Sendable {
    /// The longest line that is read, in octets without the line feed.
    public var longestLine: Int
    /// How much may wait for the other side to read it, in octets.
    public var unread: Int
    /// How many connections a server keeps at the same time (``MonitorSocketServer/keep(_:reserve:)``).
    public var connections: Int
    /// How many more there may be, which give way to new ones: so somebody who asks once is answered always.
    public var passing: Int
    /// How long a server waits for the first line of a connection.
    public var timeout: Duration

    /// Makes limits; the usual ones are wide for everything that a monitor is asked.
    public init(
        longestLine: Int = 64 * 1024, unread: Int = 1 << 20, connections: Int = 32, passing: Int = 8,
        timeout: Duration = .seconds(10)
    ) {
        self.longestLine = longestLine
        self.unread = unread
        self.connections = connections
        self.passing = passing
        self.timeout = timeout
    }
}
