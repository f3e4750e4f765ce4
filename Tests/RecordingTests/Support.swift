import Monitoring
import Vitals

extension Moment {
    /// So many seconds after an arbitrary moment.
    static func at(_ seconds: Int) -> Moment {
        Moment(
            monotonicNanoseconds: Int64(seconds) * 1_000_000_000,
            wallMilliseconds: 1_700_000_000_000 + Int64(seconds) * 1000)
    }
}

extension AlarmLogEntry {
    /// A fever that becomes active.
    static func fever(at seconds: Int) -> AlarmLogEntry {
        let sensor = SensorIdentity(address: "C0:52:49:00:00:01", name: "CORE [1A]", kind: .core)
        return AlarmLogEntry(
            moment: .at(seconds),
            content: .change(
                Change(
                    episode: 3, kind: .feverSingle, priority: .high, state: .active, sensor: sensor,
                    vital: .bodyTemperature, site: .core, value: VitalValue(hundredths: 3860),
                    peak: VitalValue(hundredths: 3870), limit: VitalValue(hundredths: 3830),
                    sinceWallMilliseconds: Moment.at(seconds - 1).wallMilliseconds,
                    text: "Fever 38.6 °C ≥ 38.3 · core · CORE [1A]")))
    }

    /// An alarm about the computer, which has no sensor, vital or value.
    static func adapterOff(at seconds: Int) -> AlarmLogEntry {
        AlarmLogEntry(
            moment: .at(seconds),
            content: .change(
                Change(
                    episode: 4, kind: .adapterOff, priority: .medium, state: .ended, sensor: nil, vital: nil, site: nil,
                    value: nil, peak: nil, limit: nil, sinceWallMilliseconds: 0, text: "Bluetooth adapter not usable")))
    }

    /// Somebody acknowledges two alarms.
    static func acknowledgement(at seconds: Int) -> AlarmLogEntry {
        AlarmLogEntry(
            moment: .at(seconds),
            content: .action(
                Action(
                    actor: .user, word: "acknowledged", text: "2 alarms acknowledged", episodes: [3, 4],
                    untilWallMilliseconds: 5)))
    }
}
