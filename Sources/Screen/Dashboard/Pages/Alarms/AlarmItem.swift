import Monitoring
import Vitals

/// A row on the page of alarms: something to answer, or an answer that can be withdrawn.
enum AlarmItem: Hashable, Identifiable {
    /// An alarm, a latched one, or a suspicion.
    case alarm(Alarm)
    /// A snoozed kind of alarm.
    case snooze(AlarmSignal.Snooze)
    /// A sensor whose alarms are held for care.
    case care(SensorIdentity, until: Moment)

    /// Identifies a row while its content changes.
    enum ID: Hashable {
        case alarm(Alarm.ID)
        case snooze(SnoozeKey)
        case care(address: String)
    }

    var id: ID {
        switch self {
        case .alarm(let alarm): .alarm(alarm.id)
        case .snooze(let snooze): .snooze(snooze.key)
        case .care(let sensor, _): .care(address: sensor.address)
        }
    }

    /// The sensor of a care pause in this row.
    var sensor: SensorIdentity? {
        switch self {
        case .alarm(let alarm): alarm.isOfEntry ? nil : alarm.sensor
        case .snooze: nil
        case .care(let sensor, _): sensor
        }
    }

    /// Every row: the alarms as in the alarm line, those that others cover, pauses and snoozes, suspicions.
    static func all(in state: MonitorState) -> [AlarmItem] {
        let shown = state.shownAlarms
        let known = Set(shown.map(\.id))
        let others = state.alarms.filter { !known.contains($0.id) }
        let cares = state.sensors.compactMap { sensor in
            state.carePause(address: sensor.identity.address).map { AlarmItem.care(sensor.identity, until: $0) }
        }
        return (shown + others.filter { $0.phase != .pending }).map(AlarmItem.alarm)
            + state.signal.snoozes.map(AlarmItem.snooze) + cares
            + others.filter { $0.phase == .pending }.map(AlarmItem.alarm)
    }
}
