import Vitals

/// What the reducer wants told to the readers of the stream, beyond the event itself.
public enum Effect: Hashable, Sendable {
    /// An alarm entered the state (or priority) that it is shown in.
    case alarm(Alarm, Moment)
    /// A vital lost its measurement without the sensor saying so: silence, or a lost link.
    case reading(Reading)
}

/// What a user can do to the monitor's state.
public enum UserAction: Hashable, Sendable {
    /// Acknowledge every active or suspended alarm.
    case acknowledgeAll
    /// Acknowledge the alarm with this number.
    case acknowledge(Alarm.ID)
    /// Declare an episode over; the next time the condition is met, a new one begins.
    case clear(Alarm.ID)
}
