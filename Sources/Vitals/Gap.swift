/// A stretch of time of which nothing is known, or by which the wall clock jumped.
///
/// What a sensor measured in it is lost; nothing may be drawn or computed as if the values before stood for it.
public struct Gap: Codable, Hashable, Sendable {
    /// When it began: the last moment at which all was well.
    public var from: Moment
    /// When it ended.
    ///
    /// After ``GapReason/clockSet`` only the wall times of `from` and `to` differ: what the clock would say had it not
    /// been set, and what it says.
    public var to: Moment
    /// What is to blame.
    public var reason: GapReason

    /// Makes a gap.
    public init(from: Moment, to: Moment, reason: GapReason) {
        self.from = from
        self.to = to
        self.reason = reason
    }
}

/// What is to blame for a gap; the raw value is the word in `bedside watch --json`.
public enum GapReason: String, CaseIterable, Codable, Hashable, Sendable {
    /// The computer slept.
    case asleep
    /// Somebody, or a time server, set the clock; nothing is missing, but wall times before and after do not compare.
    case clockSet = "clock_set"
    /// bluetoothd was not there.
    case daemon
    /// The message bus was not there.
    case bus
    /// The adapter was not there, or off.
    case adapter
    /// This program did not run, or could not keep up.
    case program
}
