import Appearance
import Monitoring

/// The help: what the keys do, what the marks mean, and what Bedside is not.
struct HelpView {
    private let screen: ScreenState
    private let scroll: LineScroll
    /// The settings whose times the explanations name.
    private let settings: MonitorSettings
    private var glyphs: GlyphSet { screen.glyphs }

    /// Creates the view; `nil` while the help is closed.
    init?(_ screen: ScreenState, _ settings: MonitorSettings) {
        guard let scroll = screen.pages.help else { return nil }
        (self.screen, self.scroll, self.settings) = (screen, scroll, settings)
    }

    /// The greatest number of lines that can be scrolled past, so that the last line is still at the bottom.
    func lastTop(in area: Area) -> Int {
        let isSmall = Self.isSmall(area)
        let count = isSmall ? smallLines(columns: area.columns - 2).count : lines(columns: area.columns - 4).count
        return max(0, count - max(1, isSmall ? area.rows : area.rows - 2))
    }

    private static func isSmall(_ area: Area) -> Bool { area.rows < 8 || area.columns < 30 }

    private func smallLines(columns: Int) -> [Line] {
        [Line("Not a medical device.", .strong)] + keyLines(columns: columns)
    }

    /// Draws over an area, which is blanked first.
    func draw(in area: Area, on grid: inout Grid) {
        grid.fill(area, " ", .plain)
        if Self.isSmall(area) {
            put(smallLines(columns: area.columns - 2), in: area.inset(left: 1, right: 1), on: &grid)
            return
        }
        let lines = self.lines(columns: area.columns - 4)
        let widest = lines.map { columnWidth(of: $0.text) }.max() ?? 0
        let width = area.columns - widest < 8 ? area.columns : max(40, widest + 4)
        let height = min(area.rows, lines.count + 2)
        let box = Area(
            column: area.column + (area.columns - width) / 2, row: area.row + (area.rows - height) / 2,
            columns: width, rows: height)
        drawBox(in: box, on: &grid)
        put(lines, in: box.inset(left: 2, right: 2, top: 1, bottom: 1), on: &grid)
    }

    private struct Line {
        var text: String
        var style: Style

        init(_ text: String, _ style: Style = .plain) {
            self.text = text
            self.style = style
        }
    }

    private func put(_ lines: [Line], in area: Area, on grid: inout Grid) {
        grid.rest(in: area)
        for (index, line) in lines.dropFirst(scroll.top).prefix(area.rows).enumerated() {
            grid.put(line.text, line.style, in: area.line(index))
        }
    }

    /// The keys of the present page first, then those that work everywhere, then the other pages'.
    private func keyLines(columns: Int) -> [Line] {
        let here = KeyContext(screen.pages.current)
        let present: Set<KeyContext> =
            here == .main || here == .sensor ? [here, .sensors, .everywhere] : [here, .everywhere]
        let others = KeyContext.allCases.filter { !present.contains($0) && $0 != .replay }
        var lines: [Line] = []
        if screen.session.replay != nil {
            lines += section([.replay], title: KeyContext.replay.title, columns: columns)
        }
        lines += section(present, title: screen.pages.current == nil ? nil : here.title, columns: columns)
        for context in others where screen.keys.bindings.contains(where: { $0.context == context }) {
            // What works where a sensor is selected stands with the first page.
            guard context != .sensors else { continue }
            let contexts: Set<KeyContext> = context == .main && here != .sensor ? [.main, .sensors] : [context]
            lines += section(contexts, title: context.title ?? "On the first page", columns: columns)
        }
        return lines
    }

    private func section(_ contexts: Set<KeyContext>, title: String?, columns: Int) -> [Line] {
        let heading = title.map { [Line(ellipsized($0, columns: columns, glyphs: glyphs), .strong)] } ?? []
        return heading
            + screen.keys.bindings.filter { contexts.contains($0.context) }.map { binding in
                let padding = String(repeating: " ", count: max(1, 9 - binding.name.count))
                return Line(
                    ellipsized(binding.name + padding + binding.text(settings), columns: columns, glyphs: glyphs))
            }
    }

    private func lines(columns: Int) -> [Line] {
        // First, because on a small screen the end is cut off.
        let disclaimer = "Bedside is not a medical device. Do not rely on it for a diagnosis or for alarms."
        let marks = [
            "\(glyphs.full) gives values", "\(glyphs.half) connecting", "\(glyphs.trouble) needs attention",
            "\(glyphs.empty) nearby, not connected",
        ]
        return wrapped(disclaimer, columns: columns, glyphs: glyphs).map { Line($0, .strong) } + [Line("")]
            + keyLines(columns: columns) + [Line("")]
            + wrapped(marks.joined(separator: glyphs.dot), columns: columns, glyphs: glyphs).map { Line($0) }
    }

    private func drawBox(in box: Area, on grid: inout Grid) {
        FrameView(glyphs: glyphs).drawBox(box, on: &grid)
        grid.put(" HELP ", .strong, at: 2, in: box.line(0))
        let close = " \(screen.keys.name(of: .toggleHelp)) or Esc closes "
        grid.put(close, .faint, at: max(2, box.columns - close.count - 2), in: box.line(0))
        let hidden = lines(columns: box.columns - 4).count - scroll.top - (box.rows - 2)
        guard hidden > 0 else { return }
        grid.put(" \(glyphs.upDown) scroll, +\(hidden) lines ", .faint, at: 2, in: box.line(box.rows - 1))
    }
}
