extension SettingTable {
    static let views: [Setting] = [
        Setting(
            "views", "control", \.monitor.viewsMayAct, .yesOrNo(),
            """
            Whether views, and any other program of the same user at the monitor's socket, may act on the monitor: \
            acknowledge alarms, pause the sound, change limits, enter values, connect sensors. While they may not, \
            they only look. A program that may open the socket could also end Bedside, so false guards against \
            mistakes only.
            """)
    ]
}
