import Appearance
import Monitoring
import TextGrid
import Vitals
import Wording

/// Draws the whole screen.
///
/// A pure function: the same state, view, size and moment always make the same grid, whatever the size.
///
/// - Parameters:
///   - state: The state of the patient, the sensors and the path to them.
///   - screen: What of it is shown, and how.
///   - size: The terminal's size in cells; may be zero.
///   - now: The moment of drawing, from which ages are counted.
public func draw(
    state: MonitorState, screen: ScreenState, size: (columns: Int, rows: Int), now: Moment
) -> Grid {
    var screen = screen
    screen.prepare(for: state, size: size, at: now)
    var frames = FrameSequence()
    return frames.drawPrepared(state: state, screen: screen, size: size, now: now)
}

/// A drawn screen without the replay banner, with the parts that the next one can reuse.
struct Frame: Sendable {
    /// The cells.
    private(set) var grid: Grid
    /// The view, without the list, which is sorted all the time.
    private let view: ScreenState
    /// The lines around vitals and sensors, and a grid with only these; `nil` without any.
    private let lined: (lines: PanelLines, grid: Grid)?
    /// The large vitals that nothing covers.
    private var bareVitals: [VitalPanel] = []
    /// The keys in the lowest line, unless it has another content.
    private var keys: KeyLine?
    /// The parts reused from the previous frame.
    private(set) var unchanged = Unchanged()

    /// The parts that look the same in the previous frame.
    struct Unchanged: Hashable {
        /// The places of the vitals.
        var vitals: [Int] = []
        /// Whether the keys are among them.
        var hasKeys = false
        /// Whether the lines around vitals and sensors are.
        var hasLines = false
    }

    /// Draws a screen.
    ///
    /// - Parameter former: The previous frame, whose unchanged parts are reused.
    init(
        _ state: MonitorState, _ screen: ScreenState, size: (columns: Int, rows: Int), now: Moment, after former: Frame?
    ) {
        var view = screen
        view.list = SensorList()
        self.view = view
        let size = Grid.bounded(size)
        // Without room for the mark of simulated numbers, no numbers are shown.
        let leastColumns = screen.session.isSimulated ? 3 : 1
        let isEmpty = size.columns < leastColumns || size.rows == 0
        let scene = Scene(state: state, screen: screen, now: now, former: former?.bareVitals ?? [])
        let layout = screen.layout
        let pairing = isEmpty ? nil : PairingView(scene: scene)
        let isMain = !isEmpty && screen.pages.current == nil && screen.pages.help == nil && pairing == nil
        let lines =
            isMain && layout.isTitled && layout.sizeClass != .minimal ? PanelLines(scene, layout, size: size) : nil
        if let former = former?.lined, former.lines == lines {
            (lined, unchanged.hasLines) = (former, true)
        } else {
            lined = lines.map { lines in
                var grid = Grid(columns: size.columns, rows: size.rows, isASCII: screen.glyphs == .ascii)
                lines.draw(on: &grid)
                return (lines, grid)
            }
        }
        grid = lined?.grid ?? Grid(columns: size.columns, rows: size.rows, isASCII: screen.glyphs == .ascii)
        if isEmpty { return }
        // Without a selection, the cursor marks the alarms for screen readers.
        grid.rest(in: layout.alarms)
        if let page = screen.pages.current, page.type.coversScreen, screen.pages.help == nil, pairing == nil {
            drawCovering(page, scene, on: &grid)
        } else if layout.sizeClass == .minimal {
            drawMinimal(scene, layout, pairing, on: &grid)
        } else {
            keys = isMain ? KeyBarView(scene: scene).keys : nil
            if let former, former.hasSameView(as: self) {
                unchanged.vitals = scene.panels.indices.prefix(former.bareVitals.count)
                    .filter { former.bareVitals[$0] == scene.panels[$0] }
                unchanged.hasKeys = keys != nil && keys == former.keys
            }
            let same = former.map { (grid: $0.grid, parts: unchanged) }
            if drawPanels(scene, layout, pairing, same, on: &grid) {
                bareVitals = scene.panels
            } else {
                keys = nil
            }
        }
    }

    /// Whether another frame has the same division and view, except for the state and the list.
    private func hasSameView(as other: Frame) -> Bool {
        grid.columns == other.grid.columns && grid.rows == other.grid.rows && view == other.view
            // The period of the past is described relative to the present.
            && !view.trends.isPast
    }
}

/// The previous frame's grid, and the parts that look the same in it.
typealias Same = (grid: Grid, parts: Frame.Unchanged)

/// A page that covers the screen, with input, questions and messages on its lowest line.
private func drawCovering(_ page: ScreenState.Page, _ scene: Scene, on grid: inout Grid) {
    _ = scene.screen.pages[page].content(scene, in: grid.area).draw(in: grid.area, on: &grid)
    guard scene.screen.dialogs.inputLine != nil || scene.screen.dialogs.message != nil else { return }
    let line = grid.area.line(grid.rows - 1)
    drawExplanation(scene, above: line, lines: grid.rows >= 8 ? 2 : grid.rows >= 4 ? 1 : 0, on: &grid)
    grid.fill(line, " ", .plain)
    KeyBarView(scene: scene).draw(in: line, on: &grid)
}

private func drawMinimal(_ scene: Scene, _ layout: ScreenLayout, _ pairing: PairingView?, on grid: inout Grid) {
    MinimalView(scene: scene).draw(in: grid.area, on: &grid)
    let help = HelpView(scene.screen, scene.state.settings)
    let isCovered = help != nil || scene.screen.pages.current != nil
    if isCovered { grid.spots = [] }
    if let help {
        help.draw(in: grid.area.inset(top: 2), on: &grid)
        return drawMessage(scene, in: grid.area.line(max(4, grid.rows - 1)), on: &grid)
    }
    if let pairing {
        grid.spots = []
        pairing.draw(in: grid.area.inset(top: min(1, grid.rows - 1)), on: &grid)
        drawQuestion(scene, in: grid.area.line(grid.rows - 1), on: &grid)
        return
    }
    if let welcome = WelcomeView(scene: scene) {
        return welcome.drawMinimal(in: grid.area.inset(top: min(2, grid.rows)), on: &grid)
    }
    if let page = scene.screen.pages.current {
        let area = layout.page.inset(top: MinimalView(scene: scene).hasHeader(rows: grid.rows) ? 1 : 0)
        PageView(scene: scene, page: page, in: area).draw(in: area, on: &grid)
    }
    guard scene.screen.dialogs.inputLine != nil else { return }
    // Typed text must be visible; so must the worst alarm, in the line above.
    let line = grid.area.line(grid.rows - 1)
    if grid.rows >= 4 { drawExplanation(scene, above: line, lines: grid.rows >= 12 ? 4 : 1, on: &grid) }
    grid.fill(line, " ", .plain)
    InputLineView(scene: scene).draw(in: line, on: &grid)
}

extension ScreenState {
    /// The most lines of an explanation above the lowest line.
    func explanationRows(ofScreen rows: Int) -> Int { rows >= 16 ? 4 : 2 }
}

/// Writes an explanation above the input line or question: why it was refused, or the consequence of an answer.
///
/// - Parameter lines: The limit of lines; `nil` for as many as the panels leave.
private func drawExplanation(_ scene: Scene, above line: Area, lines: Int? = nil, on grid: inout Grid) {
    guard scene.screen.dialogs.inputLine != nil, let text = scene.screen.dialogs.explanation else { return }
    let wrapped = wrapped(scene.glyphs.fit(text), columns: line.columns - 2, glyphs: scene.glyphs)
        .prefix(lines ?? scene.screen.explanationRows(ofScreen: grid.rows))
    for (index, words) in wrapped.enumerated() {
        let place = Area(column: line.column, row: line.row - wrapped.count + index, columns: line.columns, rows: 1)
        grid.fill(place, " ", .strong)
        grid.put(words, .strong, at: 1, in: place)
    }
}

/// Draws a question over a full-screen view.
private func drawQuestion(_ scene: Scene, in line: Area, on grid: inout Grid) {
    guard case .choice = scene.screen.dialogs.inputLine else { return }
    grid.fill(line, " ", .plain)
    InputLineView(scene: scene).draw(in: line, on: &grid)
    drawExplanation(scene, above: line, on: &grid)
}

/// Draws a message over the lowest line of the help, with the reason why a key does nothing there.
private func drawMessage(_ scene: Scene, in line: Area, on grid: inout Grid) {
    guard scene.screen.dialogs.message != nil, !line.isEmpty else { return }
    grid.fill(line, " ", .plain)
    KeyBarView(scene: scene).draw(in: line, on: &grid)
}

/// Draws the panels.
///
/// - Returns: Whether the large vitals are shown with nothing over them.
private func drawPanels(
    _ scene: Scene, _ layout: ScreenLayout, _ pairing: PairingView?, _ same: Same?, on grid: inout Grid
) -> Bool {
    HeaderView(scene: scene, showsNotices: layout.notices.isEmpty).draw(in: layout.header, on: &grid)
    AlarmView(scene: scene).draw(in: layout.alarms, on: &grid)
    NoticeView(scene: scene).draw(in: layout.notices, on: &grid)
    PressureView(scene: scene).draw(in: layout.pressure, on: &grid)
    if let help = HelpView(scene.screen, scene.state.settings) {
        help.draw(in: layout.body, on: &grid)
        drawMessage(scene, in: layout.keyBar, on: &grid)
        return false
    }
    if let pairing {
        pairing.draw(in: layout.body, on: &grid)
        drawQuestion(scene, in: layout.keyBar, on: &grid)
        return false
    }
    if let welcome = WelcomeView(scene: scene) {
        drawMain(scene, layout, nil, on: &grid)
        welcome.draw(over: layout, on: &grid)
        return false
    }
    if let page = scene.screen.pages.current {
        PageView(scene: scene, page: page, in: layout.page).draw(in: layout.page, on: &grid)
        KeyBarView(scene: scene).draw(in: layout.keyBar, on: &grid)
        drawExplanation(scene, above: layout.keyBar, on: &grid)
        return false
    }
    drawMain(scene, layout, same, on: &grid)
    drawExplanation(scene, above: layout.keyBar, on: &grid)
    return scene.screen.dialogs.inputLine == nil
}

/// Draws vitals, sensors and keys; titled rules are drawn already.
private func drawMain(_ scene: Scene, _ layout: ScreenLayout, _ same: Same?, on grid: inout Grid) {
    if !layout.isTitled {
        grid.fill(layout.sensors.line(0).inset(left: 1, right: 1), scene.glyphs.frame.horizontal, Style(.frame))
    }
    drawVitals(scene, layout, same, on: &grid)
    TrendBandView(scene: scene, layout: layout).draw(unchanged: same, on: &grid)
    if layout.hasChips {
        SensorChipsView(scene: scene).draw(in: layout.sensors, on: &grid)
    } else {
        SensorListView(scene: scene).draw(in: layout.sensors, on: &grid)
    }
    drawSharedAxis(scene, layout, on: &grid)
    if let same, same.parts.hasKeys {
        grid.copy(layout.keyBar, of: same.grid)
    } else {
        KeyBarView(scene: scene).draw(in: layout.keyBar, on: &grid)
    }
}

private func drawVitals(_ scene: Scene, _ layout: ScreenLayout, _ same: Same?, on grid: inout Grid) {
    for index in layout.vitals.indices where index < scene.panels.count {
        if let same, same.parts.vitals.contains(index) {
            grid.copy(layout.vitals[index], of: same.grid)
            continue
        }
        guard let places = layout.places(ofVital: index, scene.screen.temperatureUnit) else { continue }
        let view = VitalView(panel: scene.panels[index], scene: scene, layout: layout, places: places)
        // The period of the trends is in the first title with room.
        let isFirst = layout.isSideBySide ? index == layout.openVitals.last : index == layout.openVitals.first
        switch layout.forms[index] {
        case .titled: view.drawTitled(isFirst: isFirst, on: &grid)
        case .rule: view.drawRule(in: layout.vitals[index], on: &grid)
        case .plain: view.drawPlain(on: &grid)
        case .line: view.drawLine(on: &grid)
        }
    }
}

/// The times of all trends on the rule below the last of them, or below each if they are side by side.
private func drawSharedAxis(_ scene: Scene, _ layout: ScreenLayout, on grid: inout Grid) {
    // Without any trend there is no time axis either.
    guard scene.panels.contains(where: { $0.hasTrend || $0.picture?.marks.isEmpty == false }),
        let last = layout.openVitals.last, layout.forms[last] != .line, let frame = scene.frame,
        layout.sensors.rows > 0
    else { return }
    func draw(_ frame: TrendFrame, below graph: Area, row: Int) {
        let rule = Area(column: graph.column, row: row, columns: graph.columns, rows: 1)
        TimeAxis(frame, time: scene.time)
            .draw(.faint, mark: scene.glyphs.tickMark, over: scene.glyphs.frame.horizontal, in: rule, on: &grid)
    }
    let band = layout.bandPlaces(scene.screen.temperatureUnit)
    for (index, places) in band {
        guard let frame = scene.panels[index].picture?.frame else { continue }
        draw(frame, below: places.graph, row: layout.sensors.row)
    }
    let row = layout.band?.row ?? layout.sensors.row
    for index in layout.isSideBySide ? layout.openVitals : [last] where band[index] == nil {
        guard let graph = layout.places(ofVital: index, scene.screen.temperatureUnit)?.graph,
            // A wave has no axis: its seconds are not those of the trends.
            scene.panels[index].wave?.isDrawn != true
        else { continue }
        draw(frame, below: graph, row: row)
    }
}
