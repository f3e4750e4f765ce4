import Vitals

/// What a sensor has handed over in this run, so that each of its measurements is passed on once.
///
/// A meter whose link breaks hands over again what it has handed over before, perhaps more than the record has in memory.
struct HandedOverEntries: Sendable {
    private var known: Set<Key> = []

    /// The most measurements that are recognised; meters store a few thousand.
    static let limit = 10_000

    private struct Key: Hashable {
        let content: RecordEntry.Content
        let time: DeviceTime?
        let sequence: Int?
    }

    /// Takes a measurement; returns whether it is to be passed on.
    ///
    /// Equal measurements of a sensor without clock and numbers pass if they were made on this link; those that it may
    /// have stored, and those at an unknown time, are one.
    mutating func insert(_ content: RecordEntry.Content, _ stamp: SensorStamp) -> Bool {
        let isIdentified = stamp.time != nil || stamp.sequence != nil || !stamp.isTimeKnown || stamp.mayBeStored
        if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
        return known.insert(Key(content: content, time: stamp.time, sequence: stamp.sequence)).inserted || !isIdentified
    }
}
