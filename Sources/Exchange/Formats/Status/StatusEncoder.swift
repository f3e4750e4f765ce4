import JSON
import Monitoring
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
        var fields = WatchEncoder(isSimulated: false)
        fields.json.beginObject()
        fields.number("v", 1)
        fields.wallTime("t", milliseconds: summary.wallMilliseconds)
        fields.text("event", "status")
        switch summary.provenance {
        case .real: break
        case .simulated: fields.flag("simulated", true)
        case .unknown:
            fields.json.key("simulated")
            fields.json.null()
        }
        fields.text("patient", summary.patient)
        fields.text("text", line)
        fields.list("vitals", summary.vitals) { $0.write(fieldsOf: $1) }
        fields.number("alarm_count", summary.alarmCount)
        fields.list("alarms", summary.alarms) { fields, alarm in
            fields.write(fieldsOf: alarm.report)
            fields.text("title", alarm.title)
            fields.text("sensor_name", alarm.sensorName)
        }
        fields.text("trouble", summary.trouble)
        if !summary.notices.isEmpty { fields.texts("notices", summary.notices) }
        fields.end()
        return fields.json.bytes
    }
}

extension WatchEncoder {
    fileprivate mutating func write(fieldsOf vital: StatusVital) {
        text("vital", vital.vital.rawValue)
        text("state", vital.state.rawValue)
        // A number that is not current has another name, so that it cannot be mistaken for a current one.
        value(vital.state == .measured || vital.state == .stale ? "value" : "last_value", vital.value)
        text("unit", vital.vital.unit)
        number("age_s", vital.age.map { Int($0) })
        if vital.value != nil {
            text("quality", vital.quality.word)
            text("equipment", vital.quality.equipmentWord)
            text("doubt", vital.quality.doubtWord)
        }
        text("reason", vital.reason)
        text("reason_words", vital.reasonText)
        text("site", vital.site)
        text("sensor_name", vital.sensor)
        if vital.evaluatedAt.isEmpty { return }
        json.key("judged_at")
        json.beginArray()
        for limit in vital.evaluatedAt { json.hundredths(limit.hundredths) }
        json.endArray()
    }
}
