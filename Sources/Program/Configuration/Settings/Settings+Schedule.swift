import Monitoring
import Vitals

extension Settings {
    /// Parts of the week with limits and sounds of their own.
    public struct Schedule: Hashable, Sendable {
        /// The entries, the night first; disabled ones, too.
        public private(set) var entries = [Entry(Entry.night)]

        /// Creates the schedule with a night that is not enabled.
        public init() {}

        /// The greatest number of entries.
        static let limit = 12

        /// The entry with a name; a default one where there is none.
        public subscript(name: String) -> Entry {
            get { entries.first { $0.name == name } ?? Entry(name) }
            set {
                if let index = entries.firstIndex(where: { $0.name == name }) {
                    entries[index] = newValue
                } else {
                    entries.append(newValue)
                }
            }
        }

        /// What differs while an entry is in force; what has no value here is as usual.
        public struct Entry: Hashable, Sendable {
            public let name: String
            public var isEnabled: Bool
            /// The minute of the local day at which it begins.
            public var begins = 22 * 60
            /// The minute of the local day at which it ends.
            public var ends = 7 * 60
            /// The days on which it begins.
            public var days = Weekdays.all
            public var volume: Int?
            public var highGap: Duration?
            public var mediumGap: Duration?
            /// The interval of low priority; a value of `nil` is a single burst.
            public var lowGap: Duration??
            /// The limits that differ; an entry without a value is off.
            public var limits: [Limit: VitalValue?] = [:]
            public var melodies: [AlarmGroup: SoundCategory] = [:]
            public var repetitions: [AlarmGroup: Duration] = [:]

            /// The name of the entry that is in every file.
            public static let night = "night"

            /// Creates an entry in which nothing differs; only the night is not enabled.
            public init(_ name: String) {
                self.name = name
                isEnabled = name != Self.night
            }

            /// The least length of an entry in minutes.
            static let shortest = 15

            /// Whether a text can be the name of an entry.
            static func isName(_ text: String) -> Bool {
                (1...16).contains(text.utf8.count)
                    && text.utf8.allSatisfy { byte in
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
                    }
            }
        }

        /// A limit of a vital.
        public struct Limit: Hashable, Sendable {
            public var vital: Vital
            public var kind: LimitKind

            /// Creates the name of a limit.
            public init(vital: Vital, kind: LimitKind) {
                (self.vital, self.kind) = (vital, kind)
            }
        }
    }

    /// All limits while an entry is in force.
    func limits(in entry: Schedule.Entry) -> MonitorSettings.Limits {
        var limits = monitor.limits
        for (limit, value) in entry.limits { limits[limit.vital]?[limit.kind].value = value }
        return limits
    }

    /// How often alarms sound while an entry is in force, and with which melody.
    func pattern(in entry: Schedule.Entry) -> SoundPattern {
        var pattern = monitor.alarmSignals.pattern
        if let gap = entry.highGap { pattern.highGap = gap }
        if let gap = entry.mediumGap { pattern.mediumGap = gap }
        if let gap = entry.lowGap { pattern.lowGap = gap }
        pattern.melodies.merge(entry.melodies) { $1 }
        pattern.repetitions.merge(entry.repetitions) { $1 }
        return pattern
    }

    /// Applies the user's change of a limit.
    ///
    /// In an entry of the schedule only the value of a limit can differ; everything else applies all day.
    ///
    /// - Parameters:
    ///   - setting: What changes.
    ///   - vital: The vital of the limit.
    ///   - entry: The entry in force; `nil` where none is.
    public mutating func set(_ setting: LimitSetting, of vital: Vital, in entry: String?) {
        guard let entry, case .limit(let kind, var limit) = setting else {
            monitor.limits[vital]?.set(setting)
            return
        }
        schedule[entry].limits[Schedule.Limit(vital: vital, kind: kind)] = .some(limit.value)
        limit.value = monitor.limits[vital]?[kind].value
        monitor.limits[vital]?[kind] = limit
    }

    /// The settings of the reducer, including the schedule.
    public var monitorSettings: MonitorSettings {
        var settings = monitor
        settings.schedule = schedule.entries.filter(\.isEnabled).map { entry in
            let pattern = pattern(in: entry)
            return ScheduleEntry(
                name: entry.name, start: entry.begins, end: entry.ends, days: entry.days, limits: limits(in: entry),
                pattern: pattern == monitor.alarmSignals.pattern ? nil : pattern, volume: entry.volume)
        }
        return settings
    }
}

// What the rules between two settings cannot say.
extension Settings {
    /// The first conflict of the schedule or of melodies, and the setting that causes it; `nil` without a conflict.
    var soundAndScheduleFault: (setting: String, reason: String)? { shortEntry ?? overlap ?? melodyFault }

    /// An entry that is over before it matters; the figures of a day look at its limits every seven minutes.
    private var shortEntry: (setting: String, reason: String)? {
        let entry = schedule.entries.first { ($0.ends - $0.begins + 1439) % 1440 + 1 < Schedule.Entry.shortest }
        return entry.map {
            ("schedule.\($0.name).to", "an entry of the schedule lasts at least \(Schedule.Entry.shortest) minutes")
        }
    }

    /// Two entries of the schedule that are in force at the same time.
    private var overlap: (setting: String, reason: String)? {
        let entries = monitorSettings.schedule
        guard let (first, second, minute) = entries.overlap else { return nil }
        let day = Weekday.allCases[minute / ScheduleEntry.minutesOfDay].rawValue
        let time = SettingCodec<Int>.timeOfDay().write(minute % ScheduleEntry.minutesOfDay).literal
        return (
            "schedule.\(entries[second].name).from",
            """
            \(entries[second].name) and \(entries[first].name) are both in force on \(day) at \(time); \
            change the times or days of one of the two
            """
        )
    }

    /// A group of alarms that sounds like another one.
    private var melodyFault: (setting: String, reason: String)? {
        let daily = monitor.alarmSignals.pattern
        let entries = schedule.entries.map { ("schedule.\($0.name).sounds", $0.melodies, pattern(in: $0)) }
        for (section, own, pattern) in [("alarms.sounds", daily.melodies, daily)] + entries {
            for group in AlarmGroup.allCases {
                guard let melody = own[group] else { continue }
                let name = "\(section).\(group.rawValue)"
                if melody.isOfEquipment(!group.isOfEquipment) {
                    let other = group.isOfEquipment ? "the patient" : "the equipment"
                    return (name, "\"\(melody.rawValue)\" is a melody of alarms about \(other); choose another one")
                }
                let alike = AlarmGroup.allCases.first {
                    $0.usualMelody != group.usualMelody && pattern.melody(of: $0) == melody
                }
                if let alike {
                    return (
                        name,
                        """
                        alarms about \(alike.text) (\(alike.rawValue)) have the melody "\(melody.rawValue)", too; choose \
                        another one
                        """
                    )
                }
            }
        }
        return nil
    }
}

extension SoundCategory {
    /// Whether the melody is only of alarms about the equipment, or only of those about the patient.
    fileprivate func isOfEquipment(_ isOfEquipment: Bool) -> Bool {
        switch self {
        case .equipment: isOfEquipment
        case .cardiac, .oxygen, .temperature, .general: !isOfEquipment
        case .infusion, .ventilation: false
        }
    }
}
