/// A period without data, or a jump of the wall clock.
///
/// Measurements in it are lost; earlier values must not be drawn or computed as if they continued through it.
public struct Gap: Codable, Hashable, Sendable {
    /// Its beginning: the last moment at which everything worked.
    public var from: Moment
    /// Its end.
    ///
    /// After ``GapReason/clockSet`` only the wall times of `from` and `to` differ: the time that the clock would have
    /// shown, and the one that it shows.
    public var to: Moment
    /// The cause.
    public var reason: GapReason

    public init(from: Moment, to: Moment, reason: GapReason) {
        self.from = from
        self.to = to
        self.reason = reason
    }
}

/// The cause of a gap; the raw value is the word in `bedside watch --json`.
public enum GapReason: String, CaseIterable, Codable, Hashable, Sendable {
    /// The computer slept.
    case asleep
    /// The user or a time server set the clock; no data are missing, but wall times before and after cannot be
    /// compared.
    case clockSet = "clock_set"
    /// bluetoothd was not running.
    case daemon
    /// The message bus was not reachable.
    case bus
    /// The message bus did not answer; what was sent meanwhile came late.
    case busSilent = "bus_silent"
    /// bluetoothd did not answer; what was sent meanwhile came late.
    case daemonSilent = "daemon_silent"
    /// The adapter was missing or off.
    case adapter
    /// Bedside was not running, or could not keep up.
    case program

    /// Whether nothing could be heard though the sensors may have sent, so that their silence says nothing about them.
    public var hidesSensors: Bool {
        switch self {
        case .program, .busSilent, .daemonSilent: true
        case .asleep, .clockSet, .daemon, .bus, .adapter: false
        }
    }
}
