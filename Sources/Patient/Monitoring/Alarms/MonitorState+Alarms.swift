import Vitals

extension MonitorState {
    /// Ends an episode at the user's request, and resets its rule.
    mutating func clearAlarm(_ id: Alarm.ID) -> [Effect] {
        guard let (key, ended) = board.clear(id, now) else { return [] }
        switch key.source {
        case .computer: break
        case .manual: patientRecord.declareFeverOver(at: now)
        case .sensor(let ordinal):
            guard let row = table.row(ordinal: ordinal) else { break }
            for place in table[row].vitals.indices { table[row].vitals[place].fever.clear(key.kind) }
        }
        return ended + report(.cleared(id, SnoozeKey(kind: key.kind, vital: key.vital)))
    }

    /// Whether an alarm is based on a current value, so that it may be shown as *now*.
    public func isCurrent(_ alarm: Alarm) -> Bool {
        guard alarm.isLive, let vital = alarm.vital, let row = alarm.sensorOrdinal.flatMap({ table.row(ordinal: $0) })
        else {
            return alarm.isLive
        }
        return table[row].condition(of: vital)?.isMeasured == true
    }

    /// An alarm in one line, as ``Alarm/text``, but as of now.
    public func text(of alarm: Alarm) -> String { alarm.phrase(isCurrent: isCurrent(alarm)).text }
}
