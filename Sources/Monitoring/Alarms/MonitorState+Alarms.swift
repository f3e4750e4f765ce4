import Vitals

extension MonitorState {
    /// Ends an episode by the user's word, and lets its rule begin anew.
    mutating func clearAlarm(_ id: Alarm.ID) -> [Effect] {
        guard let (key, ended) = board.clear(id, now) else { return [] }
        switch key.source {
        case .computer: break
        case .manual: manual.declareFeverOver(at: now)
        case .sensor(let ordinal):
            guard let row = table.row(ordinal: ordinal) else { break }
            for place in table[row].vitals.indices { table[row].vitals[place].fever.clear(key.kind) }
        }
        return ended + report(.cleared(id))
    }

    /// Whether an alarm goes by a value of the present, so that it may be told as *now*.
    public func isCurrent(_ alarm: Alarm) -> Bool {
        guard alarm.isLive, let vital = alarm.vital, let row = alarm.sensorOrdinal.flatMap({ table.row(ordinal: $0) })
        else {
            return alarm.isLive
        }
        return table[row].condition(of: vital)?.isMeasured == true
    }

    /// An alarm in one line, as ``Alarm/text``, at whatever time after its last event.
    public func text(of alarm: Alarm) -> String { alarm.phrase(isCurrent: isCurrent(alarm)).text }
}
