import Vitals

/// The values that a sensor has transferred in this run, so that each is passed on once.
///
/// A meter whose link is lost transfers its values again, possibly more than the record has in memory.
struct HandedOverEntries: Sendable {
    private var known: Set<Key> = []

    /// The most values to recognise; meters store a few thousand.
    static let limit = 10_000

    private struct Key: Hashable {
        let content: RecordEntry.Content
        let time: DeviceTime?
        let sequence: Int?
    }

    /// Adds a value; returns whether to pass it on.
    ///
    /// Equal values of a sensor without clock and numbers all pass if they were measured on this link; those that may
    /// be stored, and those at an unknown time, count as one.
    mutating func insert(_ content: RecordEntry.Content, _ stamp: SensorStamp) -> Bool {
        let isIdentified = stamp.time != nil || stamp.sequence != nil || !stamp.isTimeKnown || stamp.mayBeStored
        if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
        return known.insert(Key(content: content, time: stamp.time, sequence: stamp.sequence)).inserted || !isIdentified
    }
}
