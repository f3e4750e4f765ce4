import Appearance
import Monitoring
import Vitals

/// What the user asked for by a key, beyond what only changes the view.
public enum Intent: Hashable, Sendable {
    /// Do this about sensors or the radio.
    case command(SensorCommand)
    /// Acknowledge all alarms.
    case acknowledge
    /// Apply this to the monitor's state: an answer to alarms, a limit, a neutrophil count, another patient.
    case answer(UserAction)
    /// Change the setting with this name.
    case changeSetting(String, SettingChange)
    /// Keep the changed settings for later starts.
    case keepSettings
    /// Keep this rule about the values of a vital in the settings.
    case saveLimit(Vital, LimitSetting)
    /// Have the present values spoken.
    case speakValues
    /// Monitor here instead of the viewed monitor.
    case takeOver
    /// Have this done about the recording that is played.
    case replay(ReplayWish)
    /// Suspend the program until it is resumed, as the shell does with Ctrl-Z.
    case stop
    /// End the program.
    case quit
}
