import Appearance
import Monitoring
import Vitals

/// What a key asks the program for, beyond what only changes the view.
public enum ScreenWish: Hashable, Sendable {
    /// Ask this of the monitor.
    case monitor(Wish)
    /// Change the setting with this name.
    case changeSetting(String, SettingChange)
    /// Keep the changed settings for later starts.
    case keepSettings
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

    /// Ask this of the monitor, about sensors or the radio.
    public static func sensor(_ wish: SensorWish) -> ScreenWish { .monitor(.sensor(wish)) }

    /// Ask this of the monitor, about alarms, limits or the record.
    public static func patient(_ wish: PatientWish) -> ScreenWish { .monitor(.patient(wish)) }

    /// Ask the monitor to keep this limit of a vital in the settings.
    public static func keepLimit(_ vital: Vital, _ setting: LimitSetting) -> ScreenWish {
        .monitor(.keepLimit(vital, setting))
    }
}
