import Vitals

/// What a driver is told about the stored nights of its ring.
public struct DriverNights: Hashable, Sendable {
    /// Whether nights are fetched without being asked for.
    public var policy: NightPolicy
    /// The names of the nights that are stored already.
    public var known: Set<String>
    /// The names of the nights that are not fetched unasked, because that has failed often enough.
    public var leftOut: Set<String>
    /// Whether this link is for fetching them.
    public var fetching: Fetching
    /// What an earlier link has brought of a night.
    public var part: NightPart?
    /// What an earlier conversation on this link has reported; `nil` on a new link.
    public var report: SensorNights?

    public init(
        policy: NightPolicy = .never, known: Set<String> = [], leftOut: Set<String> = [],
        fetching: Fetching = .none, part: NightPart? = nil, report: SensorNights? = nil
    ) {
        (self.policy, self.known, self.leftOut) = (policy, known, leftOut)
        (self.fetching, self.part, self.report) = (fetching, part, report)
    }

    /// Which nights are fetched.
    public enum Fetching: Hashable, Sendable {
        /// None.
        case none
        /// Those that are not stored, without those that are left out.
        case unasked
        /// All that are not stored, because somebody has asked for them.
        case asked
    }

    /// What happens to the nights beside the link.
    public enum Event: Hashable, Sendable {
        /// Somebody wants them.
        case wanted
        /// A fetched night is stored, or is not for a reason, a clause.
        case handled(name: String, problem: String?)
    }

    /// What a driver reports of the nights.
    public enum Report: Hashable, Sendable {
        /// All of them, and what has become of each.
        case all(SensorNights)
        /// The next piece of a night's file, to continue after it on the next link; the first one begins the file anew.
        case piece([UInt8], of: String, size: Int, isFirst: Bool)
        /// The whole file of a night; ``Event/handled(name:problem:)`` answers.
        case fetched(FetchedNight)
        /// The ring is asked for its nights: nothing is known of them before the next report.
        case asking
        /// A night could not be fetched, and nothing of it is worth keeping.
        case failed(name: String)
        /// The ring stopped before anything more of a night came; what an earlier link has brought is kept.
        case stalled(name: String)
        /// They can be fetched on a new link alone: end this one, and connect for that.
        case reconnect(Fetching)
    }
}

/// The beginning of the file of a night.
public struct NightPart: Hashable, Sendable {
    /// The name of the file.
    public var name: String
    /// How many octets the sensor says that the whole file has.
    public var size: Int
    /// What came of it, in order.
    public private(set) var octets: [UInt8] = []
    /// The length of its pieces; 0 before the first one.
    public private(set) var pieceLength = 0

    public init(name: String, size: Int) { (self.name, self.size) = (name, size) }

    /// Appends the next piece.
    public mutating func append(_ piece: [UInt8]) {
        if octets.isEmpty { pieceLength = piece.count }
        octets += piece
    }

    /// How much of it is here, in percent.
    public var percent: Int { size > 0 ? min(100, octets.count * 100 / size) : 0 }
}

/// The whole file of a night, as a sensor handed it over.
public struct FetchedNight: Hashable, Sendable {
    /// The name of the file (`NightName`).
    public var name: String
    /// The file.
    public var octets: [UInt8]
    /// When the night begins, in milliseconds since 1970 (UTC).
    public var start: Int64
    /// How far the sensor's clock is ahead in seconds, if the beginning was corrected by that; 0 if it was right.
    public var clockAhead: Int64

    public init(name: String, octets: [UInt8], start: Int64, clockAhead: Int64 = 0) {
        (self.name, self.octets, self.start, self.clockAhead) = (name, octets, start, clockAhead)
    }
}
