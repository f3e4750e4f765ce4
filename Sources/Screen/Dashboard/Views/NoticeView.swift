import Appearance
import Base
import TextGrid
import Wording

/// The line with notices that alarms cannot be heard, seen or recorded.
struct NoticeView {
    let scene: Scene

    /// Draws into the first row of an area; notices that do not fit are counted.
    func draw(in area: Area, on grid: inout Grid) {
        let line = area.line(0)
        guard !line.isEmpty, !scene.notices.lines.isEmpty else { return }
        let style = Style(.plain, .reverse)
        grid.fill(line, " ", style)
        let margin = line.columns >= 30 ? 1 : 0
        let inner = line.inset(left: margin, right: margin)
        grid.put(text(columns: inner.columns), style, in: inner)
    }

    /// As many notices as fit, and the number of the others.
    func text(columns: Int) -> String {
        let words = scene.notices.lines
        for count in (1...max(1, words.count)).reversed() {
            let hidden = words.count - count
            let text =
                (words.prefix(count)
                + (hidden > 0 ? ["+\(hidden) more (\(scene.screen.keys.name(of: .showAlarms)))"] : [])).joined(
                    separator: "  ")
            if columnWidth(of: text) <= columns { return text }
        }
        return ellipsized(words.first ?? "", columns: columns, glyphs: scene.glyphs)
    }
}
