import Vitals

/// Reduces a fast sensor to one reading a second for each vital, plus the extremes between.
///
/// The first reading of a second passes at once, and so does each change between a value and an absence; of the other
/// readings in that second, those pass that are lower or higher than all before. So no extreme is lost, and a steady
/// value costs one reading a second.
struct Decimator: Sendable {
    private var seconds: [Vital: Second] = [:]

    /// The readings passed within the present second.
    private struct Second {
        let start: MonotonicTime
        var outcome: Reading.Outcome
        var low: VitalValue?
        var high: VitalValue?
    }

    /// Handles a reading; returns the readings to pass on.
    mutating func take(_ reading: Reading) -> [Reading] {
        guard let second = seconds[reading.vital],
            reading.moment.monotonic < second.start.advanced(by: .seconds(1)), reading.late == nil
        else {
            begin(reading)
            return [reading]
        }
        switch (second.outcome, reading.outcome) {
        case (.measured, .measured(let value, let quality)):
            var isNews = false
            if case .measured(_, let before) = second.outcome, before != quality { isNews = true }
            if let low = second.low, value < low { isNews = true }
            if let high = second.high, value > high { isNews = true }
            guard isNews else { return [] }
            seconds[reading.vital]?.outcome = reading.outcome
            seconds[reading.vital]?.low = second.low.map { min($0, value) }
            seconds[reading.vital]?.high = second.high.map { max($0, value) }
            return [reading]
        case (.noMeasurement(let before), .noMeasurement(let reason)) where before == reason: return []
        default:
            begin(reading)
            return [reading]
        }
    }

    private mutating func begin(_ reading: Reading) {
        guard reading.late == nil else { return }
        var value: VitalValue?
        if case .measured(let measured, _) = reading.outcome { value = measured }
        seconds[reading.vital] = Second(
            start: reading.moment.monotonic, outcome: reading.outcome, low: value, high: value)
    }
}
