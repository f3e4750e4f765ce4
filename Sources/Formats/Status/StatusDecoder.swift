import Dashboard
import JSON
import Monitoring
import Vitals

/// Decodes a monitor's status; unknown fields of later versions are ignored.
public enum StatusDecoder {
    /// Decodes a line.
    ///
    /// - Returns: `nil` when it is not a status of version 1.
    public static func glance(_ line: [UInt8]) -> StatusSummary? {
        guard let text = String(validating: line, as: UTF8.self), let value = try? JSON5Parser.parse(text) else {
            return nil
        }
        let fields = Fields(value)
        guard fields.number("v") == 1, fields.text("event") == "status" else { return nil }
        var summary = StatusSummary(wallMilliseconds: fields.text("t").flatMap(wallMilliseconds) ?? 0)
        summary.provenance = fields.isNull("simulated") ? .unknown : fields.flag("simulated") ? .simulated : .real
        summary.patient = fields.text("patient")
        summary.vitals = fields.list("vitals").compactMap(vital)
        summary.alarms = fields.list("alarms").compactMap(alarm)
        summary.alarmCount = max(summary.alarms.count, fields.number("alarm_count").flatMap(Int.init(exactly:)) ?? 0)
        summary.trouble = fields.text("trouble")
        summary.notices = fields.texts("notices")
        return summary
    }

    /// A time as ``TimestampText`` writes it.
    private static func wallMilliseconds(_ text: String) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, parts[1].hasSuffix("Z"), let milliseconds = Int64(parts[1].dropLast()),
            (0..<1000).contains(milliseconds)
        else { return nil }
        return PointInTime.wallMilliseconds("\(parts[0])Z", now: 0).map { $0 + milliseconds }
    }

    private static func vital(_ value: JSON5Value) -> StatusVital? {
        let fields = Fields(value)
        guard let name = fields.text("vital").flatMap(Vital.init(rawValue:)),
            let state = fields.text("state").flatMap(StatusVital.State.init(rawValue:))
        else { return nil }
        var vital = StatusVital(name, state)
        vital.value = (fields.number("value") ?? fields.number("last_value")).flatMap(hundredths)
        vital.evaluatedAt = fields.numbers("judged_at").compactMap(hundredths)
        vital.age = fields.number("age_s").flatMap(Int64.init(exactly:))
        vital.quality =
            (fields.text("equipment") ?? fields.text("quality")).flatMap(Reading.Quality.init(rawValue:)) ?? .good
        vital.reason = fields.text("reason")
        vital.reasonText = fields.text("reason_words")
        vital.site = fields.text("site")
        vital.sensor = fields.text("sensor_name")
        return vital
    }

    private static func hundredths(_ number: Double) -> VitalValue? {
        Int(exactly: (number * 100).rounded()).map(VitalValue.init(hundredths:))
    }

    private static func alarm(_ value: JSON5Value) -> StatusAlarm? {
        let fields = Fields(value)
        guard let id = fields.number("id").flatMap(Int.init(exactly:)), let kind = fields.text("kind"),
            let alarmClass = fields.text("class").flatMap(AlarmClass.init(rawValue:)),
            let priority = fields.text("priority").flatMap(AlarmPriority.init(rawValue:)),
            let state = fields.text("state").flatMap(AlarmState.init(rawValue:)), let title = fields.text("title")
        else { return nil }
        var alarm = StatusAlarm(
            id: id, kind: kind, alarmClass: alarmClass, priority: priority, state: state, title: title,
            text: fields.text("text") ?? title, sensor: fields.text("sensor_name"),
            isAcknowledged: fields.flag("acknowledged"))
        alarm.vital = fields.text("vital").flatMap(Vital.init(rawValue:))
        alarm.value = fields.number("value").flatMap(hundredths)
        alarm.peak = fields.number("peak").flatMap(hundredths)
        alarm.limit = fields.number("limit").flatMap(hundredths)
        return alarm
    }

    /// The members of an object by name; none for another value.
    private struct Fields {
        private let members: [JSON5Member]

        init(_ value: JSON5Value) {
            if case .object(let members) = value.content { self.members = members } else { members = [] }
        }

        private func content(_ name: String) -> JSON5Value.Content? {
            members.first { $0.name == name }?.value.content
        }

        func text(_ name: String) -> String? {
            if case .string(let text)? = content(name) { text } else { nil }
        }

        func number(_ name: String) -> Double? {
            if case .number(let number)? = content(name) { number } else { nil }
        }

        func flag(_ name: String) -> Bool {
            if case .boolean(true)? = content(name) { true } else { false }
        }

        func isNull(_ name: String) -> Bool {
            if case .null? = content(name) { true } else { false }
        }

        func list(_ name: String) -> [JSON5Value] {
            if case .array(let list)? = content(name) { list } else { [] }
        }

        func numbers(_ name: String) -> [Double] {
            list(name).compactMap { if case .number(let number) = $0.content { number } else { nil } }
        }

        func texts(_ name: String) -> [String] {
            list(name).compactMap { if case .string(let text) = $0.content { text } else { nil } }
        }
    }
}
