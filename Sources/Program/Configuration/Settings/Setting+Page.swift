import Base
import Vitals

// A setting on the page of settings, in plain words; the file has its key and its literal value.
extension Setting {
    /// Its name on the page.
    var title: String { Self.titles[name] ?? Self.sentence(key) }

    /// The heading of its section.
    var heading: String {
        let parts = section.split(separator: ".", maxSplits: 1).map { Self.sentence(String($0)) }
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
        "screen.units": "Temperature unit", "screen.glyphs": "Characters", "screen.color": "Colour",
        "screen.colors": "Number of colours", "screen.trend_window": "Time of trends",
        "screen.reduce_motion": "Reduced motion", "screen.title": "Title of terminal", "screen.welcome": "Welcome card",
        "screen.show_cursor": "Visible cursor", "screen.bed": "Label of bed", "patient.name": "Patient",
        "sensors.rssi_floor": "Weakest listed signal", "sensors.connect": "Connected at start",
        "views.control": "Views may act", "recording.enabled": "Recording", "recording.raw": "Raw notifications",
        "recording.keep_days": "Kept for", "recording.size_limit_mb": "Size limit",
        "fever.confirmation_count": "Readings to confirm", "fever.warm_share": "Share of fever",
        "alarms.hook": "Command at alarms", "early_warning.spo2_scale": "Scale of SpO₂",
        "freshness.assumed_temperature_interval": "Assumed, temperature", "night.enabled": "Limits by night",
    ]
}
