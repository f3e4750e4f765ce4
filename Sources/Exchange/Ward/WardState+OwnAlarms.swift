import Vitals
import WardMessages

/// The ward's own alarms: about its broker, about beds that are not heard, and about those without a place.
extension WardState {
    /// Sets the ward's own alarms about a bed, or about the ward as a whole.
    mutating func setOwnAlarms(_ kinds: [WardOwnAlarm.Kind], of bed: WardBed?) -> [WardEffect] {
        let before = ownAlarms.filter { $0.bed == bed }
        if before.isEmpty, kinds.isEmpty { return [] }
        var effects: [WardEffect] = []
        for alarm in before where !kinds.contains(alarm.kind) {
            ownAlarms.removeAll { $0 == alarm }
            effects += log(alarm, .ended)
        }
        for kind in kinds where !before.contains(where: { $0.kind == kind }) {
            let alarm = WardOwnAlarm(
                kind: kind, bed: bed, since: now, unplaced: bed == nil ? unplacedBeds(of: kind) : [])
            ownAlarms.append(alarm)
            effects += log(alarm, .active)
        }
        ownAlarms.sort {
            ($1.kind.priority, $0.since, $0.bed?.bed.text ?? "") < ($0.kind.priority, $1.since, $1.bed?.bed.text ?? "")
        }
        return effects
    }

    /// Acknowledges the ward's own alarms: of a bed, or those of the ward as a whole.
    public mutating func acknowledgeOwnAlarms(of bed: WardBed?, at moment: Moment) -> [WardEffect] {
        var effects = advance(to: moment)
        for index in ownAlarms.indices
        where !ownAlarms[index].isAcknowledged && ownAlarms[index].bed == bed {
            ownAlarms[index].isAcknowledged = true
            effects += log(ownAlarms[index], .acknowledged)
            if bed == nil { say("\(ownAlarms[index].text): acknowledged at this screen.") }
        }
        return effects
    }

    /// The beds without a place that an alarm about the ward is about.
    func unplacedBeds(of kind: WardOwnAlarm.Kind) -> [WardBed] {
        kind == .noPlace ? unplaced.heard : kind == .noLink ? unplaced.lost : []
    }
}
