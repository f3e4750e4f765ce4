extension SettingTable {
    static let freshness: [Setting] = [
        Setting(
            "freshness", "stale_after", \.monitor.freshness.staleFactor, .number("a whole number", 1...100),
            "A value is dimmed when it is older than this many of the sensor's usual intervals."),
        Setting(
            "freshness", "lost_after", \.monitor.freshness.lostFactor, .number("a whole number", 1...1000),
            "A value is removed, and its sensor counts as silent, after this many intervals."),
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
}
