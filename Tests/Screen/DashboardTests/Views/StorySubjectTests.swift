import Appearance
import Base
import TestSupport
import Testing

@testable import Dashboard

/// What a story is about is said at every size and in every glyph set, wherever the layout puts it.
@Suite("The subject of every story")
struct StorySubjectTests {
    /// The text that shows a story's subject, at every size and from 30 × 6 on.
    private struct Subject {
        var always: [String]
        var fromStrip: [String] = []
    }

    private static let noSensor = ["Nothing", "is measured", "no sensor"]
    private static let subjects: [String: Subject] = [
        "empty": Subject(always: noSensor),
        "live": Subject(
            always: ["No alarms", "72", "96", "36.8", "now"], fromStrip: ["BEDSIDE", "Bed 12"]),
        "off-body": Subject(always: ["no contact"]),
        "rhythm": Subject(always: [], fromStrip: ["SILENT"]),
        "rhythm-early": Subject(always: [], fromStrip: ["SILENT"]),
        "rhythm-none": Subject(always: [], fromStrip: ["No RR"]),
        "days": Subject(always: []),
        "days-fever": Subject(always: ["FEVER", "38.8"]),
        "days-view": Subject(always: [], fromStrip: ["view"]),
        "episodic": Subject(always: ["105", "97"]),
        "inflating": Subject(always: ["79"]),
        "fever": Subject(always: ["FEVER", "38.8", "SIMULATED", "79"]),
        "link-lost": Subject(always: ["FEVER", "38.8", "link lost", "91"]),
        "no-daemon": Subject(always: ["BLUETOOTH NOT", "no sensor"], fromStrip: ["RUNNING"]),
        "stale": Subject(always: ["STALE", "100.9", "74"]),
        "hostile-name": Subject(always: ["66", "no sensor"]),
        "help": Subject(always: ["medical"], fromStrip: ["device."]),
        "crowd": Subject(always: noSensor, fromStrip: ["connect"]),
        "remembered": Subject(always: ["no sensor"]),
        "filter": Subject(always: ["Filter", "oxi"]),
        "rename": Subject(always: ["Ada"], fromStrip: ["Name for"]),
        "forget": Subject(always: ["yes"], fromStrip: ["Forget", "Esc", "no"]),
        "alarm-pending": Subject(always: ["38.5"]),
        "alarm-high": Subject(always: ["SEVERELY", "HIGH", "152"]),
        "alarm-medium": Subject(always: ["LOW", "88"]),
        "alarm-low": Subject(always: ["BATTERY LOW", "79"], fromStrip: ["15"]),
        "alarm-several": Subject(always: ["HR", "HIGH", "152", "88"]),
        "alarm-acknowledged": Subject(always: ["HR", "HIGH", "152", "88"]),
        "alarm-suspended": Subject(always: ["HIGH", "no contact"]),
        "alarm-latched": Subject(always: ["HIGH", "over"], fromStrip: ["SEVERELY"]),
        "alarm-clearing": Subject(always: ["SEVERELY", "HIGH"]),
        "fever-progress": Subject(always: ["38.0"]),
        "count-expired": Subject(always: ["FEVER", "38.8", "79"]),
        "storage-full": Subject(always: ["STORAGE", "79"]),
        "clock-jump": Subject(always: ["CLOCK WAS SET", "79"]),
        "audio-paused": Subject(always: ["PAUSED", "SEVERELY", "HIGH", "152"]),
        "care-paused": Subject(always: ["CARE", "SEVERELY", "HIGH", "152"]),
        "snoozed": Subject(always: ["SILENCED", "LOW", "88"]),
        "alarms-page": Subject(always: ["HIGH", "CARE", "FEVER"], fromStrip: ["SEVERELY", "38.6", "Esc"]),
        "log-page": Subject(always: ["FEVER", "38.9", "you"], fromStrip: ["sound", "high", "limit", "Esc"]),
        "limits-page": Subject(always: ["130", "medium", "priority", "changed"], fromStrip: ["keeps it", "Esc"]),
        "limit-refused": Subject(always: ["130", "Not changed", "above"], fromStrip: ["low limit must lie below"]),
        "neutrophils": Subject(always: ["ANC", "450", "When", "blood", "79"], fromStrip: ["Type the date"]),
        "new-patient": Subject(always: ["Closes this record", "yes", "79"], fromStrip: ["empty", "Esc"]),
        "scheduled": Subject(always: ["140", "medium", "priority"], fromStrip: ["Esc"]),
        "silenced": Subject(always: ["OFF", "79"]),
        "settings-page": Subject(always: ["Limits", "Low", "91", "LOW", "88"], fromStrip: ["Flat", "Esc"]),
        "setting-refused": Subject(always: ["Limits", "910", "expected", "88"], fromStrip: ["from", "to 99"]),
        "welcome": Subject(always: ["Bedside", "not", "medical", "device."], fromStrip: ["diagnosis", "alarms."]),
        "welcome-live": Subject(always: ["SIM", "72", "96", "36.8"]),
        "welcome-alarm": Subject(always: ["BLUETOOTH NOT", "medical", "device."], fromStrip: ["RUNNING"]),
        "adapter-off": Subject(always: ["BLUETOOTH IS OFF", "yes", "no"], fromStrip: ["Switch", "Esc"]),
        "hears-nothing": Subject(always: noSensor),
        "quit-asked": Subject(
            always: ["1 changed", "yes", "73"], fromStrip: ["Quit", "setting", "kept", "Esc"]),
        "computer-slept": Subject(always: ["NOT MONITORED", "73"]),
        "manual": Subject(always: ["FEVER", "38.4", "94"]),
        "manual-beside": Subject(always: ["FEVER", "38.6"]),
        "manual-old": Subject(always: ["37.2", "manual"], fromStrip: ["OLD"]),
        "entries-page": Subject(always: ["FEVER", "38.4"], fromStrip: ["mouth", "Esc"]),
        "entry-asked": Subject(always: ["yes"], fromStrip: ["98.6", "no"]),
        "sensor-page": Subject(always: ["Kind", "State"], fromStrip: ["Address", "Esc"]),
        "sensor-page-end": Subject(always: ["FB005C80", "FB005C81"], fromStrip: ["battery", "Esc"]),
        "sensor-page-hostile": Subject(always: ["Kind", "State", "AA:BB:CC"], fromStrip: ["Address", "Esc"]),
        "disagreement": Subject(always: ["82", "36.9"]),
        "stand-in": Subject(always: ["SENSOR FAULT", "73"]),
        "assign": Subject(always: ["Take", "pulse"]),
        "night": Subject(always: ["No alarms", "72", "96", "36.8", "now"]),
        // The number may be in large digits only, since the title tells what was at the cursor.
        "history": Subject(always: ["No alarms"], fromStrip: ["HISTORY", "Esc"]),
        "scrolled-back": Subject(always: ["SIMULATED"], fromStrip: ["HISTORY", "Esc"]),
        "distance": Subject(always: ["No alarms", "now"]),
        "distance-alarm": Subject(always: ["HIGH", "152", "SIMULATED"]),
        "distance-missing": Subject(always: ["FEVER", "38.8", "lost"]),
        "distance-stale": Subject(always: ["STALE"]),
        "distance-empty": Subject(always: noSensor, fromStrip: ["connect"]),
    ]

    @Test("is said at every size and in every glyph set", .computing, arguments: Ward.stories.indices)
    func isSaid(number: Int) throws {
        let (name, ward) = Ward.stories[number]
        let subject = try #require(Self.subjects[name], "say here what \(name) is about")
        for (columns, rows) in RandomCases.share(3, of: GoldenTests.sizes) {
            let words = subject.always + (rows >= 6 ? subject.fromStrip : [])
            for glyphs in GlyphSet.allCases {
                let grid = ward.drawn(columns, rows, glyphs)
                // Lines may be broken anywhere, and words of a sentence be in columns of their own.
                let text = (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
                for word in words.flatMap({ $0.split(separator: " ") })
                where !text.lowercased().contains(word.lowercased()) {
                    Issue.record("\(columns) × \(rows), \(glyphs): no \"\(word)\" in\n\(text)")
                }
            }
        }
    }

    @Test("is not shown for other stories")
    func areStories() {
        #expect(Set(Self.subjects.keys) == Set(Ward.stories.map(\.name)))
    }
}
