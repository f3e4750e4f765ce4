import Vitals

/// One of the vitals that a screen, a status or a ward shows as the large ones, in its place.
public struct ShownVital: Hashable, Sendable {
    /// The places.
    public enum Place: CaseIterable, Hashable, Sendable {
        case rate, oxygenSaturation, temperature
        /// Only where glucose is measured.
        case glucose

        /// The vital that belongs there, and its replacement when it has no source.
        public var candidates: (first: Vital, second: Vital?) {
            switch self {
            case .rate: (.heartRate, .pulseRate)
            case .oxygenSaturation: (.oxygenSaturation, nil)
            case .temperature: (.bodyTemperature, .skinTemperature)
            case .glucose: (.glucose, nil)
            }
        }
    }

    /// Where it is shown.
    public var place: Place
    /// The vital that is shown there.
    public var vital: VitalState
}

/// A single measurement that is shown for some time: a value, or that it is beyond the range of its meter.
package struct SpotFinding: Hashable {
    /// When it was measured.
    package var moment: Moment
    /// What measured it, or the person who typed it.
    package var sensor: SensorIdentity
    /// Where it was measured.
    package var site: BodySite?
    /// The value; `nil` where ``word`` is shown instead.
    package var value: VitalValue?
    /// What a meter shows instead of a number: "HI".
    package var word = ""
    /// Whether its sensor doubts it.
    package var isDoubtful = false
    /// Whether nobody has confirmed it yet.
    package var isUnconfirmed = false

    /// What it comes from: "manual", or the name of a sensor.
    package var origin: String { sensor.kind == .manual ? "manual" : sensor.shortName(limit: 16) }
}

extension MonitorState {
    /// The large vitals: the first three places always, glucose as soon as something measures it.
    public func shownVitals(at now: Moment) -> [ShownVital] {
        shownPlaces(at: now).map { ShownVital(place: $0, vital: shownVital($0, at: now)) }
    }

    /// The places that have a vital: the first three always, glucose as soon as something measures it.
    package func shownPlaces(at now: Moment) -> [ShownVital.Place] {
        let glucose = self[.glucose]
        let isMeasured =
            glucose.condition != .neverSeen || !glucose.trend.isEmpty || spotFinding(of: .glucose, at: now) != nil
        return isMeasured ? ShownVital.Place.allCases : ShownVital.Place.allCases.filter { $0 != .glucose }
    }

    /// The vital that is shown in a place: that of the place, or its replacement.
    package func shownVital(_ place: ShownVital.Place, at now: Moment) -> VitalState {
        let first = self[place.candidates.first]
        guard let second = place.candidates.second.map({ self[$0] }) else { return first }
        // A typed body temperature takes precedence over the skin's; a measured pulse over a typed rate.
        if spotFinding(of: first.vital, at: now) != nil, place == .temperature || second.condition == .neverSeen {
            return first
        }
        switch first.condition {
        case .measured, .stale, .lost, .noMeasurement: return first
        // Its sensor is not wanted, or there is none: another source is better than none.
        case .notConnected: return second.condition.isMeasured ? second : first
        case .neverSeen where second.condition == .neverSeen:
            // Neither has a current value: prefer the one with a trend.
            return first.trend.isEmpty && !second.trend.isEmpty ? second : first
        case .neverSeen: return second
        }
    }

    /// The newest finding about a vital that was measured once, as long as it is shown.
    package func spotFinding(of vital: Vital, at now: Moment) -> SpotFinding? {
        let record = patientRecord
        let finding =
            record.newestBeyondRange(vital).map {
                SpotFinding(
                    moment: $0.taken, sensor: $0.sensor, word: AbsenceExplanation.rangeText($0.absence) ?? "",
                    isUnconfirmed: $0.isUnconfirmed)
            }
            ?? record.newest(vital).map {
                SpotFinding(
                    moment: $0.moment, sensor: $0.sensor, site: $0.site, value: $0.value,
                    isDoubtful: $0.quality.isQuestionable, isUnconfirmed: $0.isUnconfirmed)
            }
        return finding.flatMap { now.since($0.moment) < PatientRecord.shownFor ? $0 : nil }
    }
}
