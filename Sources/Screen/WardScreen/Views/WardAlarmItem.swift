import Appearance
import Monitoring
import Vitals
import Ward
import WardMessages
import Wording

/// An alarm of the ward, in the order in which they must be seen; its words are made when they are shown.
struct WardAlarmItem {
    var priority: AlarmPriority
    /// The rank within its priority.
    var urgency: Int
    var isUnanswered: Bool
    var origin: Origin

    /// Where an alarm comes from.
    enum Origin {
        /// The ward itself.
        case ward(WardOwnAlarm)
        /// A bed's, by the bed's place in the ward's list.
        case bed(place: Int, WardAlarm)
    }

    /// The kind of one of the ward's own.
    var own: WardOwnAlarm.Kind? { if case .ward(let alarm) = origin { alarm.kind } else { nil } }

    /// All alarms: those at beds with a link, and the ward's own.
    static func all(_ state: WardState) -> [WardAlarmItem] {
        var items = state.ownAlarms.map { alarm in
            WardAlarmItem(
                priority: alarm.kind.priority, urgency: alarm.kind.urgency, isUnanswered: !alarm.isAcknowledged,
                origin: .ward(alarm))
        }
        for place in state.beds.indices where state.beds[place].link.isLive {
            for alarm in state.beds[place].alarms {
                items.append(
                    WardAlarmItem(
                        priority: alarm.priority, urgency: alarm.urgency, isUnanswered: alarm.wantsAttention,
                        origin: .bed(place: place, alarm)))
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

    /// Its line, with the bed's name in front; a narrow screen omits parts from the end.
    func parts(_ scene: WardScene) -> [String] {
        switch origin {
        case .ward(let alarm): Self.parts(alarm, scene)
        case .bed(let place, let alarm): Self.parts(alarm, of: scene.state.beds[place], scene)
        }
    }

    private static func parts(_ alarm: WardOwnAlarm, _ scene: WardScene) -> [String] {
        let bed = alarm.bed.flatMap { scene.prefix($0, of: alarm) }
        let marks = scene.glyphs.marks(of: alarm.kind.priority) + (alarm.isAcknowledged ? " \(scene.glyphs.tick)" : "")
        var parts = [[marks, bed, alarm.text].compactMap { $0 }.joined(separator: " ")]
        if alarm.kind == .noBroker, case .lost(let reason) = scene.state.broker { parts.append(reason) }
        if alarm.kind == .noPlace { parts.append("not shown here: \(scene.state.placeRemedy)") }
        parts.append("since \(scene.time.clock(alarm.since))")
        if alarm.unplaced.count > 1 {
            let names = alarm.unplaced.prefix(3).map { scene.state.label(of: $0) }
            let more = alarm.unplaced.count > 3 ? " and \(alarm.unplaced.count - 3) more" : ""
            parts.append(names.joined(separator: ", ") + more)
        }
        return parts
    }

    private static func parts(_ alarm: WardAlarm, of bed: BedState, _ scene: WardScene) -> [String] {
        var parts = scene.text(alarm, of: bed)
        let marks = scene.glyphs.marks(of: alarm.priority)
        parts[0] = "\(marks) \(scene.title(of: bed))\(parts[0].dropFirst(marks.count))"
        if let words = scene.since(alarm, of: bed) { parts.append(words) }
        return parts
    }
}
