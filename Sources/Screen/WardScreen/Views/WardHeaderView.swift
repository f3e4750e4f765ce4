import Appearance
import Base
import Dashboard
import Monitoring
import TextGrid
import Vitals
import Ward
import WardMessages
import Wording

/// The first lines, the worst alarm of all, and the last lines.
struct WardHeaderView {
    let scene: WardScene

    /// How long a message is shown, unless an alarm comes.
    static let noticeTime = Duration.seconds(5)

    func draw(_ parts: WardParts, on grid: inout Grid) {
        drawHeader(in: parts.header, on: &grid)
        drawAlarm(in: parts.alarm, on: &grid)
        let promise = "Alarms sound at the bed; this screen informs. Not an alarm system."
        grid.put(
            ellipsized(promise, columns: parts.promise.columns - 2, glyphs: scene.glyphs), .faint, at: 1,
            in: parts.promise)
        drawKeys(in: parts.keys, on: &grid)
    }

    private func drawHeader(in area: Area, on grid: inout Grid) {
        let beds = scene.beds
        let sites = Set(beds.map(\.bed.site.text)).sorted()
        var parts = ["WARD" + (sites.isEmpty ? "" : " " + sites.joined(separator: ", "))]
        let unplaced = scene.state.unplaced
        if !unplaced.heard.isEmpty { parts.append("\(unplaced.heard.count) WITHOUT A PLACE") }
        let live = beds.count(where: \.link.isLive)
        let total = beds.count + unplaced.count
        let count = "\(total) \(total == 1 ? "bed" : "beds")"
        parts.append(live == total ? count : "\(live) of \(count) live")
        if !scene.screen.filter.isEmpty || scene.screen.isTyping {
            parts.append("filter: \(scene.screen.filter)\(scene.screen.isTyping ? "_" : "")")
        }
        if scene.screen.order == .name { parts.append("by name") }
        let clock = scene.time.clock(scene.now)
        let (broker, style): (String, Style) =
            switch scene.state.broker {
            case .connected: (scene.glyphs.full + (area.columns < 60 ? "" : " broker"), Style(.good))
            case .connecting: ("connecting to the broker", .faint)
            case .lost: ("NO BROKER since \(scene.time.clock(scene.state.brokerSince))", Style(.alarmHigh, .bold))
            }
        var room = area.inset(left: 1, right: 1)
        let right = room.takeRight(columnWidth(of: clock) + 2)
        grid.putRight(clock, .plain, in: right)
        let middle = room.takeRight(columnWidth(of: broker) + 2)
        grid.putRight(broker, style, in: middle)
        // Silence is shown on every screen.
        let sound = scene.screen.sound
        if sound.isSilent || area.columns >= 90 {
            let text = ellipsized(
                scene.glyphs.fit(sound.text(at: scene.time)), columns: max(12, room.columns - 24), glyphs: scene.glyphs)
            let place = room.takeRight(columnWidth(of: text) + 2)
            grid.putRight(text, sound.isSilent ? Style(.alarmLow, .bold) : .faint, in: place)
        }
        let text = fitted(parts, separator: scene.glyphs.dot, columns: room.columns, glyphs: scene.glyphs)
        grid.put(text, Style(.brand, .bold), in: room)
    }

    /// An alarm of the ward with the bed's name in front.
    struct Item {
        var parts: [String]
        var priority: AlarmPriority
        /// The rank within its priority.
        var urgency = AlarmKind.leastUrgency
        var isUnanswered: Bool
        var since: Moment
        /// The kind of one of the ward's own.
        var own: WardOwnAlarm.Kind?
    }

    /// All alarms: those at beds with a link, and the ward's own.
    static func items(_ scene: WardScene) -> [Item] {
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
            return Item(
                parts: parts, priority: alarm.kind.priority, urgency: alarm.kind.urgency,
                isUnanswered: !alarm.isAcknowledged, since: alarm.since, own: alarm.kind)
        }
        for bed in scene.beds where bed.link.isLive {
            for alarm in bed.alarms {
                var parts = scene.text(alarm, of: bed)
                let marks = scene.glyphs.marks(of: alarm.priority)
                parts[0] = "\(marks) \(scene.title(of: bed))\(parts[0].dropFirst(marks.count))"
                let since = bed.activeSince(alarm.id) ?? scene.now
                if let words = scene.since(alarm, of: bed) { parts.append(words) }
                items.append(
                    Item(
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

    private func drawAlarm(in area: Area, on grid: inout Grid) {
        let items = Self.items(scene)
        let inner = area.inset(left: 1, right: 1)
        guard let worst = items.first else {
            let beds = scene.beds
            let quiet = beds.count { !$0.link.isLive } + scene.state.unplaced.count
            let text =
                beds.isEmpty
                ? "No bed has been heard of"
                : quiet == 0 ? "No alarms" : "No alarms at the beds that are heard; \(quiet) not heard"
            grid.put(ellipsized(text, columns: inner.columns, glyphs: scene.glyphs), .faint, in: inner)
            return
        }
        let style = scene.style(worst.priority, isUnanswered: worst.isUnanswered)
        grid.fill(area, " ", style)
        let more = items.count > 1 ? "+\(items.count - 1)" : ""
        let room = inner.columns - (more.isEmpty ? 0 : more.count + 2)
        grid.put(
            fitted(worst.parts, separator: scene.glyphs.dot, columns: room, glyphs: scene.glyphs), style, in: inner)
        grid.putRight(more, style, in: inner)
    }

    private func drawKeys(in area: Area, on grid: inout Grid) {
        if let notice = scene.notice {
            var area = area
            // The key that ends the alarm's signals is never hidden.
            let (key, label) = ("a", "acknowledge")
            let columns = columnWidth(of: key) + columnWidth(of: label) + 3
            if Self.items(scene).contains(where: \.isUnanswered), columns <= area.columns {
                grid.put(key: key, label, at: 0, in: area.takeRight(columns))
            }
            let text = ellipsized(notice, columns: area.columns - 2, glyphs: scene.glyphs)
            if !text.isEmpty { grid.put(" \(text) ", Style(.plain, .reverse), in: area) }
            return
        }
        let isOnBeds = scene.screen.page == .beds
        let isOnBed = if case .bed = scene.screen.page { true } else { false }
        let keys: [(String, String)] =
            scene.screen.isTyping
            ? [("Enter", "keep"), ("Esc", "no filter")]
            : (isOnBeds ? [(scene.glyphs.upDown, "bed"), ("Enter", "open")] : [("Esc", "back")])
                + (isOnBed ? [("h", scene.screen.showsHistory ? "last 30 min" : "last day")] : [])
                + [
                    ("a", "acknowledge"), ("p", "pause"), ("g", "I am going"), ("A", "alarms"), ("?", "keys"),
                    ("q", isOnBeds ? "quit" : "back"), ("l", "log"), ("o", "order"), ("/", "filter"),
                ]
        var offset = 0
        for (key, label) in keys {
            guard offset + columnWidth(of: key) + columnWidth(of: label) + 3 <= area.columns else { continue }
            offset = grid.put(key: key, label, at: offset, in: area)
        }
    }
}
