extension SettingTable {
    static let freshness: [Setting] = [
        Setting(
            "freshness", "stale_after", \.monitor.freshness.staleFactor, .number("a whole number", 1...100),
            "A value is dimmed when it is older than this many of the sensor's usual intervals."),
        Setting(
            "freshness", "lost_after", \.monitor.freshness.lostFactor, .number("a whole number", 1...1000),
            "A value is taken away, and its sensor called silent, after this many intervals."),
        Setting(
            "freshness", "shortest_interval", \.monitor.freshness.shortestInterval,
            .duration(.milliseconds(1)...(.seconds(3600))), "No sensor's usual interval is taken for shorter."),
        Setting(
            "freshness", "longest_interval", \.monitor.freshness.longestInterval,
            .duration(.milliseconds(1)...(.seconds(3600))), "No sensor's usual interval is taken for longer."),
        Setting(
            "freshness", "assumed_interval", \.monitor.freshness.assumedInterval,
            .duration(.milliseconds(1)...(.seconds(3600))),
            "The interval of rates and saturation until two values have come."),
        Setting(
            "freshness", "assumed_temperature_interval", \.monitor.freshness.assumedTemperatureInterval,
            .duration(.milliseconds(1)...(.seconds(3600))),
            "The interval of temperatures until two values have come."),
    ]

    static let freshnessRules: [SettingRule] = [
        SettingRule(
            "freshness.stale_after", \.monitor.freshness.staleFactor, .atMost,
            "freshness.lost_after", \.monitor.freshness.lostFactor),
        SettingRule(
            "freshness.shortest_interval", \.monitor.freshness.shortestInterval, .atMost,
            "freshness.longest_interval", \.monitor.freshness.longestInterval),
    ]

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
    ]

    static let technicalRules: [SettingRule] = [
        SettingRule(
            "technical.battery_low", \.monitor.technical.batteryLow, .below,
            "technical.battery_recovered", \.monitor.technical.batteryRecovered)
    ]
}
