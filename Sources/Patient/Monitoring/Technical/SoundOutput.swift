import Vitals

/// Whether alarms are heard through this computer's sound system.
public enum SoundOutput: Codable, Hashable, Sendable {
    /// Alarms sound, according to the sound system.
    case working
    /// Alarms never sounded; `reason` is for the user: "no sound card".
    case unavailable(reason: String)
    /// Alarms no longer sound.
    case lost(reason: String)
}

extension MonitorState {
    /// How long sound may be lost before that is an alarm; usually it is back sooner.
    private static let soundLostDelay = Duration.seconds(2)

    /// Applies a change of the sound output.
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
