import Monitoring
import Vitals

extension AbsenceReason {
    /// The reason in two words at most, for lists and the smallest screens.
    package var shortText: String {
        switch self {
        case .offBody: "off body"
        case .noContact: "no contact"
        case .notANumber: "no value"
        case .searching: "searching"
        case .lowPerfusion: "weak pulse"
        case .equipment: "sensor fault"
        case .calibrating: "calibrating"
        case .calibrationWanted: "uncalibrated"
        case .uncalibrated: "to calibrate"
        case .newSensor: "new sensor"
        case .handingOver: "hands over"
        case .demo: "demo mode"
        case .test: "test mode"
        case .silent: "silent"
        case .linkLost: "link lost"
        case .outOfRange: "out of range"
        case .unusable: "unusable"
        case .aboveRange: "above range"
        case .belowRange: "below range"
        case .above400: "> 400 mg/dL"
        case .below40: "< 40 mg/dL"
        }
    }

    /// The word shown as large as a number in its place; ``BigDigits`` has only these letters.
    package var word: String {
        switch self {
        case .offBody, .noContact: "OFF"
        case .linkLost: Self.lostWord
        case .silent: Self.silentWord
        case .equipment: "FAULT"
        case .lowPerfusion: "FAINT"
        case .demo, .test: "TEST"
        // As a meter shows it.
        case .aboveRange, .above400: "HI"
        case .belowRange, .below40: "LO"
        case .notANumber, .searching, .calibrating, .calibrationWanted, .uncalibrated, .newSensor, .handingOver,
            .outOfRange, .unusable:
            Self.noneWord
        }
    }

    /// The link, or what it depends on, is gone.
    package static let lostWord = "LOST"
    /// The link is up, and nothing arrives.
    package static let silentWord = "SILENT"
    /// The sensor has no number.
    package static let noneWord = "NONE"
}

extension LateInterval {
    /// A late reading in a line; `nil` when it adds nothing.
    ///
    /// Each stored value is reported. Of many values that arrive together, possibly thousands, only the first is
    /// reported.
    package func text(_ reading: Reading, _ state: MonitorState, _ unit: DisplayUnits, _ time: TimeText) -> String? {
        guard case .measured(let value, _) = reading.plausibleOutcome else { return nil }
        let vital = reading.vital
        switch source {
        case .sensorClock:
            let digits = ValueText(unit).digits(value, of: vital)
            return "late value: \(vital.text) was \(digits) \(vital.unitText(unit))"
                + " at \(time.point(estimate, isExact: false)), \(reading.sensor.name)"
        case .waited:
            let sensor = state.sensor(address: reading.sensor.address)
            guard sensor?.vitals.first(where: { $0.vital == vital })?.late?.count == 1 else { return nil }
            return "late values: \(vital.text) was measured \(EventLabels.stretch(from, to, time)) and not seen"
        }
    }
}

extension Reading.Quality {
    /// The warnings beside a value, the worst first; each from its longest words to its shortest.
    ///
    /// - Parameter hasWeakPulse: Whether the oximeter sees a weak pulse (`MonitorState.hasWeakPulse(_:)`).
    package func warnings(hasWeakPulse: Bool) -> [[String]] {
        let own = [warning, shortWarning].compactMap { $0 }
        return (own.isEmpty ? [] : [own]) + (hasWeakPulse ? [["WEAK PULSE", "WEAK"]] : [])
    }

    /// The warning beside a value that its sensor marks as unreliable; `nil` for a good one.
    private var warning: String? {
        switch self {
        case .good: nil
        case .questionable: "POOR SIGNAL"
        case .malfunction: "SENSOR FAULT"
        case .calibrationWanted: "CALIBRATE"
        case .rawEstimate: "RAW ESTIMATE"
        case .calibrated: "CALIBRATED"
        }
    }

    /// The same in a word, for narrow titles.
    private var shortWarning: String? {
        switch self {
        case .good: nil
        case .questionable: "POOR"
        case .malfunction: "FAULT"
        case .calibrationWanted: "CALIBR."
        case .rawEstimate: "RAW"
        case .calibrated: "CAL"
        }
    }
}
