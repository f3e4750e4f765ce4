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
        let silence = silenceText
        let promise = silence ?? "Alarms sound at the bed; this screen informs. Not an alarm system."
        grid.put(
            ellipsized(promise, columns: parts.promise.columns - 2, glyphs: scene.glyphs),
            silence == nil ? .faint : Style(.alarmLow, .bold), at: 1, in: parts.promise)
        WardKeyLine(scene: scene).draw(in: parts.keys, on: &grid)
    }

    /// That beds are silent and only this screen sounds for them; `nil` without such a bed.
    private var silenceText: String? {
        let beds = scene.state.soundedBeds
        guard !beds.isEmpty else { return nil }
        let names = beds.map { bed in
            guard case .silent(let seconds, _) = bed.sound else { return scene.state.label(of: bed.bed) }
            let end = bed.soundTold.advanced(by: .seconds(seconds))
            return "\(scene.state.label(of: bed.bed)) until \(scene.time.clock(end).prefix(5))"
        }
        return "ONLY THIS SCREEN SOUNDS for \(names.joined(separator: ", ")): keep its sound on."
    }

    private func drawHeader(in area: Area, on grid: inout Grid) {
        let beds = scene.state.beds
        var sites: [WardToken] = []
        // They are in the order of their sites.
        for place in beds.indices where beds[place].bed.site != sites.last { sites.append(beds[place].bed.site) }
        var parts = ["WARD" + (sites.isEmpty ? "" : " " + sites.map(\.text).joined(separator: ", "))]
        let unplaced = scene.state.unplaced
        if !unplaced.heard.isEmpty { parts.append("\(unplaced.heard.count) WITHOUT A PLACE") }
        let live = scene.liveCount
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
        let mark = scene.commonMark.map { room.takeLeft(columnWidth(of: $0) + 2) }
        // Silence is shown on every screen.
        let sound = scene.screen.sound
        if sound.isSilent || area.columns >= 90 {
            let text = ellipsized(
                scene.glyphs.fit(sound.text(at: scene.time)), columns: max(12, room.columns - 24), glyphs: scene.glyphs)
            let place = room.takeRight(columnWidth(of: text) + 2)
            grid.putRight(text, sound.isSilent ? Style(.alarmLow, .bold) : .faint, in: place)
        }
        if let mark, let text = scene.commonMark { grid.put(text, Style(.simulated, .bold), in: mark) }
        let text = fitted(parts, separator: scene.glyphs.dot, columns: room.columns, glyphs: scene.glyphs)
        grid.put(text, Style(.brand, .bold), in: room)
    }

    private func drawAlarm(in area: Area, on grid: inout Grid) {
        let items = scene.items
        let inner = area.inset(left: 1, right: 1)
        guard let worst = items.first else {
            let quiet = scene.state.beds.count - scene.liveCount + scene.state.unplaced.count
            let text =
                scene.state.beds.isEmpty
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
            fitted(worst.parts(scene), separator: scene.glyphs.dot, columns: room, glyphs: scene.glyphs), style,
            in: inner)
        grid.putRight(more, style, in: inner)
    }
}
