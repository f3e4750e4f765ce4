import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

extension ScreenState.Page {
    static let distance = ScreenState.Page(DistancePage.self)
}

/// The distance view: nothing but alarms and numbers, for eyes far away.
struct DistancePage: ScreenPage {
    static let context = KeyContext.distance
    static let opener = Command.toggleDistance
    static let coversScreen = true

    func content(_ scene: Scene, in area: Area) -> any PageContent { DistanceView(scene: scene) }

    /// Nothing is selected, so no key acts on a selection that cannot be seen.
    mutating func move(_ move: ListMove, _ screen: inout ScreenState, in state: MonitorState) -> Bool {
        let close = screen.keys.name(of: .close)
        screen.dialogs.message = "Nothing is selected in the distance view; \(close) closes it."
        return false
    }
}

/// Only alarms, numbers and their freshness, as large as the screen allows, to be read at a distance.
struct DistanceView: PageContent {
    let scene: Scene
    // There is no frame for it.
    let title = ""

    /// Draws the whole screen.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        drawWhole(on: &grid)
        return PageView.Extent(rows: area.rows)
    }

    private func drawWhole(on grid: inout Grid) {
        // Without a row for the banner there are no large digits either.
        guard grid.rows >= 3 else { return MinimalView(scene: scene).draw(in: grid.area, on: &grid) }
        let layout = self.layout(columns: grid.columns, rows: grid.rows)
        drawBanner(in: layout.banner, on: &grid)
        if let worst = scene.alarms.first {
            let style = AlarmLook.line(of: worst, scene.state, at: scene.now)
            for area in [layout.aboveAlarms, layout.word, layout.belowAlarms] { grid.fill(area, " ", style) }
            if let word = word(columns: grid.columns, rows: grid.rows) {
                word.size.draw(word.text, style, in: layout.word.inset(left: Self.wordMargin), on: &grid)
            }
        }
        AlarmView(scene: scene).draw(in: layout.alarms, on: &grid)
        // Screen readers begin with the worst.
        grid.cursor = layout.alarms.isEmpty ? nil : Grid.Position(column: 0, row: layout.alarms.row)
        if grid.rows - layout.alarms.rows - layout.banner.rows < 3 {
            // One line for all of them.
            MinimalView(scene: scene).drawValues(
                in: grid.area.inset(top: layout.banner.rows + layout.alarms.rows), on: &grid)
            return
        }
        for (panel, place) in zip(scene.panels, layout.vitals) {
            if layout.digits.face == .text || place.body.isEmpty {
                drawLine(panel, in: place, on: &grid)
            } else {
                draw(panel, in: place, layout, on: &grid)
            }
        }
    }

    /// The division of the screen.
    func layout(columns: Int, rows: Int) -> DistanceLayout {
        DistanceLayout(
            columns: columns, rows: rows, alarmCount: scene.alarms.count,
            wordRows: word(columns: columns, rows: rows)?.size.rows ?? 0,
            hasBanner: scene.screen.session.isSimulated || scene.screen.session.patient != nil
                || !scene.notices.lines.isEmpty,
            widest: scene.panels.map(widest), glyphs: scene.glyphs)
    }

    /// The columns at the left and at the right of an alarm's word.
    private static let wordMargin = 2

    /// The worst alarm's word in letters that are several rows high, and their size; `nil` without room.
    ///
    /// A low priority has none: what is missing has a word in the place of its number. One that is not current would look so.
    private func word(columns: Int, rows: Int) -> (text: String, size: BigLetters)? {
        guard let worst = scene.alarms.first, worst.priority > .low else { return nil }
        let labels = AlarmLabels(worst, scene: scene)
        guard labels.standing.isEmpty else { return nil }
        let text = labels.shortTitle.uppercased().exchanging("₂", for: "2")
        let size = BigLetters.fitting(
            text, columns: columns - 2 * Self.wordMargin, rows: rows / 6, glyphs: scene.glyphs)
        return size.map { (text, $0) }
    }

    /// The usual width of a number, or the width of a wider one; the size must not change with each value.
    private func widest(_ panel: VitalPanel) -> String? {
        if let missing = panel.missing, !missing.isBanner { return nil }
        let usual =
            switch panel.slot {
            case .rate, .oxygenSaturation, .glucose: "188"
            case .temperature: scene.screen.temperatureUnit == .celsius ? "38.8" : "188.8"
            }
        return panel.missing == nil && panel.digits.count > usual.count ? panel.digits : usual
    }

    private func drawBanner(in line: Area, on grid: inout Grid) {
        guard !line.isEmpty else { return }
        var offset = 0
        if scene.screen.session.isSimulated {
            let mark = line.columns >= 11 ? " SIMULATED " : "SIM"
            offset = grid.put(mark, Style(.simulated, [.bold, .reverse]), in: line) + 1
        }
        if scene.screen.session.patient != nil {
            offset = grid.put(scene.patientName, Style(.plain, [.bold, .underline]), at: offset, in: line) + 1
        }
        guard !scene.notices.lines.isEmpty else { return }
        let text = NoticeView(scene: scene).text(columns: line.columns - offset)
        grid.put(text, Style(.plain, [.bold, .reverse]), at: offset, in: line)
    }

    // MARK: Lines

    /// A vital on a line of text; a second line shows the last value if there is no current one.
    private func drawLine(_ panel: VitalPanel, in place: DistanceLayout.Place, on grid: inout Grid) {
        MinimalView(scene: scene).draw(panel, in: place.title, on: &grid)
        guard place.body.rows >= 1, let missing = panel.missing else { return }
        let lines = [missing.last, missing.remedy.isEmpty ? nil : "\(scene.glyphs.arrow) \(missing.remedy)"]
        for (row, text) in lines.compactMap({ $0 }).enumerated() where row < place.body.rows {
            let style = missing.isBanner ? missing.style : .faint
            grid.put(
                ellipsized(text, columns: place.body.columns, glyphs: scene.glyphs), style, in: place.body.line(row))
        }
    }

    // MARK: Large digits

    private func draw(
        _ panel: VitalPanel, in place: DistanceLayout.Place, _ layout: DistanceLayout, on grid: inout Grid
    ) {
        let isApart = !place.freshness.isEmpty
        drawTitle(panel, showsFreshness: !isApart, in: place.title, on: &grid)
        guard panel.missing == nil else {
            drawMissing(panel, layout.digits, in: place, on: &grid)
            return
        }
        if isApart { drawFreshness(panel, in: place.freshness, on: &grid) }
        let columns = layout.digits.columns(of: panel.digits)
        let left = max(0, (place.body.columns - columns) / 2)
        let top = max(0, (place.body.rows - layout.digits.rows) / 2)
        let number = place.body.inset(left: isApart ? 0 : left, top: top)
        let behind = Area(column: number.column, row: number.row, columns: columns, rows: layout.digits.rows)
        panel.fill(place.body.inset(left: -1, right: -1), behind: behind, on: &grid)
        layout.digits.draw(panel.digits, panel.digitStyle, in: number, on: &grid)
    }

    private func drawTitle(_ panel: VitalPanel, showsFreshness: Bool, in line: Area, on grid: inout Grid) {
        var line = line
        if showsFreshness {
            let words = panel.missing.map { "\($0.shortTitle) \($0.duration)" } ?? freshness(panel)
            let style: Style = panel.isStale || panel.missing != nil ? .strong : .plain
            grid.putRight(words, style, in: line.takeRight(min(line.columns / 2, columnWidth(of: words))))
            _ = line.takeRight(1)
        }
        let beat = panel.missing == nil ? "\(beat(of: panel)) " : ""
        let courses = panel.courses.flatMap { course in
            [panel.title, panel.shortTitle].map { "\(beat)\($0) \(panel.unit) \(course)" }
        }
        let names =
            courses
            + [
                "\(beat)\(panel.title) \(panel.unit)", "\(beat)\(panel.title)",
                "\(beat)\(panel.shortTitle) \(panel.unit)",
                "\(beat)\(panel.shortTitle)",
            ]
            .map { panel.marks.isEmpty ? $0 : "\(panel.marks) \($0)" }
        let shown = (names + [panel.shortTitle]).first { columnWidth(of: $0) <= line.columns }
        grid.put(shown ?? panel.shortTitle, panel.nameStyle, in: line)
    }

    private func drawFreshness(_ panel: VitalPanel, in line: Area, on grid: inout Grid) {
        let words = panel.isStale ? ["STALE"] : []
        let text = fitted(
            panel.isStale && columnWidth(of: panel.freshness) > line.columns
                ? words : [panel.freshness] + panel.warnings(after: panel.freshness, columns: line.columns),
            separator: scene.glyphs.dot, columns: line.columns, glyphs: scene.glyphs)
        grid.put(text, panel.isStale ? .strong : .plain, in: line)
    }

    /// The freshness of a value, and any doubt about it.
    private func freshness(_ panel: VitalPanel) -> String {
        (panel.warnings + [panel.freshness]).filter { !$0.isEmpty }.joined(separator: scene.glyphs.dot)
    }

    /// The mark that alternates with each new value: a heart for rates, a dot for the others.
    private func beat(of panel: VitalPanel) -> String {
        if panel.role == .heartRate { return panel.heart(scene.glyphs) }
        return panel.isSecondHalfOfBeat ? scene.glyphs.empty : scene.glyphs.full
    }

    /// A word as large as the numbers, outlined, and beside or below it the reason of the missing value, the remedy, and
    /// the last value.
    private func drawMissing(
        _ panel: VitalPanel, _ digits: BigDigits, in place: DistanceLayout.Place, on grid: inout Grid
    ) {
        guard let missing = panel.missing else { return }
        let view = MissingView(missing: missing, glyphs: scene.glyphs)
        view.drawOutline(around: place.text.inset(left: -1, right: -1), on: &grid)
        var (word, text) = (place.text, place.text)
        // Narrower letters are better than no reason.
        let number = digits.columns(of: "188") / 2
        let isBeside = place.freshness.isEmpty && text.columns - number - 4 >= Self.textColumns
        if isBeside {
            let columns = max(number, min(digits.columns(of: missing.word), text.columns - Self.textColumns - 4))
            word = text.takeLeft(columns + 2).inset(left: 1)
            text = text.inset(left: 2, top: max(0, (text.rows - digits.rows) / 2))
        } else {
            word = text.takeTop(digits.rows)
        }
        let size = digits.size(forWord: missing.word, columns: word.columns)
        size.draw(
            missing.word, missing.style,
            in: word.inset(
                left: isBeside || place.freshness.isEmpty
                    ? max(0, (word.columns - size.columns(of: missing.word)) / 2) : 0,
                top: max(0, (word.rows - size.rows) / 2)),
            on: &grid)
        view.drawText(in: text, on: &grid)
    }

    /// The preferred width of the text beside a word.
    private static let textColumns = 24
}
