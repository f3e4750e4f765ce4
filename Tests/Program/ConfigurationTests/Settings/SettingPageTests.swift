import Appearance
import Testing

@testable import Configuration

@Suite("Settings in plain words")
struct SettingPageTests {
    private let items = SettingsStore(Settings()).items

    private func item(_ name: String) throws -> SettingItem {
        try #require(items.first { $0.name == name }, "\(name)")
    }

    @Test("have names, on and off, none, and values with units")
    func words() throws {
        for (name, title, value) in [
            ("screen.reduce_motion", "Reduced motion", "off"), ("sensors.connect", "Connect at start", "none"),
            ("screen.bed", "Bed label", "none"), ("screen.trend_window", "Trend length", "auto"),
            ("screen.colors", "Number of colours", "auto"), ("limits.spo2.low", "Low", "90 %"),
            ("limits.spo2.low_delay", "Low delay", "15 s"), ("limits.heart_rate.low", "Low", "50/min"),
            ("limits.body_temperature.low", "Low", "35.5 °C"), ("limits.spo2.high", "High", "off"),
            ("freshness.shortest_interval", "Shortest interval", "500 ms"),
            ("technical.weak_signal", "Weak signal", "-90 dBm"),
            ("recording.keep_days", "Kept for", "365 days"), ("recording.size_limit_mb", "Size limit", "8000 MB"),
            ("schedule.night.from", "From", "22:00"), ("keys.select_next", "Select next", "Down, j"),
        ] {
            let item = try item(name)
            #expect(item.title == title)
            #expect(item.shownValue == value, "\(name)")
            #expect(item.usual == value, "\(name)")
        }
        #expect(try item("screen.mouse").expectation == "on or off")
        #expect(try item("limits.spo2.low").heading == "Limits: SpO₂")
        #expect(try item("schedule.night.heart_rate.low").heading == "Night: heart rate")
        // What is typed is what the file takes.
        #expect(try item("limits.spo2.low_delay").value == "15s")
    }

    @Test("have a name each that fits its column and is no key of the file, and a value without quotes and brackets")
    func complete() {
        for item in items {
            #expect(!item.title.contains("_") && item.title.count <= 23, "\(item.title)")
            #expect(!item.heading.contains("_") && !item.heading.contains("."), "\(item.heading)")
            #expect(!item.shownValue.contains("\"") && !["true", "false", "[]", ""].contains(item.shownValue))
            let same = items.filter { ($0.heading, $0.title) == (item.heading, item.title) }
            #expect(same.count == 1, "\(item.name)")
        }
        // No name is kept for a setting that is gone.
        #expect(Setting.titles.keys.allSatisfy { SettingTable.setting(named: $0) != nil })
    }
}
