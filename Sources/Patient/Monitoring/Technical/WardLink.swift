import Vitals

/// Whether a ward's screens can see this monitor through the broker.
public enum WardLink: Codable, Hashable, Sendable {
    /// The broker accepts messages.
    case connected
    /// The broker is lost since this moment; `reason` is for the user: "Connection refused".
    case lost(reason: String, since: Moment)
}

extension MonitorState {
    /// How long the broker may be lost before that is an alarm; restarting it takes less.
    private static let wardLostDelay = Duration.seconds(10)

    /// Applies a change of the ward's view of this monitor.
    ///
    /// It never raises more than an alarm of low priority, because the alarms at the bed do not need the ward.
    ///
    /// - Returns: The effects, including those of the time that passed until then.
    public mutating func apply(_ link: WardLink, at moment: Moment) -> [Effect] {
        var effects = advance(to: moment)
        environment.wardLink = link
        var finding: (detail: String?, priority: AlarmPriority)?
        if case .lost(let reason, _) = link { finding = ("\(reason); alarms here are not affected", .low) }
        effects += evaluateComputer(.wardLost, finding, delay: Self.wardLostDelay)
        return effects + settle()
    }
}
