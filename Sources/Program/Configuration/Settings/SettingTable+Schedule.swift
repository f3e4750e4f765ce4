import Base
import Monitoring
import Vitals

extension SettingTable {
    /// The sections of an entry of the schedule.
    static func scheduleSections(_ entry: String) -> [(name: String, explanation: String)] {
        let section = scheduleSection(entry)
        let isNight = entry == Settings.Schedule.Entry.night
        let others = """
            A part of the week with other limits and sounds; "same" leaves the daily ones. This one is the night; write more \
            entries as [schedule.NAME], with from and to, and the same keys and sections. Entries must not overlap.
            """
        return [(section, isNight ? others : "The schedule's entry \(entry).")]
            + MonitorSettings.Limits.vitals.map { vital in
                ("\(section).\(vital.rawValue)", "Limits of the \(text(of: vital)), while \(entry) is in force.")
            } + [
                ("\(section).sounds", "Melodies of alarms while \(entry) is in force, as in [alarms.sounds]."),
                (
                    "\(section).repetition",
                    "Repetition of alarms while \(entry) is in force, as in [alarms.repetition]."
                ),
            ]
    }

    /// The settings of an entry of the schedule.
    static func schedule(_ entry: String) -> [Setting] {
        times(entry) + sounds(entry)
            + MonitorSettings.Limits.vitals.flatMap { vital in
                LimitKind.allCases.map { kind in
                    setting(
                        entry, vital.rawValue, kind.rawValue, \.limits[Limit(vital: vital, kind: kind)],
                        value(of: vital).orOff().or("same"),
                        "While \(entry) is in force an alarm is raised \(kind.isLow ? "below" : "above") this.")
                }
            }
            + AlarmGroup.allCases.map { group in
                setting(
                    entry, "sounds", group.rawValue, \.melodies[group], .word(SoundCategory.self).or("same"),
                    "The melody of alarms about \(group.text).")
            }
            + AlarmGroup.allCases.map { group in
                setting(
                    entry, "repetition", group.rawValue, \.repetitions[group], repetition.or("same"),
                    "From the beginning of one burst to the next, for alarms about \(group.text).")
            }
    }

    private typealias Limit = Settings.Schedule.Limit

    private static func times(_ entry: String) -> [Setting] {
        [
            setting(
                entry, nil, "enabled", \.isEnabled, .yesOrNo(),
                "Whether it comes into force at all; any entry but the night does unless this is false."),
            setting(entry, nil, "from", \.begins, .timeOfDay(), "When it begins, in local time."),
            setting(
                entry, nil, "to", \.ends, .timeOfDay(),
                "When it ends: on the next day where that is not after from."),
            setting(
                entry, nil, "days", \.days, .weekdays(), "On which days it begins; past midnight it goes on."),
        ]
    }

    private static func sounds(_ entry: String) -> [Setting] {
        let gap = "From the beginning of one burst of sound to the next, for"
        return [
            setting(
                entry, nil, "volume", \.volume, .number("a percentage", 10...100, step: 10).or("same"),
                "How loud alarms are. Alarms of high priority are at least as loud as at 50."),
            setting(
                entry, nil, "high_gap", \.highGap, .duration(SoundPattern.gaps(.high)).or("same"),
                "\(gap) high priority."),
            setting(
                entry, nil, "medium_gap", \.mediumGap, .duration(SoundPattern.gaps(.medium)).or("same"),
                "\(gap) medium priority."),
            setting(
                entry, nil, "low_gap", \.lowGap, .duration(SoundPattern.gaps(.low)).orOff().or("same"),
                "\(gap) low priority; off for one burst only."),
        ]
    }

    /// Declares a setting of an entry, which need not exist.
    private static func setting<Value>(
        _ entry: String, _ part: String?, _ key: String, _ path: WritableKeyPath<Settings.Schedule.Entry, Value>,
        _ form: SettingCodec<Value>, _ explanation: String
    ) -> Setting {
        // A key path is immutable, although its type is not Sendable here.
        nonisolated(unsafe) let path = path
        return Setting(
            scheduleSection(entry) + (part.map { ".\($0)" } ?? ""), key, form, explanation,
            get: { $0.schedule[entry][keyPath: path] }, set: { $0.schedule[entry][keyPath: path] = $1 })
    }

    /// The rules between the settings of an entry.
    static func scheduleRules(_ entry: String) -> [SettingRule] {
        let section = scheduleSection(entry)
        return [
            SettingRule(
                "\(section).high_gap", .atMost, "\(section).medium_gap",
                text: { ConfigurationValue.text(DurationText.text($0)).literal }
            ) { settings in
                let pattern = settings.pattern(in: settings.schedule[entry])
                return (pattern.highGap, pattern.mediumGap)
            }
        ]
            + MonitorSettings.Limits.vitals.flatMap { vital in
                rules("\(section).\(vital.rawValue)", vital) { $0.limits(in: $0.schedule[entry]) }
            }
    }

    private static let scheduleName = "schedule"

    private static func scheduleSection(_ entry: String) -> String { "\(scheduleName).\(entry)" }

    /// The name of the entry in the name of a section; `nil` for other sections.
    static func scheduleEntry(ofSection section: String) -> String? {
        let parts = section.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 && parts[0] == scheduleName ? String(parts[1]) : nil
    }
}

extension SettingTable {
    /// The sections about the sound of groups of alarms.
    static let groupSections: [(name: String, explanation: String)] = [
        (
            "alarms.sounds",
            """
            Other melodies for groups of alarms. What is about the patient never sounds like what is about the equipment, \
            nor one vital like another.
            """
        ),
        (
            "alarms.repetition",
            """
            Other intervals for groups of alarms. An interval longer than its priority allows counts as the longest one: \
            15 s for high, 30 s for medium, 10 min for low priority.
            """
        ),
    ]

    /// The melody and the repetition of groups of alarms.
    static let groups: [Setting] =
        AlarmGroup.allCases.map { group in
            Setting(
                "alarms.sounds", group.rawValue, .word(SoundCategory.self).or("usual"),
                "The melody of alarms about \(group.text); usual is \(group.usualMelody.rawValue).",
                get: { $0.monitor.alarmSignals.pattern.melodies[group] },
                set: { $0.monitor.alarmSignals.pattern.melodies[group] = $1 })
        }
        + AlarmGroup.allCases.map { group in
            Setting(
                "alarms.repetition", group.rawValue, repetition.or("usual"),
                """
                From the beginning of one burst to the next, for alarms about \(group.text); usual is that of their \
                priority.
                """,
                get: { $0.monitor.alarmSignals.pattern.repetitions[group] },
                set: { $0.monitor.alarmSignals.pattern.repetitions[group] = $1 })
        }

    /// The interval of a group, for any priority.
    private static let repetition = SettingCodec<Duration>.duration(SoundPattern.gaps(.low))
}

extension SettingCodec {
    /// Days of the week.
    static func weekdays() -> SettingCodec<Weekdays> {
        let names = Weekday.allCases.map(\.rawValue)
        let expectation = "a list of days: \(names.joined(separator: ", "))"
        let texts = SettingCodec<[String]>.texts(expectation, limit: 16, count: names.count)
        return SettingCodec<Weekdays>(
            expectation,
            read: { value throws(SettingError) in
                var days: [Weekday] = []
                for text in try texts.read(value) {
                    guard let day = Weekday(rawValue: text.lowercased()) else {
                        throw SettingError(unknown: "day", text, among: names, expected: expectation)
                    }
                    days.append(day)
                }
                if days.isEmpty { throw SettingError("name a day; enabled = false switches the entry off") }
                return Weekdays(days)
            },
            write: { .texts($0.list.map(\.rawValue)) })
    }
}
