import Base

/// The labels that every output of a session must show (simulated, replay, patient), and the local time.
///
/// An output is made with it and replaces it as a whole, so that no label can be forgotten.
public struct SessionContext: Hashable, Sendable {
    /// Whether the data are simulated; may be unknown.
    public var provenance: Provenance
    /// Whether a recording is played.
    public var isReplay: Bool
    /// The patient; `nil` for the unnamed patient.
    public var patient: PatientName?
    /// The local time's offset from UTC in seconds, positive to the east.
    public var timeZoneOffset: Int

    public init(provenance: Provenance, isReplay: Bool = false, patient: PatientName?, timeZoneOffset: Int) {
        (self.provenance, self.isReplay) = (provenance, isReplay)
        (self.patient, self.timeZoneOffset) = (patient, timeZoneOffset)
    }

    /// Whether the data are known to be simulated.
    public var isSimulated: Bool { provenance == .simulated }
}

/// The local time's offset from UTC, now and in the past, so that a typed time is read with the offset of its own day.
public struct LocalTimeZone: Codable, Hashable, Sendable {
    /// The present offset, in seconds, positive to the east.
    public var offset: Int
    /// When the offset changed, the newest change first.
    public var changes: [Change]

    /// A change of the clocks.
    public struct Change: Codable, Hashable, Sendable {
        /// The time of the change, in seconds since 1970 (UTC).
        public var moment: Int64
        /// The offset before, in seconds.
        public var offsetBefore: Int

        public init(moment: Int64, offsetBefore: Int) {
            self.moment = moment
            self.offsetBefore = offsetBefore
        }
    }

    public init(offset: Int, changes: [Change] = []) {
        self.offset = offset
        self.changes = changes
    }

    /// The offset at a moment, in seconds.
    public func offset(at moment: Int64) -> Int {
        changes.last { moment < $0.moment }?.offsetBefore ?? offset
    }

    /// The moments with this local time, the earlier one first: two in an hour that is repeated because the clocks were
    /// set back, none in one that was skipped because they were set forward.
    ///
    /// - Parameter local: Seconds from 1970-01-01T00:00 of the local time.
    public func moments(ofLocal local: Int64) -> [Int64] {
        let moments = Set([offset] + changes.map(\.offsetBefore)).map { local.subtractingSaturated(Int64($0)) }
        return moments.filter { Int64(offset(at: $0)) == local.subtractingSaturated($0) }.sorted()
    }

    /// The moment of a local time that was skipped when the clocks were set forward, as if they had not been.
    ///
    /// - Parameter local: Seconds from 1970-01-01T00:00 of the local time.
    public func momentWithoutChange(ofLocal local: Int64) -> Int64 {
        let before = changes.first { change in
            let shown = change.moment.addingSaturated(Int64(change.offsetBefore))
            return shown <= local && local < change.moment.addingSaturated(Int64(offset(at: change.moment)))
        }
        return local.subtractingSaturated(Int64(before?.offsetBefore ?? offset))
    }
}

/// Whether a session's data come from real sensors or from a simulator.
///
/// It is known once the message bus has identified itself, and does not change afterwards.
public enum Provenance: String, Codable, Hashable, Sendable {
    /// No bus has been reached yet, so nothing can have been measured.
    case unknown
    /// Real sensors.
    case real
    /// Simulated sensors.
    case simulated
}
