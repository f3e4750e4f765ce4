import Base
import Monitoring
import Status
import Vitals

/// A status as the text of OpenMetrics 1.0, for databases that collect measurements of computers.
///
/// A number is written only while it is measured. Such a database shows the last number for some minutes, so each vital
/// has a state beside it.
struct OpenMetrics {
    /// The exposition, without the line feed at its end.
    let text: String

    /// The exposition of a status.
    init(_ summary: StatusSummary) {
        var lines: [String] = []
        var common: [Label] = []
        if let patient = summary.patient { common.append(Label("patient", patient)) }
        if summary.isSimulated { common.append(Label("simulated", "true")) }
        func add(_ family: Family, _ samples: [(labels: [Label], value: String)]) {
            lines += family.header
            for sample in samples {
                lines.append("\(family.sampleName)\(Self.text(of: common + sample.labels)) \(sample.value)")
            }
        }
        add(.isRunning, [([], "1")])
        add(.program, [([Label("version", Product.version)], "1")])
        for vital in summary.vitals {
            var samples: [(labels: [Label], value: String)] = []
            if vital.state == .measured, let value = vital.value {
                samples.append((Self.labels(of: vital), Self.digits(value)))
            }
            add(.value(of: vital.vital), samples)
        }
        add(
            .state,
            summary.vitals.flatMap { vital in
                StatusVital.State.allCases.map { state in
                    (
                        [Label("vital", vital.vital.rawValue), Label(Family.state.name, state.rawValue)],
                        state == vital.state ? "1" : "0"
                    )
                }
            })
        add(
            .age,
            summary.vitals.compactMap { vital in
                guard vital.state == .measured, let age = vital.age else { return nil }
                return ([Label("vital", vital.vital.rawValue)], String(age))
            })
        add(.alarmCount, [([], String(summary.alarmCount))])
        add(.alarm, summary.alarms.map { (Self.labels(of: $0), "1") })
        text = (lines + [Self.end]).joined(separator: "\n")
    }

    /// Creates the exposition for a missing monitor.
    init() {
        text = (Family.isRunning.header + ["\(Family.isRunning.sampleName) 0", Self.end]).joined(separator: "\n")
    }

    private static let end = "# EOF"

    private static func labels(of vital: StatusVital) -> [Label] {
        var labels: [Label] = []
        if let sensor = vital.sensor { labels.append(Label("sensor", sensor)) }
        if let site = vital.site { labels.append(Label("site", site)) }
        labels.append(Label("quality", vital.quality.rawValue))
        return labels
    }

    private static func labels(of alarm: StatusAlarm) -> [Label] {
        var labels = [
            // Two alarms may otherwise be equal.
            Label("id", String(alarm.id)), Label("kind", alarm.kindName), Label("class", alarm.alarmClass.rawValue),
            Label("priority", alarm.priority.rawValue), Label("state", alarm.state.rawValue),
            Label("acknowledged", alarm.isAcknowledged ? "true" : "false"),
        ]
        if let vital = alarm.vital { labels.append(Label("vital", vital.rawValue)) }
        if let sensor = alarm.sensorName { labels.append(Label("sensor", sensor)) }
        return labels
    }

    private static func digits(_ value: VitalValue) -> String {
        var bytes: [UInt8] = []
        CSVField.append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func text(of labels: [Label]) -> String {
        if labels.isEmpty { return "" }
        return "{\(labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ","))}"
    }

    /// An untrusted text as the value of a label; it contains no line feed.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in sanitized(text, limit: 256).unicodeScalars {
            if character == "\"" || character == "\\" { escaped.unicodeScalars.append("\\") }
            escaped.unicodeScalars.append(character)
        }
        return escaped
    }
}

private struct Label {
    let name, value: String

    init(_ name: String, _ value: String) {
        (self.name, self.value) = (name, value)
    }
}

/// A metric family; the unit is the end of its name, as the format requires.
private struct Family {
    let name, type, help: String
    var unit: String?

    var sampleName: String { type == "info" ? "\(name)_info" : name }

    /// The lines before the samples.
    var header: [String] {
        ["# TYPE \(name) \(type)"] + (unit.map { ["# UNIT \(name) \($0)"] } ?? []) + ["# HELP \(name) \(help)"]
    }

    static let isRunning = Family(
        name: "bedside_up", type: "gauge", help: "Whether a monitor runs and answers.")
    static let program = Family(name: "bedside", type: "info", help: "The program that answers.")
    static let state = Family(
        name: "bedside_vital_state", type: "stateset", help: "What is known of a vital now.")
    static let age = Family(
        name: "bedside_vital_age_seconds", type: "gauge", help: "How old the present value is.", unit: "seconds")
    static let alarmCount = Family(
        name: "bedside_alarms", type: "gauge", help: "How many alarms the screen shows.")
    static let alarm = Family(
        name: "bedside_alarm", type: "gauge", help: "An alarm that the screen shows, of the worst eight.")

    static func value(of vital: Vital) -> Family {
        let unit = vital.traits.unit.metricName
        return Family(
            name: "bedside_\(vital.rawValue)_\(unit)", type: "gauge",
            help: "\(vital.text.capitalizedFirst), while it is measured.", unit: unit)
    }
}
