import Appearance
import Monitoring
import Vitals

/// A user's request by a key that does more than change the view.
public enum Intent: Hashable, Sendable {
    /// A command about sensors or the radio.
    case command(SensorCommand)
    /// Acknowledge all alarms.
    case acknowledge
    /// Apply this to the monitor's state: an answer to alarms, a limit, a neutrophil count, another patient.
    case answer(UserAction)
    /// Change the setting with this name.
    case changeSetting(String, SettingChange)
    /// Keep the changed settings for later starts.
    case keepSettings
    /// Keep this rule for the values of a vital in the settings.
    case saveLimit(Vital, LimitSetting)
    /// Speak the present values.
    case speakValues
    /// Monitor here instead of the viewed monitor.
    case takeOver
    /// Control the replay.
    case replay(ReplayWish)
    /// Suspend the program until it is resumed, as the shell does with Ctrl-Z.
    case stop
    /// End the program.
    case quit
}
