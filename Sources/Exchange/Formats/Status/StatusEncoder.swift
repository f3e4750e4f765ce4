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
        if !summary.sensors.isEmpty { fields.list("sensors", summary.sensors) { $0.write(fieldsOf: $1) } }
        fields.text("trouble", summary.trouble)
        if !summary.notices.isEmpty { fields.texts("notices", summary.notices) }
        fields.end()
        return fields.json.bytes
    }
}

extension WatchEncoder {
    fileprivate mutating func write(fieldsOf sensor: StatusSensor) {
        text("address", sensor.address)
        text("name", sensor.name)
        json.key("connected")
        json.bool(sensor.isConnected)
        if sensor.isRefusing {
            json.key("refuses")
            json.bool(true)
        }
        if let measuredAt = sensor.measuredAt { wallTime("last_value_t", milliseconds: measuredAt) }
        number("battery", sensor.battery)
        if let batteryAt = sensor.batteryAt { wallTime("battery_t", milliseconds: batteryAt) }
        guard let transmitter = sensor.transmitter else { return }
        text("firmware", transmitter.firmware)
        text("hardware", transmitter.hardware)
        text("sensor_serial", transmitter.sensorSerial)
        number("sensor_minutes", transmitter.sensorMinutes)
        text("new_sensor", transmitter.newSensor?.rawValue)
    }

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
            flag("weak_pulse", vital.hasWeakPulse)
            write(vital.calibration)
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
        summary.sensors = (value["sensors"]?.elements ?? []).prefix(StatusSummary.sensorLimit).compactMap(sensor)
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
        vital.hasWeakPulse = value["weak_pulse"]?.boolean ?? false
        if let with = value["calibrated_with"].flatMap(hundredths),
            let at = value["calibrated_at"]?.text.flatMap(wallMilliseconds(ofTimestamp:))
        {
            vital.calibration = AppliedCalibration(glucose: with, wallMilliseconds: at)
        }
        vital.reason = value["reason"]?.text
        vital.reasonText = value["reason_words"]?.text
        vital.site = value["site"]?.text
        vital.sensor = value["sensor_name"]?.text
        return vital
    }

    private static func sensor(_ value: JSON5Value) -> StatusSensor? {
        guard let address = value["address"]?.text, let name = value["name"]?.text else { return nil }
        var sensor = StatusSensor(address: address, name: name, isConnected: value["connected"]?.boolean ?? false)
        sensor.isRefusing = value["refuses"]?.boolean ?? false
        sensor.measuredAt = value["last_value_t"]?.text.flatMap(wallMilliseconds(ofTimestamp:))
        sensor.battery = value["battery"]?.whole
        sensor.batteryAt = value["battery_t"]?.text.flatMap(wallMilliseconds(ofTimestamp:))
        let transmitter = TransmitterStatus(
            firmware: value["firmware"]?.text, hardware: value["hardware"]?.text,
            sensorSerial: value["sensor_serial"]?.text,
            sensorMinutes: value["sensor_minutes"]?.whole.flatMap {
                TransmitterStatus.minutes.contains($0) ? $0 : nil
            },
            newSensor: value["new_sensor"]?.text.flatMap { TransmitterStatus.NewSensor(rawValue: $0) })
        if transmitter != TransmitterStatus() { sensor.transmitter = transmitter }
        return sensor
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

/// A request for status at a monitor's socket: one JSON object in a line.
public enum StatusQuestion: Hashable, Sendable {
    /// `{"ask":"status"}`: one answer.
    case once
    /// `{"ask":"status","follow":true}`: an answer now and at each change.
    case follow

    /// Parses a line; `nil` when it is another request.
    public init?(_ line: [UInt8]) {
        guard let value = try? JSON5Parser.parse(line), value["ask"]?.text == "status" else { return nil }
        self = value["follow"]?.boolean == true ? .follow : .once
    }

    /// The request with its line feed.
    public var line: [UInt8] {
        Array((self == .follow ? "{\"ask\":\"status\",\"follow\":true}\n" : "{\"ask\":\"status\"}\n").utf8)
    }

    /// The answer to a follow request when too many clients follow already.
    public static let noPlace = Array("{\"v\":1,\"error\":\"too many connections\"}\n".utf8)

    /// The answer to an invalid request.
    public static let refusal = Array(
        "{\"v\":1,\"error\":\"ask one JSON object in a line, such as {\\\"ask\\\":\\\"status\\\"}\"}\n".utf8)
}
