import JSON
import Monitoring
import Status
import Vitals

/// Decodes a monitor's status; unknown fields of later versions are ignored.
public enum StatusDecoder {
    /// Decodes a line.
    ///
    /// - Returns: `nil` if it is not a status of version 1.
    public static func summary(_ line: [UInt8]) -> StatusSummary? {
        guard let value = try? JSON5Parser.parse(line, .json), value["v"]?.whole == 1, value["event"]?.text == "status"
        else { return nil }
        var summary = StatusSummary(wallMilliseconds: value["t"]?.text.flatMap(wallMilliseconds(ofTimestamp:)) ?? 0)
        summary.provenance =
            value["simulated"]?.isNull == true ? .unknown : value["simulated"]?.boolean == true ? .simulated : .real
        summary.patient = value["patient"]?.text
        summary.vitals = (value["vitals"]?.elements ?? []).compactMap(vital)
        summary.alarms = (value["alarms"]?.elements ?? []).compactMap(alarm)
        summary.alarmCount = max(summary.alarms.count, value["alarm_count"]?.whole ?? 0)
        summary.trouble = value["trouble"]?.text
        summary.notices = (value["notices"]?.elements ?? []).compactMap(\.text)
        return summary
    }

    private static func vital(_ value: JSON5Value) -> StatusVital? {
        guard let name = value["vital"]?.text.flatMap(Vital.init(rawValue:)),
            let state = value["state"]?.text.flatMap(StatusVital.State.init(rawValue:))
        else { return nil }
        var vital = StatusVital(name, state)
        vital.value = value["value"].flatMap(hundredths) ?? value["last_value"].flatMap(hundredths)
        vital.evaluatedAt = (value["judged_at"]?.elements ?? []).compactMap(hundredths)
        vital.age = value["age_s"]?.whole.map { Int64($0) }
        vital.quality =
            ["equipment", "doubt", "quality"].lazy.compactMap { value[$0]?.text }.first.flatMap(
                Reading.Quality.init(rawValue:)) ?? .good
        vital.reason = value["reason"]?.text
        vital.reasonText = value["reason_words"]?.text
        vital.site = value["site"]?.text
        vital.sensor = value["sensor_name"]?.text
        return vital
    }

    private static func hundredths(_ value: JSON5Value) -> VitalValue? {
        value.number.flatMap { Int(exactly: ($0 * 100).rounded()) }.map(VitalValue.init(hundredths:))
    }

    private static func alarm(_ value: JSON5Value) -> StatusAlarm? {
        guard var report = try? JSONFieldReader(value, "alarm").read(AlarmReport.self), let title = value["title"]?.text
        else { return nil }
        report.text = value["text"]?.text ?? title
        return StatusAlarm(report, title: title, sensorName: value["sensor_name"]?.text)
    }
}
