import Vitals

/// Puts together what a sensor sends in pieces.
struct FrameAssembler: Hashable, Sendable {
    /// What has come and was not used.
    private(set) var octets: [UInt8] = []
    private let limit: Int
    private var newest: Moment?

    /// After a longer pause, what has come before is no part of what comes now.
    static let longestPause = Duration.seconds(3)

    /// - Parameter limit: The most octets that are kept; the oldest are dropped.
    init(limit: Int) { self.limit = limit }

    /// Takes a piece.
    mutating func append(_ piece: [UInt8], at now: Moment) {
        if let newest, now.since(newest) > Self.longestPause { octets = [] }
        newest = now
        octets += piece
        if octets.count > limit { octets.removeFirst(octets.count - limit) }
    }

    /// Drops the first octets.
    mutating func drop(_ count: Int) { octets.removeFirst(min(count, octets.count)) }

    /// Drops everything.
    mutating func clear() { octets = [] }
}
