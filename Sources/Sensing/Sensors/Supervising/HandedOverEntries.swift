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
        let user: Int?
    }

    /// Adds a value; returns whether to pass it on.
    ///
    /// Equal measurements of a sensor without clock and numbers pass if they were made on this link; those that it may
    /// have stored, and those at an unknown time, are one.
    mutating func insert(_ content: RecordEntry.Content, _ facts: EntryFacts) -> Bool {
        let isIdentified = facts.deviceTime != nil || facts.sequence != nil || !facts.isTimeKnown || facts.mayBeStored
        if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
        let key = Key(content: content, time: facts.deviceTime, sequence: facts.sequence, user: facts.user)
        return known.insert(key).inserted || !isIdentified
    }
}
