import JSON
import Status
import Vitals

/// Encodes a status summary as one JSON object, version 1: `bedside status --format json`, the monitor's socket, the
/// session bus.
///
/// Its names are those of `bedside watch --json`. Fields may be added and are never renamed.
public enum StatusEncoder {
    /// The object with a line feed at its end.
    ///
    /// - Parameter line: The plain line for the same summary.
    public static func line(_ summary: StatusSummary, text line: String) -> [UInt8] {
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.key("v")
        json.integer(1)
        json.key("t")
        json.verbatimString {
            var time = TimestampText()
            time.append(summary.wallMilliseconds, to: &$0)
        }
        json.key("event")
        json.string("status")
        switch summary.provenance {
        case .real: break
        case .simulated:
            json.key("simulated")
            json.bool(true)
        case .unknown:
            json.key("simulated")
            json.null()
        }
        json.text("patient", summary.patient)
        json.text("text", line)
        json.key("vitals")
        json.beginArray()
        for vital in summary.vitals { json.vital(vital) }
        json.endArray()
        json.key("alarm_count")
        json.integer(summary.alarmCount)
        json.key("alarms")
        json.beginArray()
        for alarm in summary.alarms { json.alarm(alarm) }
        json.endArray()
        json.text("trouble", summary.trouble)
        if !summary.notices.isEmpty {
            json.key("notices")
            json.beginArray()
            for notice in summary.notices { json.string(notice) }
            json.endArray()
        }
        json.endObject()
        json.newline()
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func vital(_ vital: StatusVital) {
        beginObject()
        text("vital", vital.vital.rawValue)
        text("state", vital.state.rawValue)
        // A number that is not current has another name, so that it cannot be mistaken for a current one.
        if let value = vital.value {
            key(vital.state == .measured || vital.state == .stale ? "value" : "last_value")
            hundredths(value.hundredths)
        }
        text("unit", vital.vital.unit)
        if let age = vital.age {
            key("age_s")
            integer(age)
        }
        if vital.value != nil {
            text("quality", vital.quality.word)
            text("equipment", vital.quality.equipmentWord)
            text("doubt", vital.quality.doubtWord)
        }
        text("reason", vital.reason)
        text("reason_words", vital.reasonText)
        text("site", vital.site)
        text("sensor_name", vital.sensor)
        if !vital.evaluatedAt.isEmpty {
            key("judged_at")
            beginArray()
            for limit in vital.evaluatedAt { hundredths(limit.hundredths) }
            endArray()
        }
        endObject()
    }

    fileprivate mutating func alarm(_ alarm: StatusAlarm) {
        beginObject()
        key("id")
        integer(alarm.id)
        text("kind", alarm.kind)
        text("class", alarm.alarmClass.rawValue)
        text("priority", alarm.priority.rawValue)
        text("state", alarm.state.rawValue)
        if alarm.isAcknowledged, alarm.state != .acknowledged {
            key("acknowledged")
            bool(true)
        }
        text("title", alarm.title)
        text("text", alarm.text)
        text("sensor_name", alarm.sensor)
        text("vital", alarm.vital?.rawValue)
        number("value", alarm.value)
        number("peak", alarm.peak)
        number("limit", alarm.limit)
        endObject()
    }

    private mutating func number(_ name: String, _ value: VitalValue?) {
        guard let value else { return }
        key(name)
        hundredths(value.hundredths)
    }

    fileprivate mutating func text(_ name: String, _ value: String?) {
        guard let value else { return }
        key(name)
        string(value)
    }
}
