import Appearance
import TextGrid
import Wording

/// The page of settings: section by section, each with its value and its origin, and a description of the selected one.
struct SettingsPageView {
    let scene: Scene

    private enum Line {
        case section(String)
        case item(SettingItem)
    }

    /// The title of the page: the filter, and the number of changes that are not kept.
    var title: String {
        let settings = scene.screen.settings
        var parts = ["SETTINGS"]
        if settings.unkeptCount > 0 { parts[0] += " \(settings.unkeptCount) not kept" }
        if !settings.filter.isEmpty {
            parts.append("/\(ellipsized(settings.filter, columns: 20, glyphs: scene.glyphs))")
        }
        return parts.joined(separator: scene.glyphs.dot)
    }

    /// Draws as many settings as fit around the selected one, and below them its description.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        let settings = scene.screen.settings
        guard let selected = settings.selected else {
            grid.put(settings.items.isEmpty ? "There are no settings here." : "No such setting.", .faint, in: area)
            return PageView.Extent(rows: 1)
        }
        let sentences = wrapped(text(of: selected), columns: area.columns, glyphs: scene.glyphs)
        let room = area.rows >= 10 ? min(sentences.count + 1, area.rows / 2 - 1, 7) : area.rows >= 4 ? 1 : 0
        var list = area
        var below = list.takeBottom(room)
        // Last, if the sentences leave room, its name in the file.
        let place = area.rows >= 10 ? below.takeBottom(1) : below.inset(top: below.rows)
        for sentence in sentences.prefix(below.rows) { grid.put(sentence, .plain, in: below.takeTop(1)) }
        let text = ellipsized(
            "In the file: \(selected.key), in [\(selected.section)]", columns: place.columns, glyphs: scene.glyphs)
        if !place.isEmpty { grid.put(text, .faint, in: place) }
        if list.rows >= 8 { _ = list.takeBottom(1) }
        let lines = self.lines(settings.listed)
        let index = lines.firstIndex { if case .item(selected) = $0 { true } else { false } } ?? 0
        let top = max(0, min(index - list.rows / 2, lines.count - list.rows))
        let scroll = ScrollBar(top: top, shown: list.rows, total: lines.count)
        for line in lines.dropFirst(top).prefix(list.rows) {
            draw(line, selected: selected, in: list.takeTop(1), on: &grid)
        }
        return PageView.Extent(rows: area.rows, scroll: scroll)
    }

    private func lines(_ items: [SettingItem]) -> [Line] {
        var lines: [Line] = []
        var section = ""
        for item in items {
            if item.section != section { lines.append(.section(item.heading)) }
            section = item.section
            lines.append(.item(item))
        }
        return lines
    }

    private func draw(_ line: Line, selected: SettingItem, in place: Area, on grid: inout Grid) {
        switch line {
        case .section(let heading): grid.put(scene.glyphs.fit(heading), .faint, in: place)
        case .item(let item):
            let isSelected = item == selected
            var rest = place
            _ = rest.takeLeft(2)
            if place.columns >= 50 {
                let source = item.source == .usual ? "" : item.source.rawValue
                grid.put(source, item.source == .changed ? .strong : .faint, in: rest.takeRight(9))
            }
            func fitted(_ text: String, _ place: Area) -> String {
                ellipsized(scene.glyphs.fit(text), columns: place.columns - 1, glyphs: scene.glyphs)
            }
            let title = rest.takeLeft(min(24, rest.columns / 2))
            grid.put(fitted(item.title, title), .plain, in: title)
            let style = item.shownValue == item.usual ? Style.plain : .strong
            grid.put(fitted(item.shownValue, rest), style, in: rest)
            if isSelected { grid.select(place, pointer: scene.glyphs.pointer) }
            grid.record(.setting(item.name), in: place)
        }
    }

    /// The description of the selected setting: its meaning, allowed values, default, and when a change applies.
    private func text(of item: SettingItem) -> String {
        let start = item.isAtOnce ? "" : " It holds from the next start on."
        return scene.glyphs.fit(
            "\(item.explanation) Allowed: \(item.expectation). Usually: \(item.usual).\(start)")
    }
}
