import Appearance
import Base
import Monitoring
import Vitals

/// All settings, in the order of the default file.
public enum SettingTable {
    /// The sections with their descriptions.
    public static let sections = sections(entries: [Settings.Schedule.Entry.night])

    /// The sections with their descriptions, including those of all entries of a schedule.
    public static func sections(for settings: Settings) -> [(name: String, explanation: String)] {
        sections(entries: settings.schedule.entries.map(\.name))
    }

    private static func sections(entries: [String]) -> [(name: String, explanation: String)] {
        [
            ("screen", "How the screen looks."),
            ("patient", "The patient, where this computer monitors more than one."),
            ("contacts", "Whom to call; shown with a fever and on a page, and never dialled."),
            ("sensors", "Which sensors are connected."),
            ("freshness", "When a value that is not renewed counts as stale or lost."),
            ("fever", "When a body temperature is fever."),
            ("alarms", "How alarms are heard, seen and answered."),
        ] + groupSections + [
            ("views", "What views of this monitor may do."),
            ("record", "What belongs to the patient's record."),
            ("recording", "What is recorded, and for how long it is kept."),
            ("ward", "Where this bed is published for a ward, by MQTT."),
            ("send", "To which servers bedside send sends the record."),
            (
                "early_warning",
                "The bands of NEWS2; there is never a total, because at most four of seven parameters are measured."
            ),
        ] + limitSections + [("technical", "When the equipment raises an alarm.")]
            + entries.flatMap(scheduleSections) + [themeSection, keySection]
    }

    /// A description of the file.
    public static let summary = """
        The settings are in bedside/bedside.toml below $XDG_CONFIG_HOME, or below ~/.config where that is not set. The \
        file is TOML 1.0: [sections], lines of "key = value", and comments that begin with #. What is left out keeps its \
        default value. A file that is wrong is refused with line, column and reason, and nothing starts: limits that \
        differ from the intended ones would be worse than a short delay. bedside --no-config starts at once with the \
        usual settings. Options on the command line go before the file.
        """

    public static let settings = settingsBeforeSchedule + schedule(Settings.Schedule.Entry.night) + theme + keys

    private static let settingsBeforeSchedule: [Setting] =
        screen + patient + contacts + sensors + freshness + fever + alarms + groups + views + record + recording + ward
        + sending
        + earlyWarning
        + limits
        + technical

    /// All settings, including those of every entry in one of these schedules.
    public static func settings(for settings: Settings...) -> [Setting] {
        var names: [String] = []
        for entry in settings.flatMap(\.schedule.entries) where !names.contains(entry.name) { names.append(entry.name) }
        return names == [Settings.Schedule.Entry.night]
            ? Self.settings : settingsBeforeSchedule + names.flatMap(schedule) + theme + keys
    }

    /// The rules between settings, including those of every entry of a schedule.
    static func rules(for settings: Settings) -> [SettingRule] {
        rules + settings.schedule.entries.flatMap { scheduleRules($0.name) }
    }

    private static let rules: [SettingRule] =
        freshnessRules + feverRules + alarmRules + limitRules + technicalRules

    /// The setting of a key in a section; `nil` when there is none.
    public static func setting(_ key: String, in section: String) -> Setting? {
        settings(inSection: section).first { $0.key == key }
    }

    /// The settings of a section; an entry of the schedule need not exist.
    static func settings(inSection section: String) -> [Setting] {
        let entry = scheduleEntry(ofSection: section).flatMap { Settings.Schedule.Entry.isName($0) ? $0 : nil }
        return (entry.map { schedule($0) } ?? settings).filter { $0.section == section }
    }

    /// The setting with a name such as `limits.spo2.low`; `nil` when there is none.
    public static func setting(named name: String) -> Setting? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return setting(String(name[name.index(after: dot)...]), in: String(name[..<dot]))
    }

    /// The sections with their keys, for ``ConfigurationDocument/set(_:in:to:comment:order:)``.
    public static func order(for settings: Settings) -> [(section: String, keys: [String])] {
        let all = self.settings(for: settings)
        return sections(for: settings).map { section in
            (section.name, all.filter { $0.section == section.name }.map(\.key))
        }
    }
}

extension SettingTable {
    static let earlyWarning: [Setting] = [
        Setting(
            "early_warning", "show", \.monitor.showsEarlyWarning, .word(EarlyWarningBands.Visibility.self),
            "When the bands are on the screen: while one of them is above 0 (raised), always, or never."),
        Setting(
            "early_warning", "spo2_scale", \.monitor.oxygenSaturationScale, .word(OxygenSaturationScale.self),
            """
            The scale of the oxygen saturation. The second one is for a patient whose target is 88 to 92 %, by a \
            clinician's decision, who breathes air or is given oxygen; it is named beside the bands.
            """),
    ]
}

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

extension SettingTable {
    /// The article that lists all settings.
    public static var markdown: String {
        var text = """
            # Settings reference

            Every setting of the configuration file, section by section.

            ## Overview

            This page is generated from the program's table of settings.

            """
        for section in sections {
            text += "\n## [\(section.name)]\n\n\(section.explanation)\n\n"
            text += "| Key | Allowed | Usually | Does |\n|---|---|---|---|\n"
            for setting in settings where setting.section == section.name {
                let option = setting.option.map { " (`--\($0)`)" } ?? ""
                text += "| `\(setting.key)` | \(setting.expectation) | `\(setting.defaultValue.literal)` | "
                text += "\(setting.explanation)\(option) |\n"
            }
        }
        return text
    }
}

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

extension SettingTable {
    static let patient: [Setting] = [
        Setting(
            "patient", "name", \.patient.name, .patientName(), option: "patient",
            """
            What the patient is called here, such as "bed-12"; each has a store, limits, and remembered sensors of their \
            own, and a monitor of their own at the same time. Empty for the one patient of a computer that has no other.
            """
        ).fromNextStart
    ]
}

extension Settings {
    public struct Patient: Hashable, Sendable {
        /// The patient's identifier; `nil` for the patient without a name.
        public var name: PatientName?

        public init() {}
    }
}

extension SettingCodec {
    /// The name of a patient; empty for none.
    static func patientName() -> SettingCodec<PatientName?> {
        let expectation = "a name: \(PatientName.rule)"
        return SettingCodec<PatientName?>(
            expectation,
            read: { value throws(SettingError) in
                guard case .text(let text) = value else { throw SettingError(expected: expectation, value) }
                if text.isEmpty { return nil }
                guard let name = PatientName(text) else { throw SettingError(expected: expectation, value) }
                return name
            },
            write: { .text($0?.text ?? "") })
    }
}

extension SettingTable {
    static let record: [Setting] = [
        Setting(
            "record", "confirm", \.monitor.confirmsMeasurements, .yesOrNo(),
            """
            Whether what a cuff, a meter or a scale hands over is marked as unconfirmed until somebody confirms or \
            discards it; it counts and raises alarms in the meantime.
            """)
    ]

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
            "recording", "waves", \.recording.keepsWaves, .yesOrNo(),
            """
            Whether the ECG of a strap and the plethysmogram of an oximeter are recorded, too, some 6 MB a night each; sensors \
            that give them are asked for them then, which costs them battery.
            """),
        Setting(
            "recording", "keep_days", \.recording.keptDays, .number("a number of days", 1...36_500).orOff(),
            "For how many days readings and alarms are kept; off for no limit."),
        Setting(
            "recording", "waves_keep_days", \.recording.keptWaveDays, .number("a number of days", 1...36_500).orOff(),
            "For how many days waves are kept, never for longer than readings; off for as long as those."),
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
            """
            The size of the store at which its oldest waves, and then its oldest readings, make room for new ones; off for no \
            such limit.
            """),
    ].map(\.fromNextStart)
}

extension Settings {
    /// What is recorded, and for how long.
    public struct Recording: Hashable, Sendable {
        /// Whether readings are recorded.
        public var isEnabled = true
        /// Whether the octets of every notification are recorded, too.
        public var keepsNotifications = false
        /// Whether waves are recorded, too.
        public var keepsWaves = false
        /// The number of days for which waves are kept; `nil` for as long as readings.
        public var keptWaveDays: Int? = 7
        /// The number of days for which readings and alarms are kept; `nil` for no limit.
        public var keptDays: Int? = 365
        /// The number of days for which entries of the record are kept; `nil` for no limit.
        public var keptEntryDays: Int?
        /// The greatest size of the store in megabytes; `nil` for no limit.
        public var sizeLimit: Int? = 8000

        public init() {}
    }
}

extension SettingTable {
    static let keySection = (
        name: "keys",
        explanation: """
        Which key does what: a character, or \(Key.names.joined(separator: ", ")); several in a list, [] for none. \
        Two commands cannot have one key where both could be meant, Esc only closes, and acknowledge and quit must \
        have one.
        """
    )

    static let keys: [Setting] = KeyBinding.table.map { binding in
        let place = binding.context.title.map { $0.prefix(1).lowercased() + $0.dropFirst() + ": " } ?? ""
        let words = binding.text(Settings().monitor)
        return Setting(
            keySection.name, binding.command.name, .keys(), "\(place)\(words).".capitalizedFirst,
            get: { $0.screen.keys[binding.command] }, set: { $0.screen.keys[binding.command] = $1 }
        ).ofTheLook
    }
}

extension SettingCodec {
    /// The keys of a command.
    static func keys() -> SettingCodec<[Key]> {
        let expectation = "a key or a list of keys"
        return SettingCodec<[Key]>(
            expectation,
            read: { value throws(SettingError) in
                let names: [String]
                switch value {
                case .text(let text): names = [text]
                case .list where value.texts != nil: names = value.texts ?? []
                // A digit needs no quotes.
                case .number(let number) where number.text.utf8.count == 1: names = [number.text]
                default: throw SettingError(expected: "\(expectation), such as \"a\" or [\"Down\", \"j\"]", value)
                }
                var keys: [Key] = []
                for name in names {
                    guard let key = Key(name: name) else {
                        throw SettingError(
                            unknown: "key", name, among: Key.names,
                            expected: "\(expectation): one character, or \(Key.names.joined(separator: ", "))")
                    }
                    if !keys.contains(key) { keys.append(key) }
                }
                if keys.count > 8 { throw SettingError("expected at most 8 keys, found \(keys.count)") }
                return keys
            },
            write: { $0.count == 1 ? .text($0[0].name) : .texts($0.map(\.name)) })
    }
}

extension SettingTable {
    static let contacts: [Setting] = [
        Setting(
            "contacts", "people", \.monitor.contacts, .contacts(),
            """
            Whom to call, the first one first: name, role, telephone number, and when somebody answers, such as ["Ward \
            7, nurse on duty, +49 351 1234, day and night", "Ada, +49 351 99"]; role and time may be left out.
            """)
    ]
}

extension SettingCodec {
    /// The greatest number of contacts.
    private static var contactCount: Int { 6 }

    /// Contacts, each as one text with commas.
    static func contacts() -> SettingCodec<[Contact]> {
        let expectation =
            "a list of at most \(contactCount) texts: name, role, number and time, of at most \(Contact.textLimit) characters each"
        let texts = SettingCodec<[String]>.texts(
            expectation, limit: 4 * (Contact.textLimit + 2), count: contactCount)
        return SettingCodec<[Contact]>(
            expectation,
            read: { value throws(SettingError) in
                var contacts: [Contact] = []
                for text in try texts.read(value) { contacts.append(try contact(text)) }
                return contacts
            },
            write: { contacts in
                .texts(
                    contacts.map { contact in
                        let parts =
                            contact.hours.isEmpty
                            ? [contact.name] + (contact.role.isEmpty ? [] : [contact.role]) + [contact.number]
                            : [contact.name, contact.role, contact.number, contact.hours]
                        return parts.joined(separator: ", ")
                    })
            })
    }

    /// The contact in a text; of two to four parts the number is the last one except the hours.
    private static func contact(_ text: String) throws(SettingError) -> Contact {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { withoutOuterSpaces($0) }
        let (name, role, number, hours) =
            switch parts.count {
            case 2: (parts[0], "", parts[1], "")
            case 3: (parts[0], parts[1], parts[2], "")
            case 4: (parts[0], parts[1], parts[2], parts[3])
            default: ("", "", "", "")
            }
        guard !name.isEmpty, !number.isEmpty else {
            throw SettingError(
                "a contact has a name and a number, such as \"Ward 7, +49 351 1234\"; found \(shown(text))")
        }
        if let long = parts.first(where: { $0.count > Contact.textLimit }) {
            throw SettingError("a part of a contact has at most \(Contact.textLimit) characters; found \(shown(long))")
        }
        return Contact(name: name, role: role, number: number, hours: hours)
    }

    private static func shown(_ text: String) -> String { ConfigurationValue.text(text).shownLiteral }
}
