import Appearance
import Base
import Monitoring
import VitalDecoders
import Vitals

extension SettingTable {
    static let screen: [Setting] = [
        Setting(
            "screen", "units", \.screen.units, .word(TemperatureUnit.self), option: "fahrenheit",
            "The unit in which temperatures are shown; those in the configuration file are always in °C."),
        Setting(
            "screen", "glucose_unit", \.screen.glucoseUnit, .word(GlucoseConcentrationUnit.self),
            "The unit in which glucose is shown; limits in the configuration file are always in mg/dL."),
        Setting(
            "screen", "glyphs", \.screen.glyphs, .word(Settings.Glyphs.self), option: "glyphs",
            "The characters to draw with; auto takes the finest set that the locale and the terminal can show."),
        Setting(
            "screen", "color", \.screen.color, .word(Settings.Color.self), option: "color",
            "Whether there is colour; auto means wherever the terminal can, but not where NO_COLOR is set."),
        Setting(
            "screen", "colors", \.screen.colors, .word(Settings.Colors.self), option: "colors",
            """
            The greatest number of colours; auto takes as many as the terminal has. Any colour at all (truecolor) \
            needs a terminal that says so, in its description or in COLORTERM.
            """),
        Setting(
            "screen", "theme", \.screen.theme, .themeName(), option: "theme",
            """
            The colours: dark or light for the background, high-contrast (white on black), color-blind, or the name of a \
            file with a theme of your own (see [theme]); auto takes light where the terminal says that it is, else dark, \
            and terminal does that without ever painting the background.
            """
        ).ofTheTheme,
        Setting(
            "screen", "trend_window", \.screen.trendWindow, .word(Settings.TrendTime.self), option: "trend-window",
            """
            The time window of the trends at the start; the keys + and - change it. Until then auto takes the longest up to \
            8 h of which at least 60 % is known.
            """),
        Setting(
            "screen", "waves", \.screen.waves, .word(Settings.WaveRate.self),
            """
            How many times a second waves are drawn (ECG, plethysmogram), where sensors give them; with off none is shown, \
            and sensors are not asked for any. With reduced motion it is once a second.
            """),
        Setting(
            "screen", "reduce_motion", \.monitor.alarmSignals.isMotionReduced, .yesOrNo(), option: "reduce-motion",
            "Whether alarms stand still instead of flashing."),
        Setting(
            "screen", "mouse", \.screen.usesMouse, .yesOrNo(), option: "mouse",
            "Whether a click selects and the wheel scrolls; the mouse cannot select text for the clipboard then."),
        Setting(
            "screen", "title", \.screen.showsTitle, .yesOrNo(),
            "Whether the terminal's title shows the vital signs and the worst alarm, where the terminal has a title."
        ).fromNextStart,
        Setting(
            "screen", "welcome", \.screen.welcomes, .yesOrNo(), option: "no-welcome",
            "Whether the very first start shows a card that describes Bedside, with simulated sensors, too."
        ).fromNextStart,
        Setting(
            "screen", "show_cursor", \.screen.isCursorShown, .yesOrNo(), option: "show-cursor",
            "Whether the cursor on the selected row is visible; screen readers and braille displays find it anyway."),
        Setting(
            "screen", "bed", \.screen.bed, .text("a label", limit: 64), option: "bed",
            "A label that is shown beside the title, such as \"Bed 12\"; no patient's name belongs here."),
    ].map(\.ofTheLook)

    static let sensors: [Setting] = [
        Setting(
            "sensors", "transmitter", \.sensors.transmitter, .text("the six characters on a transmitter", limit: 6),
            "The identifier of a Dexcom G5 or G6 transmitter, which is printed on it; empty for none."
        ).fromNextStart,
        Setting(
            "sensors", "new_glucose_sensor", \.sensors.newGlucoseSensor, .word(NewSensorPolicy.self),
            "Whether a transmitter, such as a MiaoMiao, may use a new sensor that it has detected; until then it sends nothing."
        ).fromNextStart,
        Setting(
            "sensors", "fetch_nights", \.sensors.nights, .word(NightPolicy.self),
            """
            Whether the nights that an oximeter ring has stored are fetched when it is not worn; with ask a key on its page \
            does that, with never the ring is not even asked for them before that.
            """
        ).fromNextStart,
        Setting(
            "sensors", "users", \.monitor.users, .deviceUsers(),
            """
            Which person of a cuff, meter or scale for several persons is the patient: the name or address of the device \
            and the number there, such as ["Cuff = 2", "Scale = 1"]. What it measured of others is left out. Without it the \
            screen asks when a second person comes.
            """),
        Setting(
            "sensors", "forward_heart_rate", \.sensors.forwardsHeartRate, .yesOrNo(),
            """
            Whether CORE sensors are told the heart rate that a strap measures, which makes their core temperature \
            better; it is written to their control point, and takes the place of a strap that was paired with them.
            """
        ).fromNextStart,
        Setting(
            "sensors", "respiration_estimate", \.sensors.estimatesRespiration, .yesOrNo(),
            """
            Whether breathing is estimated from the ECG and the acceleration of a Polar H10 and shown beside the heart rate, \
            for a person at rest. It is no measurement, is not recorded and raises no alarm, and the strap's battery lasts \
            less long.
            """
        ).fromNextStart,
        Setting(
            "sensors", "adapter", \.sensors.adapter, .text("the name of an adapter, or \"auto\"", limit: 32),
            option: "adapter",
            "The Bluetooth adapter to use, such as \"hci1\"; auto takes the first one that can be used."
        ).fromNextStart,
        Setting(
            "sensors", "rssi_floor", \.sensors.signalFloor, .number("a signal strength in dBm", -120...0).orOff(),
            option: "rssi-floor", "Sensors that are heard more weakly than this are not listed, unless they are wanted."
        ),
        Setting(
            "sensors", "connect", \.sensors.connect, .texts("a list of names or addresses", limit: 128, count: 64),
            option: "connect",
            """
            Sensors to connect to as soon as they are heard, by name or address, such as ["Polar H10", "CORE 1A2B"]; \
            ["all"] takes the vital-sign sensors, at most 24 of each kind.
            """
        ).fromNextStart,
    ]
}

extension SettingCodec {
    /// Persons of devices as a list of texts.
    static func deviceUsers() -> SettingCodec<[DeviceUser]> {
        let expectation = "a list of texts such as \"Cuff = 2\""
        let texts = SettingCodec<[String]>.texts(expectation, limit: DeviceUser.sensorLimit + 8, count: 64)
        return SettingCodec<[DeviceUser]>(
            expectation,
            read: { value throws(SettingError) in
                var users: [DeviceUser] = []
                for text in try texts.read(value) {
                    guard let user = DeviceUser(text) else {
                        throw SettingError(
                            "\"\(sanitized(text, limit: 40))\" is no device with a number from 0 to 254, such as \"Cuff = 2\""
                        )
                    }
                    guard !users.contains(where: { $0.sensor.lowercased() == user.sensor.lowercased() }) else {
                        throw SettingError("there are two numbers for \(user.sensor); a device has one patient")
                    }
                    users.append(user)
                }
                return users
            },
            write: { .texts($0.map(\.text)) })
    }
}
