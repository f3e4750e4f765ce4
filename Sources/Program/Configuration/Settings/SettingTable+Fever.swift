import Monitoring

extension SettingTable {
    static let fever: [Setting] = [
        Setting(
            "fever", "rule", \.monitor.fever.rule, .word(FeverRuleName.self),
            """
            The rule in use: bedside, a confirmed reading or an hour with enough samples; or neutrofeverguard, \
            the rule of the app of that name, with its faults.
            """),
        Setting(
            "fever", "threshold", \.monitor.fever.threshold, .temperature(3500...4200),
            "A confirmed reading of this temperature or more is fever."),
        Setting(
            "fever", "confirmation", \.monitor.fever.confirmation, .word(FeverConfirmation.self),
            "What confirms a reading of a sensor that streams; a spot measurement counts alone."),
        Setting(
            "fever", "confirmation_count", \.monitor.fever.confirmationCount, .number("a whole number", 1...60),
            "How many readings in a row must reach the threshold when the sensor streams."),
        Setting(
            "fever", "confirmation_gap", \.monitor.fever.confirmationGap, .duration(.seconds(1)...(.seconds(3600))),
            "Readings further apart than this are not in a row."),
        Setting(
            "fever", "spot_interval", \.monitor.fever.spotInterval, .duration(.seconds(1)...(.seconds(3600))),
            "A thermometer whose values come within this time of each other streams."),
        Setting(
            "fever", "sustained_threshold", \.monitor.fever.sustainedThreshold, .temperature(3500...4200),
            "This temperature or more is fever when it lasts."),
        Setting(
            "fever", "sustained_time", \.monitor.fever.sustainedDuration, .duration(.seconds(600)...(.seconds(14_400))),
            "For how long it must last."),
        Setting(
            "fever", "largest_gap", \.monitor.fever.largestGap, .duration(.seconds(1)...(.seconds(3600))),
            "The longest time between two samples that still belong together."),
        Setting(
            "fever", "coverage", \.monitor.fever.coverage, .number("a percentage", 1...100),
            "How many of a hundred minutes must have samples; with fewer nothing can be evaluated, and the screen says so."
        ),
        Setting(
            "fever", "warm_share", \.monitor.fever.warmShare, .number("a percentage", 1...100),
            "How many of a hundred minutes with samples must have a median of sustained_threshold or more."),
        Setting(
            "fever", "clear_below", \.monitor.fever.clearBelow, .temperature(3400...4200),
            "Only temperatures below this let an episode end."),
        Setting(
            "fever", "clear_time", \.monitor.fever.clearDuration, .duration(.seconds(60)...(.seconds(14_400))),
            "For how long every temperature must be below clear_below until the episode ends."),
        Setting(
            "fever", "alert_again_after", \.monitor.fever.alertAgainAfter, .duration(.seconds(60)...(.seconds(14_400))),
            "After how long an unacknowledged fever alerts again."),
    ]

    static let feverRules: [SettingRule] = [
        SettingRule(
            "fever.sustained_threshold", \.monitor.fever.sustainedThreshold, .atMost,
            "fever.threshold", \.monitor.fever.threshold),
        SettingRule(
            "fever.clear_below", \.monitor.fever.clearBelow, .atMost,
            "fever.sustained_threshold", \.monitor.fever.sustainedThreshold),
        SettingRule(
            "fever.largest_gap", \.monitor.fever.largestGap, .below,
            "fever.sustained_time", \.monitor.fever.sustainedDuration),
    ]
}
