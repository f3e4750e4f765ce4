import Vitals

/// Whether alarms are heard through this computer's sound system.
public enum SoundOutput: Codable, Hashable, Sendable {
    /// They are, as far as the sound system says.
    case working
    /// They never were; `reason` is for people: "no sound card".
    case unavailable(reason: String)
    /// They no longer are.
    case lost(reason: String)
}

extension MonitorState {
    /// How long sound may be lost before that is an alarm; usually it is back sooner.
    private static let soundLostDelay = Duration.seconds(2)

    /// Takes in whether alarms are heard.
    ///
    /// - Returns: The effects, including those of the time that passed until then.
    public mutating func apply(_ output: SoundOutput, at moment: Moment) -> [Effect] {
        var effects = advance(to: moment)
        environment.soundOutput = output
        var finding: (detail: String?, priority: AlarmPriority)?
        if case .lost(let reason) = output { finding = (reason, .medium) }
        effects += evaluateComputer(.soundLost, finding, delay: Self.soundLostDelay)
        return effects + settle()
    }
}
