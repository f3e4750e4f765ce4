import Vitals

/// A run of a monitor that is over, as the store keeps it.
public struct RecordedRun: Hashable, Sendable {
    /// When the program started; later moments of the run are on its monotonic clock.
    public var start: Moment
    /// When it ended.
    public var end: Moment
    /// What was recorded, in the order of time.
    public var contents: [RecordedContent]
    /// What outlives it.
    public var memory: MonitorMemory

    public init(start: Moment, end: Moment, contents: [RecordedContent], memory: MonitorMemory) {
        (self.start, self.end, self.contents, self.memory) = (start, end, contents, memory)
    }
}
