import TextGrid
import Wording

/// The frame around a page, with its title and, if there is space, the three values, which no page hides.
struct PageView {
    let scene: Scene
    let page: ScreenState.Page
    private let content: Area
    private let sensorPage: SensorPageView?

    /// Collects the content of a page in an area.
    init(scene: Scene, page: ScreenState.Page, in area: Area) {
        self.scene = scene
        self.page = page
        content = Self.content(of: area)
        sensorPage = page == .sensor ? SensorPageView(scene: scene, in: content) : nil
    }

    /// The part of a page that contains its rows.
    static func content(of area: Area) -> Area {
        var rest = hasFrame(area) ? area.inset(left: 2, right: 2, top: 1, bottom: 1) : area
        if rest.rows >= 6 { _ = rest.takeTop(1) }
        return rest
    }

    private static func hasFrame(_ area: Area) -> Bool { area.columns >= 36 && area.rows >= 7 }

    /// Draws over an area, which is blanked first.
    func draw(in area: Area, on grid: inout Grid) {
        grid.fill(area, " ", .plain)
        if Self.hasFrame(area) {
            FrameView(glyphs: scene.glyphs).drawBox(area, on: &grid)
            let rule = area.line(0).inset(left: 2, right: 2)
            grid.put(" \(ellipsized(title, columns: rule.columns - 2, glyphs: scene.glyphs)) ", .strong, in: rule)
        }
        let values = area.row + (Self.hasFrame(area) ? 1 : 0)
        if content.row > values {
            let line = Area(column: content.column, row: values, columns: content.columns, rows: 1)
            MinimalView(scene: scene).drawSideBySide(scene.panels[...], isTight: line.columns < 36, in: line, on: &grid)
        }
        let extent = drawContent(on: &grid)
        if Self.hasFrame(area), let scroll = extent.scroll {
            let border = Area(
                column: area.column + area.columns - 1, row: area.row + 1, columns: 1, rows: area.rows - 2)
            scroll.draw(scene.glyphs, over: border, on: &grid)
        }
        drawBelow(in: content.inset(top: extent.rows), on: &grid)
    }

    /// The extent of a page's content.
    struct Extent {
        /// The filled rows.
        var rows: Int
        /// The visible part, if the page scrolls.
        var scroll: ScrollBar?
    }

    private func drawContent(on grid: inout Grid) -> Extent {
        switch page {
        case .distance: Extent(rows: content.rows)
        case .alarms: AlarmsPageView(scene: scene).draw(in: content, on: &grid)
        case .log: AlarmLogPageView(scene: scene).draw(in: content, on: &grid)
        case .limits: LimitsPageView(scene: scene).draw(in: content, on: &grid)
        case .settings: SettingsPageView(scene: scene).draw(in: content, on: &grid)
        case .record: RecordPageView(scene: scene).draw(in: content, on: &grid)
        case .entries: EntriesPageView(scene: scene).draw(in: content, on: &grid)
        case .contacts: ContactsPageView(scene: scene).draw(in: content, on: &grid)
        case .days: DaysPageView(scene: scene).draw(in: content, on: &grid)
        case .rhythm: RhythmPageView(scene: scene).draw(in: content, on: &grid)
        case .sensor: sensorPage?.draw(in: content, on: &grid) ?? Extent(rows: content.rows)
        }
    }

    /// Fills the empty part of a short page with its keys and the latest events.
    private func drawBelow(in area: Area, on grid: inout Grid) {
        var rest = area
        let keys = HelpView.pageLines(scene, columns: rest.columns)
        if rest.columns >= 40, keys.count > 1, rest.rows >= keys.count + 2 {
            _ = rest.takeTop(rest.rows >= keys.count + 4 ? 2 : 1)
            for line in keys { line.draw(in: rest.takeTop(1), on: &grid) }
        }
        if page != .log { RecentLogView(scene: scene).draw(in: rest, on: &grid) }
    }

    private var title: String {
        switch page {
        case .distance: ""
        case .alarms: "ALARMS"
        case .log: AlarmLogPageView(scene: scene).title
        case .limits: "LIMITS"
        case .entries: "ENTER BY HAND"
        case .record: RecordPageView(scene: scene).title
        case .contacts: "WHOM TO CALL"
        case .days: "THE LAST \(DaysView.count) DAYS"
        case .settings: SettingsPageView(scene: scene).title
        case .rhythm: RhythmPageView(scene: scene).title
        case .sensor: sensorPage?.title ?? ""
        }
    }
}
