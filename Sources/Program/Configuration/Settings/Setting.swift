import Base
import Vitals

/// A setting of the configuration file, declared once for reading, checking, printing, documenting, showing and
/// changing it.
public struct Setting: Sendable {
    public let section: String
    public let key: String
    /// What it does, in one or more sentences.
    public let explanation: String
    /// The allowed values, such as `a whole number from 1 to 60`.
    public let expectation: String
    /// The allowed words, if only words are allowed.
    public let choices: [String]
    /// The unit of its numbers, as shown; may be empty.
    let unit: String
    /// The name of the command-line option that overrides it, without dashes, if there is one.
    public let option: String?
    /// Whether it is about the look of the screen, which each view has for itself.
    public private(set) var isOfTheLook = false
    /// Whether it affects colours, which must be checked together.
    public private(set) var isOfTheTheme = false
    /// Whether a change takes effect at once, and not only at the next start.
    public private(set) var isAtOnce = true

    private let reading: @Sendable (ConfigurationValue, inout Settings) throws(SettingError) -> Void
    private let writing: @Sendable (Settings) -> ConfigurationValue
    private let stepping: @Sendable (inout Settings, Int) -> Bool

    /// Declares a setting with a key path.
    init<Value>(
        _ section: String, _ key: String, _ path: any WritableKeyPath<Settings, Value> & Sendable,
        _ form: SettingCodec<Value>, option: String? = nil, _ explanation: String
    ) {
        self.init(
            section, key, form, option: option, explanation, get: { $0[keyPath: path] },
            set: { $0[keyPath: path] = $1 })
    }

    /// Declares a setting with accessors.
    init<Value>(
        _ section: String, _ key: String, _ form: SettingCodec<Value>, option: String? = nil, _ explanation: String,
        get: @escaping @Sendable (Settings) -> Value, set: @escaping @Sendable (inout Settings, Value) -> Void
    ) {
        self.section = section
        self.key = key
        self.explanation = explanation
        self.option = option
        expectation = form.expectation
        choices = form.choices
        unit = form.unit
        reading = { value, settings throws(SettingError) in set(&settings, try form.read(value)) }
        writing = { form.write(get($0)) }
        stepping = { settings, count in
            guard let next = form.step(get(settings), count) else { return false }
            set(&settings, next)
            return true
        }
    }

    /// The same setting, marked as one of each view.
    var ofTheLook: Setting {
        var setting = self
        setting.isOfTheLook = true
        return setting
    }

    /// The same setting, marked as one that affects colours.
    var ofTheTheme: Setting {
        var setting = self
        setting.isOfTheTheme = true
        return setting
    }

    /// The same setting, marked as one that is only read at the start.
    var fromNextStart: Setting {
        var setting = self
        setting.isAtOnce = false
        return setting
    }

    /// Section and key joined by a dot, such as `limits.spo2.low`.
    public var name: String { "\(section).\(key)" }

    /// Its value, in the form of the file.
    public func value(in settings: Settings) -> ConfigurationValue { writing(settings) }

    public var defaultValue: ConfigurationValue { writing(Settings()) }

    /// Sets it to a value from a file.
    func read(_ value: ConfigurationValue, into settings: inout Settings) throws(SettingError) {
        try reading(value, &settings)
    }

    /// Sets it to a typed value, from the screen or the command line; quotes are not needed.
    ///
    /// - Throws: ``ConfigurationError``; its position is within the text.
    public func set(_ text: String, in settings: inout Settings) throws(ConfigurationError) {
        // Most typed values are plain text, except numbers and quoted or bracketed values.
        let isLiteral = ["[", "\"", "'"].contains { text.hasPrefix($0) }
        if !isLiteral, (try? read(.text(text), into: &settings)) != nil { return }
        if text.isEmpty, (try? read(.list([]), into: &settings)) != nil { return }
        do throws(SettingError) {
            try read(try typedValue(text, in: settings), into: &settings)
        } catch {
            throw ConfigurationError(TextPosition(line: 1, column: 1), error.reason)
        }
    }

    /// Changes it by steps, within the allowed range.
    ///
    /// - Returns: Whether it has steps; texts and disabled limits have none.
    @discardableResult
    public func step(_ settings: inout Settings, by count: Int) -> Bool {
        stepping(&settings, count)
    }

    /// A value for typing: plain text, or as in a file if plain text would be ambiguous.
    func typed(_ value: ConfigurationValue, in settings: Settings) -> String {
        let plain: String
        switch value {
        case .text(let text): plain = text
        case .list(let values):
            guard values.count <= 1, let texts = value.texts else { return value.literal }
            plain = texts.first ?? ""
        default: return value.literal
        }
        var copy = settings
        guard (try? set(plain, in: &copy)) != nil, self.value(in: copy) == value else { return value.literal }
        return plain
    }

    /// The value of a typed text: parsed as in a file, or else plain text.
    ///
    /// Text after a complete quoted text or list is refused: otherwise the quotes or brackets would become part of a
    /// plain text.
    private func typedValue(_ text: String, in settings: Settings) throws(SettingError) -> ConfigurationValue {
        guard text.unicodeScalars.count <= 1024, !text.unicodeScalars.contains("\n") else { return .text(text) }
        var scanner = TOMLScanner(Array(text.unicodeScalars))
        scanner.skipBlanks()
        guard let value = try? scanner.value() else { return .text(text) }
        scanner.skipBlanks()
        if scanner.next == nil { return value }
        switch value {
        case .text where text.hasPrefix("\""): throw SettingError("put the whole text into quotes, or none of it")
        case .list:
            if case .list = self.value(in: settings) {
                throw SettingError("put all texts into the brackets, such as [\"A\", \"B\"]")
            }
        default: break
        }
        return .text(text)
    }
}

// A setting on the page of settings, in plain words; the file has its key and its literal value.
extension Setting {
    /// Its name on the page.
    var title: String { Self.titles[name] ?? Self.sentence(key) }

    /// The heading of its section.
    var heading: String {
        // The parts of an entry of the schedule: "Night: heart rate".
        let names = section.split(separator: ".")
        let parts = (names.count > 2 ? names.dropFirst() : names[...]).map { Self.sentence(String($0)) }
        guard parts.count == 2 else { return parts.joined() }
        return parts[1] == "SpO2" ? "\(parts[0]): SpO₂" : "\(parts[0]): \(parts[1].lowercased())"
    }

    /// The allowed values in plain words.
    var shownExpectation: String { choices == ["true", "false"] ? "on or off" : expectation }

    /// A value in plain words: "on" for `true`, "15 s" for `"15s"`, "none" for `[]`.
    func shown(_ value: ConfigurationValue) -> String {
        switch value {
        case .boolean(let isOn): isOn ? "on" : "off"
        case .list(let values):
            values.isEmpty ? "none" : (value.texts ?? values.map(\.literal)).joined(separator: ", ")
        case .text(""): "none"
        case .text(let text): Self.spacedTime(text) ?? text
        case .number(let number): number.text + unit
        case .float, .dateTime, .table: value.literal
        }
    }

    /// A length of time with a space before its unit; `nil` for other texts, such as a number of colours.
    private static func spacedTime(_ text: String) -> String? {
        guard text.last?.isLetter == true, let time = DurationText.duration(text, allowingZero: true) else {
            return nil
        }
        let short = DurationText.text(time)
        let digits = short.prefix { !$0.isLetter }
        return "\(digits) \(short.dropFirst(digits.count))"
    }

    /// The words of a key as the beginning of a sentence.
    private static func sentence(_ key: String) -> String {
        let words = key.exchanging("_", for: " ").exchanging("spo2", for: "SpO2")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The names that do not follow from the key.
    static let titles = [
        "screen.units": "Temperature unit", "screen.glyphs": "Glyphs", "screen.color": "Colour",
        "screen.colors": "Number of colours", "screen.trend_window": "Trend length",
        "screen.reduce_motion": "Reduced motion", "screen.title": "Terminal title", "screen.welcome": "Welcome card",
        "screen.show_cursor": "Visible cursor", "screen.bed": "Bed label", "patient.name": "Patient",
        "sensors.rssi_floor": "Hide signals below", "sensors.connect": "Connect at start",
        "views.control": "Views may act", "recording.enabled": "Recording", "recording.raw": "Raw notifications",
        "recording.keep_days": "Kept for", "recording.size_limit_mb": "Size limit",
        "fever.confirmation_count": "Readings to confirm", "fever.warm_share": "Share of fever",
        "alarms.hook": "Command at alarms", "early_warning.show": "NEWS2 bands",
        "early_warning.spo2_scale": "Scale of SpO₂",
        "send.fhir": "FHIR server", "send.fhir_patient": "FHIR patient", "send.fhir_secret": "FHIR secret",
        "send.fhir_secret_command": "FHIR secret command", "send.ca_file": "Trusted authorities",
        "send.nightscout": "Nightscout site", "send.nightscout_secret_command": "Nightscout command",
        "send.hl7": "HL7 observations", "send.hl7_alarms": "HL7 alarms", "send.hl7_patient": "HL7 patient",
        "send.hl7_location": "HL7 location",
        "freshness.assumed_temperature_interval": "Assumed, temperature",
        "schedule.night.enabled": "Other limits by night",
    ]
}
