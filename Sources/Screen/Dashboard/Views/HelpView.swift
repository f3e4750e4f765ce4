import Appearance
import Base
import Monitoring
import TextGrid
import Wording

/// The help: the keys, the marks, and the disclaimer.
struct HelpView {
    private let screen: ScreenState
    private let scroll: LineScroll
    /// The settings whose times the explanations contain.
    private let settings: MonitorSettings
    private var glyphs: GlyphSet { screen.glyphs }

    /// Creates the view; `nil` while the help is closed.
    init?(_ screen: borrowing ScreenState, _ settings: borrowing MonitorSettings) {
        guard let scroll = screen.pages.help else { return nil }
        (self.screen, self.scroll, self.settings) = (copy screen, scroll, copy settings)
    }

    /// The greatest number of rows that can be scrolled past, so that the last one is at the bottom.
    func lastTop(in area: Area) -> Int {
        let isSmall = Self.isSmall(area)
        let count = isSmall ? smallRows(columns: area.columns - 2).count : rows(columns: area.columns - 4).count
        return max(0, count - max(1, isSmall ? area.rows : area.rows - 2))
    }

    private static func isSmall(_ area: Area) -> Bool { area.rows < 8 || area.columns < 30 }

    private func smallRows(columns: Int) -> [[Line]] {
        ([Line("Not a medical device.", .strong)] + keyLines(columns: columns)).map { [$0] }
    }

    /// Draws over an area, which is blanked first.
    func draw(in area: Area, on grid: inout Grid) {
        grid.fill(area, " ", .plain)
        if Self.isSmall(area) {
            put(smallRows(columns: area.columns - 2), in: area.inset(left: 1, right: 1), on: &grid)
            return
        }
        let rows = self.rows(columns: area.columns - 4)
        let widest = Self.width(of: rows)
        let width = area.columns - widest < 8 ? area.columns : max(40, widest + 4)
        let height = min(area.rows, rows.count + 2)
        let box = Area(
            column: area.column + (area.columns - width) / 2, row: area.row + (area.rows - height) / 2,
            columns: width, rows: height)
        drawBox(in: box, rows: rows.count, on: &grid)
        put(rows, in: box.inset(left: 2, right: 2, top: 1, bottom: 1), on: &grid)
    }

    /// A line of the help: text, or a key with its action.
    struct Line {
        /// The key; empty in text, and in the second line of a key.
        var key = ""
        var text: String
        var style: Style

        init(_ text: String, _ style: Style = .plain) {
            self.text = text
            self.style = style
        }

        /// Draws into the first row of an area.
        func draw(in line: Area, on grid: inout Grid) {
            let end = grid.put(key, Style(.key, .bold), in: line)
            grid.put(text, style, at: key.isEmpty ? 0 : max(HelpView.keyColumns, end + 1), in: line)
        }
    }

    /// The columns of the names of keys, with the space after them.
    private static let keyColumns = 9
    /// The columns between two columns of lines.
    private static let gap = 4

    private func put(_ rows: [[Line]], in area: Area, on grid: inout Grid) {
        grid.rest(in: area)
        let half = (area.columns - Self.gap) / 2
        for (index, row) in rows.dropFirst(scroll.top).prefix(area.rows).enumerated() {
            for (number, line) in row.enumerated() {
                line.draw(in: area.line(index).inset(left: number * (half + Self.gap)), on: &grid)
            }
        }
    }

    /// The keys of the open page first, then those of no page by what they are about, then the other pages'.
    private func keyLines(columns: Int) -> [Line] {
        let here = KeyContext(screen.pages.current)
        func ofPage(_ context: KeyContext) -> [Line] {
            section(context.title, columns: columns) { $0.context == context && $0.group == nil }
        }
        let first = (screen.session.replay == nil ? [] : ofPage(.replay)) + ofPage(here)
        let groups = KeyGroup.allCases.flatMap { group in
            section(group.title, columns: columns) { $0.group == group }
        }
        let others = KeyContext.allCases.filter { $0 != here && $0 != .replay }
        return first + groups + others.flatMap(ofPage)
    }

    /// A heading and its keys; nothing without keys.
    private func section(_ title: String?, columns: Int, _ isIn: (KeyBinding) -> Bool) -> [Line] {
        let keys = screen.keys.bindings.filter(isIn).flatMap {
            Self.lines($0, settings, columns: columns, glyphs: glyphs)
        }
        guard !keys.isEmpty, let title else { return keys }
        return [Line(ellipsized(title, columns: columns, glyphs: glyphs), .strong)] + keys
    }

    /// The action of a key, in as many lines as needed.
    private static func lines(
        _ binding: KeyBinding, _ settings: MonitorSettings, columns: Int, glyphs: GlyphSet
    ) -> [Line] {
        let indent = max(keyColumns, binding.name.count + 1)
        let margin = String(repeating: " ", count: indent)
        var lines = wrapped(binding.text(settings), columns: columns - indent, glyphs: glyphs).map { Line(margin + $0) }
        guard !lines.isEmpty else { return [] }
        lines[0].key = binding.name
        lines[0].text = String(lines[0].text.dropFirst(indent))
        return lines
    }

    /// The keys of the open page, to fill a short page.
    static func pageLines(_ scene: Scene, columns: Int) -> [Line] {
        let context = KeyContext(scene.screen.pages.current)
        return scene.screen.keys.bindings.filter { $0.context == context && !$0.keys.isEmpty }.flatMap {
            lines($0, scene.state.settings, columns: columns, glyphs: scene.glyphs)
        }
    }

    /// All lines, those of the keys in two columns if these are wide enough.
    private func rows(columns: Int) -> [[Line]] {
        // First, because on a small screen the end is cut off.
        let disclaimer = "Bedside is not a medical device. Do not rely on it for a diagnosis or for alarms."
        let marks = [
            "\(glyphs.full) gives values", "\(glyphs.half) connecting", "\(glyphs.trouble) needs attention",
            "\(glyphs.empty) nearby, not connected",
        ]
        let half = (min(columns, Self.mostColumns) - Self.gap) / 2
        let isHalved = half >= Self.leastHalf
        let keys = keyLines(columns: isHalved ? half : columns)
        let width = isHalved ? half * 2 + Self.gap : columns
        return wrapped(disclaimer, columns: width, glyphs: glyphs).map { [Line($0, .strong)] } + [[Line("")]]
            + (isHalved ? Self.halved(keys, columns: half) : keys.map { [$0] }) + [[Line("")]]
            + wrapped(marks.joined(separator: glyphs.dot), columns: width, glyphs: glyphs).map { [Line($0)] }
    }

    /// The least width of a column for two columns.
    private static let leastHalf = 56
    /// The greatest width of the lines.
    private static let mostColumns = 156

    /// Lines in two columns; no heading ends the first, and no explanation is divided.
    private static func halved(_ lines: [Line], columns: Int) -> [[Line]] {
        var half = (lines.count + 1) / 2
        func isDivided(at index: Int) -> Bool {
            lines[index - 1].style == .strong || lines[index].key.isEmpty && lines[index].style != .strong
        }
        while half > 1, half < lines.count, isDivided(at: half) { half -= 1 }
        let (left, right) = (lines[..<half], lines[half...])
        return (0..<max(left.count, right.count)).map { row in
            [row < left.count ? left[row] : Line(""), row < right.count ? right[half + row] : Line("")]
        }
    }

    /// The columns of all rows.
    private static func width(of rows: [[Line]]) -> Int {
        func width(_ line: Line) -> Int {
            columnWidth(of: line.text) + (line.key.isEmpty ? 0 : max(keyColumns, columnWidth(of: line.key) + 1))
        }
        let widest = rows.map { row in row.map(width).max() ?? 0 }
        let halves = zip(rows, widest).filter { $0.0.count > 1 }.map(\.1).max()
        return max(widest.max() ?? 0, halves.map { $0 * 2 + gap } ?? 0)
    }

    private func drawBox(in box: Area, rows: Int, on grid: inout Grid) {
        FrameView(glyphs: glyphs).drawBox(box, on: &grid)
        grid.put(" HELP ", .strong, at: 2, in: box.line(0))
        let close = " \(screen.keys.name(of: .toggleHelp)) or Esc closes "
        grid.put(close, .faint, at: max(2, box.columns - close.count - 2), in: box.line(0))
        let shown = box.rows - 2
        let border = Area(column: box.column + box.columns - 1, row: box.row + 1, columns: 1, rows: shown)
        ScrollBar(top: scroll.top, shown: shown, total: rows).draw(glyphs, over: border, on: &grid)
        let hidden = rows - scroll.top - shown
        guard hidden > 0 else { return }
        grid.put(" \(glyphs.upDown) scroll, +\(hidden) lines ", .faint, at: 2, in: box.line(box.rows - 1))
    }
}
