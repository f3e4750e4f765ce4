import Vitals

/// Whether a ward's screens can see this monitor, by the broker to which it is published.
public enum WardLink: Codable, Hashable, Sendable {
    /// The broker takes what is published.
    case connected
    /// It does not, since this moment; `reason` is for people: "Connection refused".
    case lost(reason: String, since: Moment)
}

extension MonitorState {
    /// How long the broker may be away before that is an alarm; restarting it takes less.
    private static let wardLostDelay = Duration.seconds(10)

    /// Takes in whether a ward can see this monitor.
    ///
    /// It is never more than an alarm of low priority: the alarms at the bed do not need the ward.
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
