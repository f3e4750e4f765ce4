import Monitoring
import Vitals

extension SettingTable {
    static let nightSections: [(name: String, explanation: String)] =
        [("night", "Other limits for the night, where they differ from those above.")]
        + MonitorSettings.Limits.vitals.map { vital in
            (nightSection(of: vital), "Limits of the \(text(of: vital)), by night; \"same\" means as by day.")
        }

    static let night: [Setting] =
        [
            Setting("night", "enabled", \.night.isEnabled, .yesOrNo(), "Whether there are other limits by night."),
            Setting("night", "begins", \.night.begins, .timeOfDay(), "When the night begins, in local time."),
            Setting("night", "ends", \.night.ends, .timeOfDay(), "When the night ends, in local time."),
        ]
        + MonitorSettings.Limits.vitals.flatMap { vital in
            LimitKind.allCases.map { kind in
                Setting(
                    nightSection(of: vital), kind.rawValue, value(of: vital).orOff().or("same"),
                    "By night an alarm is raised \(kind.isLow ? "below" : "above") this.",
                    get: { $0.night.limits[Settings.NightLimit(vital: vital, kind: kind)] },
                    set: { $0.night.limits[Settings.NightLimit(vital: vital, kind: kind)] = $1 })
            }
        }

    static let nightRules: [SettingRule] = MonitorSettings.Limits.vitals.flatMap { vital in
        rules(nightSection(of: vital), vital) { $0.nightLimits }
    }

    private static func nightSection(of vital: Vital) -> String { "night.\(vital.rawValue)" }
}

extension Settings {
    /// Other limits for the night.
    public struct Night: Hashable, Sendable {
        /// Whether there are any.
        public var isEnabled = false
        /// The minute of the local day at which the night begins.
        public var begins = 22 * 60
        /// The minute of the local day at which it ends.
        public var ends = 7 * 60
        /// The limits that differ by night; an entry without a value is off.
        public var limits: [NightLimit: VitalValue?] = [:]

        /// Creates a night without limits.
        public init() {}
    }

    /// A limit of a vital.
    public struct NightLimit: Hashable, Sendable {
        public var vital: Vital
        public var kind: LimitKind

        /// Creates the name of a limit.
        public init(vital: Vital, kind: LimitKind) {
            self.vital = vital
            self.kind = kind
        }
    }

    public var nightLimits: MonitorSettings.Limits {
        var limits = monitor.limits
        for (limit, value) in night.limits { limits[limit.vital]?[limit.kind].value = value }
        return limits
    }

    /// Applies the user's change of a limit.
    ///
    /// By night only the value of a limit can differ; everything else applies all day.
    public mutating func set(_ setting: LimitSetting, of vital: Vital, isNight: Bool) {
        guard isNight, case .limit(let kind, var limit) = setting else {
            monitor.limits[vital]?.set(setting)
            return
        }
        night.limits[NightLimit(vital: vital, kind: kind)] = .some(limit.value)
        limit.value = monitor.limits[vital]?[kind].value
        monitor.limits[vital]?[kind] = limit
    }

    /// The settings of the reducer, including those of the night.
    public var monitorSettings: MonitorSettings {
        var settings = monitor
        if night.isEnabled {
            settings.profiles = [
                LimitProfile(name: "night", start: night.begins, end: night.ends, limits: nightLimits)
            ]
        }
        return settings
    }
}
