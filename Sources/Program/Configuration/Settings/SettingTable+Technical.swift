extension SettingTable {
    static let technical: [Setting] = [
        Setting(
            "technical", "sensor_off_delay", \.monitor.technical.sensorOffDelay,
            .duration(.milliseconds(1)...(.seconds(600))),
            "How long a sensor is off the body before that is an alarm; the banner does not wait."),
        Setting(
            "technical", "link_lost_delay", \.monitor.technical.linkLostDelay,
            .duration(.milliseconds(1)...(.seconds(600))),
            "How long a link is lost before that is an alarm; sensors that reconnect in seconds raise none."),
        Setting(
            "technical", "battery_low", \.monitor.technical.batteryLow, .number("a percentage", 0...100),
            "The battery is low at this level and below, in percent."),
        Setting(
            "technical", "battery_recovered", \.monitor.technical.batteryRecovered,
            .number("a percentage", 0...100), "The battery is no longer low from this level on, in percent."),
        Setting(
            "technical", "equipment_delay", \.monitor.technical.equipmentDelay,
            .duration(.zero...(.seconds(600))), "How long a sensor reports a fault before that is an alarm."),
        Setting(
            "technical", "no_measurement_delay", \.monitor.technical.noMeasurementDelay,
            .duration(.zero...(.seconds(600))),
            "How long a sensor has no measurement for another reason, such as searching, before that is an alarm."),
        Setting(
            "technical", "weak_signal", \.monitor.technical.weakSignal,
            .number("a signal strength in dBm", -127...0).orOff(),
            """
            At this signal strength and below a link is in danger. BlueZ reports none of a connected sensor, so only \
            one that is wanted and not connected is evaluated.
            """),
        Setting(
            "technical", "signal_recovered", \.monitor.technical.signalRecovered,
            .number("a signal strength in dBm", -127...0), "From this signal strength on it is no longer weak."),
        Setting(
            "technical", "weak_signal_delay", \.monitor.technical.weakSignalDelay, .duration(.zero...(.seconds(600))),
            "How long the signal must be weak before that is an alarm."),
        Setting(
            "technical", "malformed_count", \.monitor.technical.malformedCount, .number("a whole number", 1...16),
            "How many malformed values within malformed_window raise an alarm."),
        Setting(
            "technical", "malformed_window", \.monitor.technical.malformedWindow,
            .duration(.seconds(1)...(.seconds(3600))), "The time within which they are counted."),
        Setting(
            "technical", "system_delay", \.monitor.technical.systemDelay, .duration(.zero...(.seconds(600))),
            "How long Bluetooth cannot be used before that is an alarm."),
        Setting(
            "technical", "notice_time", \.monitor.technical.noticeDuration,
            .duration(.seconds(10)...(.seconds(86_400))),
            "For how long it is shown that the clock jumped or the computer slept."),
    ]

    static let technicalRules: [SettingRule] = [
        SettingRule(
            "technical.battery_low", \.monitor.technical.batteryLow, .below,
            "technical.battery_recovered", \.monitor.technical.batteryRecovered),
        SettingRule("technical.weak_signal", .below, "technical.signal_recovered", text: { "\($0)" }) { settings in
            (settings.monitor.technical.weakSignal, settings.monitor.technical.signalRecovered)
        },
    ]
}
