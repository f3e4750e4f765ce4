extension SettingTable {
    static let fever: [Setting] = [
        Setting(
            "fever", "threshold", \.monitor.fever.threshold, .temperature(3500...4200),
            "A confirmed reading of this temperature or more is fever."),
        Setting(
            "fever", "confirmations", \.monitor.fever.confirmationCount, .number("a whole number", 1...60),
            "How many readings in a row must reach the threshold when the sensor streams."),
    ]

    static let feverRules: [SettingRule] = []
}
