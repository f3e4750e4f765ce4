/// A stored manual entry.
public struct RecordedEntry: Hashable, Sendable {
    /// The entry; its times are on the monotonic clock of its run.
    public var entry: RecordEntry
    /// The number of the program's run in which it was typed.
    public var run: Int64

    public init(_ entry: RecordEntry, run: Int64) {
        self.entry = entry
        self.run = run
    }
}
