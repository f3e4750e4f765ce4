import Monitoring
import Vitals

/// Decides when the tone of a pulse sounds: once for each measured pulse value, and never without one.
///
/// A sensor sends a rate, not beats; a tone for each beat would be invented. The tone's pitch tells the saturation, so
/// both values must be live: measured now, of good quality, and received when they were sent.
package struct PulseDirector: Sendable {
    /// Whether both values were live.
    private var wasLive = false

    /// Creates a director that has ordered nothing.
    package init() {}

    /// The orders after an input.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - state: The state, which contains it already.
    package mutating func orders(after input: MonitorInput, in state: borrowing MonitorState) -> [SoundOrder] {
        guard let saturation = Self.liveSample(.oxygenSaturation, state),
            let rate = Self.liveSample(.heartRate, state) ?? Self.liveSample(.pulseRate, state)
        else {
            defer { wasLive = false }
            return wasLive ? [.stopPulse] : []
        }
        wasLive = true
        guard case .event(let event) = input, case .reading(let reading) = event.kind, reading.vital == rate.vital,
            reading.late == nil, case .measured(_, .good) = reading.outcome,
            reading.sensor.address == rate.sensor.address
        else { return [] }
        return [.play(.pulse(PulseTone(saturation: saturation.value)))]
    }

    private static func liveSample(
        _ vital: Vital, _ state: borrowing MonitorState
    ) -> (vital: Vital, sensor: SensorIdentity, value: VitalValue)? {
        guard let shown = state.vitals.first(where: { $0.vital == vital }), let source = shown.source,
            case .measured(let sample) = shown.condition, sample.quality == .good
        else { return nil }
        return (vital, source, sample.value)
    }
}
