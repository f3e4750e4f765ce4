import Monitoring
import Vitals

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
