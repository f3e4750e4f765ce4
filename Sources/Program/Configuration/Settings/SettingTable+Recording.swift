extension SettingTable {
    static let recording: [Setting] = [
        Setting(
            "recording", "enabled", \.recording.isEnabled, .yesOrNo(),
            "Whether readings are recorded; the alarm log is kept in any case."),
        Setting(
            "recording", "raw", \.recording.keepsNotifications, .yesOrNo(),
            """
            Whether the octets of every notification are recorded, too; malformed ones always are.
            """),
        Setting(
            "recording", "keep_days", \.recording.keptDays, .number("a number of days", 1...36_500).orOff(),
            "For how many days readings and alarms are kept; off for no limit."),
        Setting(
            "recording", "keep_entries_days", \.recording.keptEntryDays,
            .number("a number of days", 1...36_500).orOff(),
            """
            For how many days the entries of the patient's record are kept: blood counts, medication, symptoms, values and \
            notes; off for no limit.
            """),
        Setting(
            "recording", "size_limit_mb", \.recording.sizeLimit,
            .number("a number of megabytes", 20...10_000_000).orOff(),
            "The size of the store at which its oldest readings make room for new ones; off for no such limit."),
    ].map(\.fromNextStart)
}

extension Settings {
    /// What is recorded, and for how long.
    public struct Recording: Hashable, Sendable {
        /// Whether readings are recorded.
        public var isEnabled = true
        /// Whether the octets of every notification are recorded, too.
        public var keepsNotifications = false
        /// How many days readings and alarms are kept; `nil` for ever.
        public var keptDays: Int? = 365
        /// How many days the entries of the record are kept; `nil` for ever.
        public var keptEntryDays: Int?
        /// The greatest size of the store in megabytes; `nil` for no limit.
        public var sizeLimit: Int? = 4000

        public init() {}
    }
}
