import Appearance
import Base
import Monitoring
import Vitals
import Wording

/// The schedule of limits and sounds as text.
struct ScheduleLabels {
    private let state: MonitorState
    private let time: TimeText
    private let glyphs: GlyphSet

    init(_ scene: Scene) {
        (state, time, glyphs) = (scene.state, scene.time, scene.glyphs)
    }

    /// The entry in force and until when, for the first line: "limits: night until 07:00"; empty while none is.
    var inForce: String {
        guard let entry = state.scheduleEntry else { return "" }
        let end = end.map { " until \($0)" } ?? ""
        return "limits: \(ellipsized(entry.name, columns: 16, glyphs: glyphs))\(end)"
    }

    /// Which limits are in force, and until when: "Limits of the night until 07:00, then daily ones".
    var sentence: String {
        let entry = state.scheduleEntry.map { "Limits of the schedule's entry \(sanitized($0.name, limit: 32))" }
        guard let end, let next = state.scheduleChange?.to else {
            return (entry ?? (state.settings.schedule.isEmpty ? "Limits of the whole day" : "Daily limits"))
                + (end.map { " until \($0), then the daily ones" } ?? "")
        }
        return "\(entry ?? "Daily limits") until \(end), then \(sanitized(next.name, limit: 32))"
    }

    /// All entries with their times: "Schedule: night 22:00–07:00; weekend sat, sun 10:00–18:00"; `nil` without any.
    var all: String? {
        let entries = state.settings.schedule.map(text)
        return entries.isEmpty ? nil : "Schedule: \(entries.joined(separator: "; "))"
    }

    private func text(_ entry: ScheduleEntry) -> String {
        let days = entry.days == .all ? "" : " \(entry.days.list.map(\.rawValue).joined(separator: ", "))"
        let volume = entry.volume.map { ", volume \($0) %" } ?? ""
        let times = "\(Self.clock(entry.start))\(glyphs.dash)\(Self.clock(entry.end))"
        return "\(sanitized(entry.name, limit: 32))\(days) \(times)\(volume)"
    }

    /// When another entry comes into force: a time of day, with its date where that is more than a day ahead.
    private var end: String? {
        state.scheduleChange.map { change in
            change.at.since(time.now) < .seconds(86_400) ? time.clock(change.at) : time.point(change.at, isExact: false)
        }
    }

    /// A minute of the day: "07:00".
    private static func clock(_ minute: Int) -> String {
        let midnight = Moment(monotonicNanoseconds: 0, wallMilliseconds: Int64(minute) * 60_000)
        return TimeText(now: midnight, timeZoneOffset: 0).clock(midnight)
    }
}
