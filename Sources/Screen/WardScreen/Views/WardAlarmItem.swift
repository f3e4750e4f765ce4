import Appearance
import Monitoring
import Vitals
import Ward
import WardMessages
import Wording

/// An alarm of the ward as a line, with the bed's name in front.
struct WardAlarmItem {
    var parts: [String]
    var priority: AlarmPriority
    /// The rank within its priority.
    var urgency = AlarmKind.leastUrgency
    var isUnanswered: Bool
    var since: Moment
    /// The kind of one of the ward's own.
    var own: WardOwnAlarm.Kind?

    /// All alarms: those at beds with a link, and the ward's own.
    static func all(_ scene: WardScene) -> [WardAlarmItem] {
        var items = scene.state.ownAlarms.map { alarm in
            let bed = alarm.bed.flatMap { scene.prefix($0, of: alarm) }
            var parts = [
                [
                    scene.glyphs.marks(of: alarm.kind.priority) + (alarm.isAcknowledged ? " \(scene.glyphs.tick)" : ""),
                    bed, alarm.text,
                ]
                .compactMap { $0 }.joined(separator: " ")
            ]
            if alarm.kind == .noBroker, case .lost(let reason) = scene.state.broker { parts.append(reason) }
            if alarm.kind == .noPlace { parts.append("not shown here: \(scene.state.placeRemedy)") }
            parts.append("since \(scene.time.clock(alarm.since))")
            if alarm.unplaced.count > 1 {
                let names = alarm.unplaced.prefix(3).map { scene.state.label(of: $0) }
                let more = alarm.unplaced.count > 3 ? " and \(alarm.unplaced.count - 3) more" : ""
                parts.append(names.joined(separator: ", ") + more)
            }
            return WardAlarmItem(
                parts: parts, priority: alarm.kind.priority, urgency: alarm.kind.urgency,
                isUnanswered: !alarm.isAcknowledged, since: alarm.since, own: alarm.kind)
        }
        for place in scene.state.beds.indices where scene.state.beds[place].link.isLive {
            if scene.state.beds[place].alarms.isEmpty { continue }
            let bed = scene.state.beds[place]
            for alarm in bed.alarms {
                var parts = scene.text(alarm, of: bed)
                let marks = scene.glyphs.marks(of: alarm.priority)
                parts[0] = "\(marks) \(scene.title(of: bed))\(parts[0].dropFirst(marks.count))"
                let since = bed.activeSince(alarm.id) ?? scene.now
                if let words = scene.since(alarm, of: bed) { parts.append(words) }
                items.append(
                    WardAlarmItem(
                        parts: parts, priority: alarm.priority, urgency: alarm.urgency,
                        isUnanswered: alarm.wantsAttention, since: since))
            }
        }
        return items.enumerated().sorted { left, right in
            let (one, other) = (left.element, right.element)
            if one.isUnanswered != other.isUnanswered { return one.isUnanswered }
            if one.priority != other.priority { return one.priority > other.priority }
            if one.urgency != other.urgency { return one.urgency < other.urgency }
            return left.offset < right.offset
        }.map(\.element)
    }
}
