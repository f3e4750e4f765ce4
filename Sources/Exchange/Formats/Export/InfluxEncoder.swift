import Monitoring
import Base
import Vitals

/// Writes a point of InfluxDB's line protocol for each reading, which most time series databases accept.
///
/// A database keeps one value for a field, its tags and a time, so values of the same millisecond get times nanoseconds
/// apart.
struct InfluxEncoder: ReadingEncoder {
    private(set) var bytes: [UInt8] = []
    private let isSimulated: Bool
    /// The newest millisecond of each series, and its number of points.
    private var newest: [(millisecond: Int64, count: Int64)] = []
    /// The series by their fields with their tags.
    private var series: [String: Int] = [:]
    /// What was written of each source before its value, because its tags rarely change.
    private var sources: [Source: Line] = [:]

    /// What the tags of a reading, and the name of its field, depend on.
    private struct Source: Hashable {
        var sensorNumber: Int64
        var vital: Vital
        var site: BodySite?
        var late: LateInterval.Source?
        var quality: Reading.Quality?
        var absence: AbsenceReason?
    }

    /// The constant part of lines.
    private struct Line {
        /// Everything before the value, or before the time where there is none.
        var beginning: [UInt8]
        /// The index of the series.
        var series: Int
    }

    /// The name of all points.
    static let measurement = "bedside"

    init(isSimulated: Bool) {
        self.isSimulated = isSimulated
    }

    mutating func begin() {}

    mutating func write(_ recorded: RecordedReading) {
        let reading = recorded.reading
        var source = Source(
            sensorNumber: recorded.sensorNumber, vital: reading.vital, site: reading.site, late: reading.late?.source)
        switch reading.outcome {
        case .measured(_, let quality): source.quality = quality
        case .noMeasurement(let reason): source.absence = reason
        }
        let line = sources[source] ?? begin(source, reading.sensor)
        bytes += line.beginning
        if case .measured(let value, _) = reading.outcome { CSVField.append(value, to: &bytes) }
        if let calibration = reading.calibration {
            bytes += ",\(reading.vital.rawValue)_text=\(InfluxText.quoted(calibration.note))".utf8
        }
        // A late value is written at the time of its measurement.
        end(line.series, at: reading.late?.estimate ?? reading.moment)
    }

    private mutating func begin(_ source: Source, _ sensor: SensorIdentity) -> Line {
        var point = Point(sensor, source.vital.rawValue, unit: source.vital.unit)
        point.tag("site", source.site?.rawValue)
        point.tag("late", source.late?.rawValue)
        point.tag("quality", source.quality?.rawValue)
        if isSimulated { point.tag("simulated", "true") }
        point.absence = source.absence?.rawValue
        let fields = point.fields ?? "\(point.name)="
        let line = Line(
            beginning: Array("\(Self.measurement)\(point.tags) \(fields)".utf8), series: series(of: point))
        sources[source] = line
        return line
    }

    /// The number of a point's series: each combination of field and tags has one.
    private mutating func series(of point: Point) -> Int {
        let key = "\(point.name) \(point.tags)"
        if let known = series[key] { return known }
        newest.append((.min, 0))
        series[key] = newest.count - 1
        return newest.count - 1
    }

    mutating func write(_ recorded: RecordedEntry) {
        let entry = recorded.entry
        // A mistaken entry has no value, so that no sum counts it; its text contains the value.
        let words = entry.remarks
        for quantity in entry.quantities {
            var point = Point(entry.sensor, quantity.name, unit: quantity.unit)
            point.tag("site", entry.site?.rawValue)
            point.tag(entry)
            point.words = words
            point.tag("quality", entry.facts.quality.rawValue)
            if entry.isRetracted {
                point.absence = "entered_in_error"
            } else {
                point.value = quantity.value
            }
            write(point, at: entry.taken)
        }
        guard entry.quantities.isEmpty, let kind = entry.kind else { return }
        var point = Point(entry.sensor, kind.rawValue)
        point.tag(entry)
        if entry.facts.quality.isQuestionable { point.tag("quality", entry.facts.quality.rawValue) }
        point.words = words
        point.absence = entry.isRetracted ? "entered_in_error" : entry.absence?.rawValue
        write(point, at: entry.taken)
    }

    mutating func end() {}

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func write(_ point: Point, at moment: Moment) {
        var point = point
        if isSimulated { point.tag("simulated", "true") }
        guard let fields = point.fields else { return }
        bytes += "\(Self.measurement)\(point.tags) \(fields)".utf8
        end(series(of: point), at: moment)
    }

    /// Ends a line with the time of its point.
    private mutating func end(_ series: Int, at moment: Moment) {
        let millisecond = moment.wallMilliseconds
        let place = newest[series].millisecond == millisecond ? newest[series].count : 0
        newest[series] = (millisecond, place + 1)
        bytes.append(UInt8(ascii: " "))
        let nanosecondsOfMillisecond: Int64 = 1_000_000
        CSVField.append(
            millisecond.multipliedSaturated(by: nanosecondsOfMillisecond)
                .addingSaturated(min(place, nanosecondsOfMillisecond - 1)), to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }
}

/// A point, without its time.
private struct Point {
    /// The name of its value.
    let name: String
    /// The tags, each with a comma before it.
    private(set) var tags = ""
    /// The value; `nil` for none.
    var value: VitalValue?
    /// The reason for a missing value.
    var absence: String?
    /// What was typed, and what is known of the measurement beside its value.
    var words: String?
    /// The time by the device's own clock.
    private(set) var deviceTime: String?
    /// The device's number of the measurement.
    private(set) var sequence: Int?
    /// Why the entry was taken back; empty for most.
    private(set) var retractionReason = ""

    init(_ sensor: SensorIdentity, _ name: String, unit: String? = nil) {
        self.name = name
        tag("sensor", sensor.name)
        tag("address", sensor.address)
        tag("kind", sensor.kind.rawValue)
        tag("unit", unit)
    }

    /// Adds a tag, unless its text is empty, which databases refuse.
    mutating func tag(_ name: String, _ text: String?) {
        let text = InfluxText.tag(text ?? "")
        if !text.isEmpty { tags += ",\(name)=\(text)" }
    }

    /// Adds what is known of an entry beside its value.
    ///
    /// A point must have a time: where that of the measurement is unknown, it is that of arrival, and a tag says so.
    mutating func tag(_ entry: RecordEntry) {
        tag("time_unknown", entry.facts.isTimeKnown ? nil : "true")
        tag("user", entry.facts.user.map { "\($0)" })
        tag("imported_from", entry.origin?.source)
        deviceTime = entry.facts.deviceTime?.text
        sequence = entry.facts.sequence
        retractionReason = entry.retractionReason
    }

    /// The fields; `nil` where it has none.
    var fields: String? {
        var fields: [String] = []
        if let value {
            var digits: [UInt8] = []
            CSVField.append(value, to: &digits)
            fields.append("\(name)=\(String(decoding: digits, as: UTF8.self))")
        }
        if let absence { fields.append("\(name)_absence=\(InfluxText.quoted(absence))") }
        if let deviceTime { fields.append("\(name)_device_time=\(InfluxText.quoted(deviceTime))") }
        if let sequence { fields.append("\(name)_sequence=\(sequence)i") }
        if !retractionReason.isEmpty {
            fields.append("\(name)_retraction_reason=\(InfluxText.quoted(retractionReason))")
        }
        if let words { fields.append("\(name)_text=\(InfluxText.quoted(words))") }
        return fields.isEmpty ? nil : fields.joined(separator: ",")
    }
}

/// Untrusted texts in line protocol.
enum InfluxText {
    private static let limit = 256

    /// The value of a tag.
    ///
    /// A backslash at its end would escape the following comma, and databases disagree about escaping a backslash
    /// itself, so it is replaced by its full-width form.
    static func tag(_ text: String) -> String {
        var escaped = ""
        for character in sanitized(text, limit: limit).unicodeScalars {
            switch character {
            case "\\": escaped.unicodeScalars.append("\u{FF3C}")
            case ",", "=", " ":
                escaped.unicodeScalars.append("\\")
                escaped.unicodeScalars.append(character)
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// A text as the value of a field.
    static func quoted(_ text: String) -> String {
        var escaped = "\""
        for character in sanitized(text, limit: limit).unicodeScalars {
            if character == "\"" || character == "\\" { escaped.unicodeScalars.append("\\") }
            escaped.unicodeScalars.append(character)
        }
        return escaped + "\""
    }
}
