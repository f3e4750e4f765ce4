/// The permitted uses of a feed's data.
package struct FeedTraits: Hashable, Sendable {
    /// How alarms reach people beyond the screen.
    package enum AlarmSignals: Hashable, Sendable {
        /// By all means in the settings.
        case all
        /// By the bell only: the viewed monitor uses the other means.
        case bell
        /// Not at all: a recording raises no signals.
        case none
    }

    /// Whether this is the patient's monitor: it keeps store and files, resumes earlier runs, and accepts views.
    package var isMonitor: Bool
    /// How alarms reach people beyond the screen.
    package var alarmSignals: AlarmSignals
    /// Whether time advances by the feed's events, stopping at each deadline, so that the result does not depend on the
    /// speed of the computer.
    package var stepsThroughTime: Bool

    /// Sensors, real or simulated.
    package static let live = FeedTraits(isMonitor: true, alarmSignals: .all, stepsThroughTime: false)
    /// A recording.
    package static let replay = FeedTraits(isMonitor: false, alarmSignals: .none, stepsThroughTime: true)
    /// Another monitor process.
    package static let view = FeedTraits(isMonitor: false, alarmSignals: .bell, stepsThroughTime: false)
}
