import Vitals

extension Alarm {
    /// The alarm in one line without a time of day: "Fever 38.6 °C ≥ 38.3 · core · CORE 1A2B".
    ///
    /// For logs and `bedside watch --json`; a screen makes its own line from the parts, in the units that it shows.
    public var text: String {
        var parts = [statement]
        if let site { parts.append(site.words) }
        parts.append(sensor.name.isEmpty ? sensor.address : sensor.name)
        switch phase {
        case .suspended(_, let reason):
            let why = reason.map { AbsenceExplanation(reason: $0, sensor: sensor.kind, vital: vital).title }
            parts.append("suspended: \(why ?? "no measurement")")
        case .pending:
            if let confirmations {
                let unit = kind == .feverSustained ? "min" : "readings"
                parts.append("\(confirmations.count) of \(confirmations.wanted) \(unit)")
            }
        case .active, .ended: break
        }
        return parts.joined(separator: " · ")
    }

    private var statement: String {
        switch kind {
        case .feverSingle, .feverSustained:
            guard let value, let limit else { return kind.title }
            return "\(kind.title) \(value.decimalText) °C ≥ \(limit.decimalText)"
        case .batteryLow:
            guard let value, let limit else { return kind.title }
            return "\(kind.title) \(value.hundredths / 100) % ≤ \(limit.hundredths / 100)"
        case .sensorOff, .silent, .linkLost:
            // "Link lost: link lost" would say it twice.
            guard let reason, kind != .linkLost else { return kind.title }
            return "\(kind.title): \(AbsenceExplanation(reason: reason, sensor: sensor.kind, vital: vital).title)"
        }
    }
}

extension AlarmKind {
    /// What to call the condition: "Fever".
    public var title: String {
        switch self {
        case .feverSingle: "Fever"
        case .feverSustained: "Sustained fever"
        case .sensorOff: "Sensor off"
        case .silent: "Sensor silent"
        case .linkLost: "Link lost"
        case .batteryLow: "Battery low"
        }
    }
}

extension BodySite {
    /// The site in plain words: "ear lobe".
    public var words: String {
        switch self {
        case .gastrointestinalTract: "gastrointestinal tract"
        case .earLobe: "ear lobe"
        default: rawValue
        }
    }
}

extension VitalValue {
    /// The value with one decimal, or two when they say more: exact, so that 38.29 never reads as 38.3.
    var decimalText: String {
        let sign = hundredths < 0 ? "-" : ""
        let (whole, fraction) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        let (tenths, rest) = fraction.quotientAndRemainder(dividingBy: 10)
        return rest == 0 ? "\(sign)\(whole).\(tenths)" : "\(sign)\(whole).\(tenths)\(rest)"
    }
}
