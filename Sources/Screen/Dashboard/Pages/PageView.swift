import TextGrid
import Wording

/// The frame around a page, with its title and, if there is space, the three values, which no page hides.
struct PageView {
    let scene: Scene
    private let page: ScreenState.Page
    private let place: Area
    private let content: any PageContent

    /// Collects the content of a page in an area.
    init(scene: Scene, page: ScreenState.Page, in area: Area) {
        self.scene = scene
        self.page = page
        place = Self.content(of: area)
        content = scene.screen.pages[page].content(scene, in: place)
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
            grid.put(
                " \(ellipsized(content.title, columns: rule.columns - 2, glyphs: scene.glyphs)) ", .strong, in: rule)
        }
        let values = area.row + (Self.hasFrame(area) ? 1 : 0)
        if place.row > values {
            let line = Area(column: place.column, row: values, columns: place.columns, rows: 1)
            MinimalView(scene: scene).drawSideBySide(scene.panels[...], isTight: line.columns < 36, in: line, on: &grid)
        }
        let extent = content.draw(in: place, on: &grid)
        if Self.hasFrame(area), let scroll = extent.scroll {
            let border = Area(
                column: area.column + area.columns - 1, row: area.row + 1, columns: 1, rows: area.rows - 2)
            scroll.draw(scene.glyphs, over: border, on: &grid)
        }
        drawBelow(in: place.inset(top: extent.rows), on: &grid)
    }

    /// The extent of a page's content.
    struct Extent {
        /// The filled rows.
        var rows: Int
        /// The visible part, if the page scrolls.
        var scroll: ScrollBar?
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
}
