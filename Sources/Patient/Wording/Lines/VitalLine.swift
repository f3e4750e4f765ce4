import Base
import Monitoring
import Vitals

/// One vital as a line of text: its value with unit, or why there is none.
package struct VitalLine: Hashable {
    /// The part whose change makes the line due again; without ages.
    package var key: String
    /// Whether it is reported at once: anything but a current value.
    package var isUrgent: Bool
    private let unit: DisplayUnits
    private var condition: VitalCondition
    private var name: String
    private var value: String
    /// The limit that a current value exceeds: ", above the limit of 120"; may be empty.
    private var limit = ""
    /// Why a current value is doubtful: ", POOR SIGNAL"; may be empty.
    private var warnings = ""
    /// The remark on another sensor of the same kind that measures the vital; may be empty.
    private var substitute = ""

    /// Finds the text; `nil` for a vital that no sensor has reported.
    package init?(_ vital: VitalState, _ state: MonitorState, unit: DisplayUnits) {
        self.unit = unit
        let text = ValueText(unit)
        let sample = vital.condition.lastSample
        let number = sample.map {
            text.digits($0.value, of: vital.vital, limits: state.boundaries(of: vital.vital))
        }
        value = "\(number ?? "--") \(vital.vital.unitText(unit))"
        if let sample { limit = Self.crossedLimit(sample, of: vital.vital, state, text).map { ", \($0)" } ?? "" }
        if let sample {
            let doubts = sample.quality.warnings(hasWeakPulse: state.hasWeakPulse(vital.vital))
            warnings = doubts.map { ", \($0[0])" }.joined()
        }
        name = vital.vital.text
        if vital.vital == .bodyTemperature, let site = sample?.site { name += " (\(site.text))" }
        condition = vital.condition
        if let other = state.substitute(for: vital.vital) {
            substitute = "; \(other.identity.shortName()) measures it, and is not used unless assigned"
        }
        isUrgent = !vital.condition.isMeasured
        switch vital.condition {
        case .neverSeen: return nil
        case .measured(let sample): key = "\(value)\(limit) \(sample.sensor.address)\(warnings) \(name)"
        case .stale: key = "stale"
        case .lost: key = "lost \(substitute)"
        case .noMeasurement(let absence):
            key = "absent \(absence.reason.rawValue) \(absence.sensor.address)\(substitute)"
        case .notConnected: key = "not connected"
        }
    }

    /// The worst limit that a value exceeds.
    private static func crossedLimit(
        _ sample: Sample, of vital: Vital, _ state: MonitorState, _ text: ValueText
    ) -> String? {
        if vital == .bodyTemperature, sample.site != .skin, let fever = state.settings.fever.limits.first,
            sample.value >= fever
        {
            return LimitRelation.atLeast.text(text.limit(fever, of: vital))
        }
        for kind in [LimitKind.severeLow, .severeHigh, .low, .high] {
            guard let limit = state.currentLimits[vital]?[kind].value, let relation = kind.alarmKind.relation,
                relation.holds(sample.value, limit)
            else { continue }
            return relation.text(text.limit(limit, of: vital))
        }
        return nil
    }

    /// The sensor that a current value comes from.
    package var source: SensorIdentity? {
        if case .measured(let sample) = condition { sample.sensor } else { nil }
    }

    /// The line at a moment.
    ///
    /// - Parameter namesSource: Whether the sensor is named beside a current value.
    package func text(_ time: TimeText, vital: Vital, namesSource: Bool) -> String {
        func ago(_ moment: Moment) -> String {
            let age = time.age(of: moment)
            return age == TimeText.now ? "" : ", \(age) old"
        }
        func last(_ sample: Sample?) -> String { sample.map { "; last \(value) at \(time.clock($0.moment))" } ?? "" }
        switch condition {
        case .neverSeen: return "\(name) not measured"
        case .measured(let sample):
            let source = namesSource ? ", \(sample.sensor.name)" : ""
            let calibrated = sample.calibration.map { " with \(CalibrationLabels(unit, time).text($0))" } ?? ""
            return "\(name) \(value)\(limit)\(ago(sample.moment))\(warnings)\(calibrated)\(source)"
        case .stale(let sample): return "\(name) STALE: \(value)\(ago(sample.moment))"
        case .lost(let sample): return "\(name) NO NEW VALUE\(last(sample))\(substitute)"
        case .noMeasurement(let absence):
            let words = AbsenceExplanation(reason: absence.reason, sensor: absence.sensor.kind, vital: vital)
            return "\(name) NO MEASUREMENT: \(words.title); \(words.remedy)\(last(absence.last))\(substitute)"
        case .notConnected(let sample, _): return "\(name) not measured: its sensor is disconnected\(last(sample))"
        }
    }
}
