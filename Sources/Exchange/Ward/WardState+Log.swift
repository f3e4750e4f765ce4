import Monitoring
import Vitals
import WardMessages

/// What the log tells of alarms: those of the beds, and the ward's own.
extension WardState {
    /// Logs how the alarms of a bed differ from those before a message.
    mutating func logChanges(at place: Int, _ before: [Int: WardAlarm]) -> [WardEffect] {
        let (bed, after) = (beds[place].bed, beds[place].alarmRecords.mapValues(\.alarm))
        return Set(before.keys).union(after.keys).sorted().flatMap { logChange(of: bed, before[$0], after[$0]) }
    }

    /// Logs the change of one alarm of a bed; before it began and after its end it is `nil`.
    mutating func logChange(of bed: WardBed, _ before: WardAlarm?, _ after: WardAlarm?) -> [WardEffect] {
        guard var alarm = after ?? before else { return [] }
        if after == nil { (alarm.state, alarm.isLatched) = (.ended, false) }
        let (wasShown, isShown) = (before?.isShown == true, after?.isShown == true)
        let change: WardLogEntry.Change? =
            switch (wasShown, isShown) {
            case (false, false): nil
            case (true, false): .ended
            case (false, true): alarm.isAcknowledged ? .acknowledged : alarm.state == .suspended ? .suspended : .active
            case (true, true):
                if let before, alarm.priority > before.priority {
                    .worsened
                } else if before?.isAcknowledged == false, alarm.isAcknowledged {
                    .acknowledged
                } else if before?.state != alarm.state {
                    alarm.state == .suspended ? .suspended : alarm.state == .active ? .active : .ended
                } else {
                    nil
                }
            }
        guard let change else { return [] }
        return record(
            WardLogEntry(
                moment: now, bed: bed, priority: alarm.priority, change: change, text: alarm.text,
                origin: .bed(alarm)))
    }

    private mutating func record(_ entry: WardLogEntry) -> [WardEffect] {
        log.append(entry)
        if log.count > WardLogEntry.limit { log.removeFirst(log.count - WardLogEntry.limit) }
        return [.logged(entry)]
    }

    /// Logs a change of one of the ward's own alarms.
    mutating func log(_ alarm: WardOwnAlarm, _ change: WardLogEntry.Change) -> [WardEffect] {
        record(
            WardLogEntry(
                moment: now, bed: alarm.bed, priority: alarm.kind.priority, change: change, text: alarm.text,
                origin: .ward(alarm.kind)))
    }
}
