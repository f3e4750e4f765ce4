import Appearance
import Base
import Dashboard
import TextGrid
import Wording

/// The lowest line: the keys, or a message.
///
/// The key that acknowledges is first while an alarm is unanswered, then come those of the page; the way back, help and the
/// way out have the same place on every page.
struct WardKeyLine {
    let scene: WardScene

    /// The least width in which the last keys have a place of their own.
    private static let leastColumns = 60

    private typealias Entry = (key: String, label: String)

    private static let acknowledge: Entry = ("a", "acknowledge")

    func draw(in area: Area, on grid: inout Grid) {
        let isUnanswered = scene.items.contains(where: \.isUnanswered)
        if let notice = scene.notice {
            var area = area
            // The key that ends the alarm's signals is never hidden.
            let width = Self.width(Self.acknowledge)
            if isUnanswered, width <= area.columns {
                draw([Self.acknowledge], in: area.takeRight(width), on: &grid)
            }
            let text = ellipsized(notice, columns: area.columns - 2, glyphs: scene.glyphs)
            if !text.isEmpty { grid.put(" \(text) ", Style(.plain, .reverse), in: area) }
            return
        }
        if scene.screen.isTyping { return draw([("Enter", "keep"), ("Esc", "no filter")], in: area, on: &grid) }
        let first = isUnanswered ? [Self.acknowledge] : []
        let own = ownKeys(isWide: area.columns >= 100)
        guard area.columns >= Self.leastColumns else {
            return draw(first + lastKeys.compactMap { $0 } + own, in: area, on: &grid)
        }
        var left = area
        for entry in lastKeys.reversed() {
            // Where there is nothing to go back to, its place is empty.
            let place = left.takeRight(Self.width(entry ?? ("Esc", "back")))
            if let entry { draw([entry], in: place, on: &grid) }
        }
        draw(first + own, in: left, on: &grid)
    }

    private var isOnBeds: Bool { scene.screen.page == .beds }

    /// The way back, help and the way out, in their order; the first is `nil` where it does nothing.
    private var lastKeys: [Entry?] {
        let isBack = !isOnBeds || !scene.screen.filter.isEmpty
        return [isBack ? ("Esc", "back") : nil, ("?", "keys"), ("q", isOnBeds ? "quit" : "back")]
    }

    /// The page's own keys, the most important first.
    private func ownKeys(isWide: Bool) -> [Entry] {
        let going: Entry = ("g", isWide ? "I am going" : "going")
        let pause: Entry = ("p", "pause")
        let lists: [Entry] = [("A", "alarms"), ("l", "log")]
        switch scene.screen.page {
        case .beds:
            return [("Enter", "open"), going, pause, (scene.glyphs.upDown, "bed")] + lists
                + [("o", "order"), ("/", "filter")]
        case .bed:
            return [("h", scene.screen.showsHistory ? "last 30 min" : "last day"), going, pause]
                + [(scene.glyphs.upDown, "bed")] + lists
        case .alarms, .log, .help: return [(scene.glyphs.upDown, "scroll"), pause] + lists
        }
    }

    private func draw(_ entries: [Entry], in area: Area, on grid: inout Grid) {
        var offset = 0
        for entry in entries where offset + Self.width(entry) <= area.columns {
            offset = grid.put(key: entry.key, entry.label, at: offset, in: area)
        }
    }

    private static func width(_ entry: Entry) -> Int { columnWidth(of: entry.key) + columnWidth(of: entry.label) + 3 }
}
