import Vitals

/// Assembles frames that a sensor sends in pieces.
struct FrameAssembler: Hashable, Sendable {
    /// The received octets that were not used yet.
    private(set) var octets: [UInt8] = []
    private let limit: Int
    private var newest: Moment?

    /// After a longer pause, earlier octets do not belong to the next frame.
    static let longestPause = Duration.seconds(3)

    /// Creates an assembler.
    ///
    /// - Parameter limit: The most octets to keep; the oldest are dropped.
    init(limit: Int) { self.limit = limit }

    /// Appends a piece.
    mutating func append(_ piece: [UInt8], at now: Moment) {
        if let newest, now.since(newest) > Self.longestPause { octets = [] }
        newest = now
        octets += piece
        if octets.count > limit { octets.removeFirst(octets.count - limit) }
    }

    mutating func drop(_ count: Int) { octets.removeFirst(min(count, octets.count)) }

    /// Drops everything.
    mutating func clear() { octets = [] }
}
