import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

extension ScreenState.Page {
    static let sensor = ScreenState.Page(SensorPage.self)
}

/// The page of one sensor: its identity, state and history, and its services with their newest values.
struct SensorPage: ScreenPage {
    static let context = KeyContext.sensor
    static let opener = Command.showSensor
    static let showsSelectedSensor = true
    static let wishOnLeaving: ScreenWish? = .sensor(.inspect(address: nil))

    /// What of it is shown.
    private(set) var scroll = LineScroll()
    /// The number of the selected characteristic, if any.
    private(set) var characteristic: Int?
    /// Whether only the last values of the selected characteristic are shown.
    private(set) var showsOctets = false

    func content(_ scene: Scene, in area: Area) -> any PageContent { SensorContent(self, scene: scene, in: area) }

    func keyLabel(of command: Command, usual: String, _ scene: Scene) -> String? {
        command == .selectNext ? "scroll" : command == .pauseForCare ? nil : usual
    }

    mutating func move(_ move: ListMove, _ screen: inout ScreenState, in state: MonitorState) -> Bool {
        let (lines, rows) = lines(screen, in: state)
        return scroll.move(move, page: max(1, rows - 1), last: max(0, lines.count - rows))
    }

    mutating func handle(
        _ command: Command, _ screen: inout ScreenState, in state: MonitorState, at now: Moment
    ) -> Handling {
        switch command {
        case .showSensor: screen.pages.close()
        case .connect:
            guard let sensor = screen.selectedSensor(in: state), screen.opens(sensor) else { return .passed }
            screen.dialogs.message = "This is the page of \(sensor.identity.name), which is connected."
        case .previousSensor, .nextSensor:
            screen.selectNeighbour(command)
            self = SensorPage()
            return .handled(screen.list.selection.map { .sensor(.inspect(address: $0)) })
        case .nextCharacteristic: selectNextCharacteristic(&screen, in: state)
        case .showOctets: toggleOctets(&screen, in: state)
        case .trace:
            guard let sensor = screen.selectedSensor(in: state) else {
                screen.dialogs.message = "No sensor is selected."
                break
            }
            return .handled(.trace(address: sensor.identity.address))
        case .setInterval: screen.askForInterval(in: state)
        case .fetchNights: return .handled(screen.fetchNights(in: state))
        case .explore: screen.askWhatToExplore(characteristic, in: state)
        default: return .passed
        }
        return .handled()
    }

    /// Its lines at this time, and how many of them can be seen.
    private func lines(_ screen: ScreenState, in state: MonitorState) -> (lines: [SensorContent.Line], rows: Int) {
        let area = PageView.content(of: screen.layout.page)
        let scene = Scene(state: state, screen: screen, now: state.now)
        return (SensorContent(self, scene: scene, in: area).lines, area.rows)
    }

    /// Shows the values of the selected characteristic alone, or everything.
    private mutating func toggleOctets(_ screen: inout ScreenState, in state: MonitorState) {
        if !showsOctets, characteristic == nil { selectNextCharacteristic(&screen, in: state) }
        guard showsOctets || characteristic != nil else { return }
        showsOctets.toggle()
        scroll = LineScroll()
    }

    /// Selects the next characteristic, and scrolls to it.
    private mutating func selectNextCharacteristic(_ screen: inout ScreenState, in state: MonitorState) {
        guard let services = screen.inspection(in: state)?.services else {
            screen.dialogs.message = "Its characteristics are known once it is connected."
            return
        }
        let numbers = services.flatMap(\.characteristics).map(\.number)
        let place = characteristic.flatMap { numbers.firstIndex(of: $0) }
        characteristic = place.map { numbers[($0 + 1) % numbers.count] } ?? numbers.first
        if showsOctets { return scroll = LineScroll() }
        let (lines, shown) = lines(screen, in: state)
        guard let line = lines.firstIndex(where: { $0.characteristic == characteristic }) else { return }
        let rows = max(1, shown)
        // Its value is below it.
        if line < scroll.top || line + 4 > scroll.top + rows { scroll.scroll(to: line - rows / 3) }
        scroll.limit(to: max(0, lines.count - rows))
    }

    mutating func fit(_ screen: ScreenState, _ state: MonitorState, in area: Area, at now: Moment) {
        guard scroll.top > 0 else { return }
        let scene = Scene(state: state, screen: screen, now: now)
        scroll.limit(to: SensorContent(self, scene: scene, in: area).lines.count - area.rows)
    }

    /// The ages of the signal strength and of values grow.
    func nextChange(_ screen: ScreenState, in state: MonitorState, _ time: TimeText) -> Moment? {
        let strengths = screen.visibleSensors(in: state).compactMap { sensor in
            sensor.strength(at: time.now).map {
                sensor.redraw(for: time.nextChange(ofAgeOf: $0.heard), at: time.now)
            }
        }
        let values = state.inspection?.moments.map { time.nextChange(ofAgeOf: $0) } ?? []
        return (strengths + values).min()
    }
}

/// Everything about one sensor, in lines.
///
/// The page is bounded, however much a sensor claims to have: the stored data and each text have limits.
struct SensorContent: PageContent {
    let scene: Scene
    private let page: SensorPage
    /// All its lines.
    let lines: [Line]
    private let rows: Int
    /// The full width of the names of fields, with the space after them.
    private let fieldWidth: Int

    /// Collects the content for an area.
    init(_ page: SensorPage, scene: Scene, in area: Area) {
        self.page = page
        self.scene = scene
        rows = area.rows
        lines = Self.lines(scene, page, columns: area.columns)
        fieldWidth = lines.reduce(25) { $1.isField ? max($0, $1.label.count + 2) : $0 }
    }

    /// One line of the page.
    struct Line {
        var indent = 0
        /// The label of the line, in a separate column.
        var label = ""
        var text: String
        var style = Style.plain
        /// The number of the characteristic in the line, if any.
        var characteristic: Int?

        /// Whether it is a field of a value, which has a longer name than other items.
        var isField: Bool { indent >= 4 && !label.isEmpty }
    }

    /// Which sensor, and which of its lines are shown.
    var title: String {
        guard let sensor = scene.selectedSensor else { return "SENSOR" }
        let text = "SENSOR \(scene.name(of: sensor))"
        guard lines.count > rows, rows > 0 else { return text }
        return "\(text)\(scene.glyphs.dot)\(top + 1)\(scene.glyphs.dash)\(top + rows) of \(lines.count) lines"
    }

    private var top: Int { max(0, min(page.scroll.top, lines.count - rows)) }

    /// Draws as many lines as there are rows, from the scroll position on.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        for (row, line) in lines.dropFirst(top).prefix(area.rows).enumerated() {
            draw(line, in: area.line(row), on: &grid)
        }
        // A line-by-line reader begins at the first line, too.
        grid.rest(in: area)
        return PageView.Extent(
            rows: min(lines.count, area.rows), scroll: ScrollBar(top: top, shown: area.rows, total: lines.count))
    }

    private func draw(_ line: Line, in row: Area, on grid: inout Grid) {
        let inner = row.inset(left: line.indent)
        guard !line.label.isEmpty else {
            if line.characteristic != nil, line.characteristic == page.characteristic {
                grid.put(scene.glyphs.pointer, .strong, in: row)
            }
            grid.put(ellipsized(line.text, columns: inner.columns, glyphs: scene.glyphs), line.style, in: inner)
            return
        }
        let width = line.isField ? min(fieldWidth, inner.columns / 2) : Self.labelWidth(columns: inner.columns)
        grid.put(ellipsized(line.label, columns: width - 1, glyphs: scene.glyphs), .faint, in: inner)
        let rest = inner.inset(left: width)
        grid.put(ellipsized(line.text, columns: rest.columns, glyphs: scene.glyphs), line.style, in: rest)
    }

    /// The width of the labels in lines of a width.
    static func labelWidth(columns: Int) -> Int { min(15, columns * 2 / 5) }

    private static func lines(_ scene: Scene, _ page: SensorPage, columns: Int) -> [Line] {
        guard let sensor = scene.selectedSensor else { return [Line(text: "No sensor is selected.", style: .faint)] }
        if page.showsOctets, let number = page.characteristic, let inspection = scene.inspection(of: sensor),
            let characteristic = inspection.characteristic(number)
        {
            return SensorOctetLines(inspection: inspection, characteristic: characteristic, scene: scene).lines
        }
        let device = SensorDeviceLines(sensor: sensor, scene: scene, columns: columns)
        let values = SensorServiceLines(
            sensor: sensor, selected: page.characteristic, scene: scene, columns: columns)
        return device.state + section("DEVICE INFORMATION", device.information)
            + section("ADVERTISEMENT", device.advertisement)
            + section("CONNECTION HISTORY", device.history)
            + section("SERVICES", values.lines)
    }

    private static func section(_ title: String, _ lines: [Line]) -> [Line] {
        [Line(text: ""), Line(text: title, style: .strong)] + lines
    }
}
