import Appearance
import Dashboard
import Monitoring
import TextGrid
import Vitals
import Ward
import WardMessages

/// A picture of the whole ward screen.
///
/// The same ward, view, size and moment always make the same picture, whatever the size.
public struct WardFrame {
    /// The cells.
    public let grid: Grid
    /// The bed that is shown as selected; `nil` on other pages.
    public let selected: WardBed?

    /// Draws a picture.
    ///
    /// - Parameters:
    ///   - state: The state of the ward.
    ///   - screen: What the screen shows.
    ///   - size: The terminal's size in cells; may be zero.
    ///   - now: The moment of drawing, from which ages are counted.
    public init(_ state: WardState, _ screen: WardScreenState, size: (columns: Int, rows: Int), now: Moment) {
        var grid = Grid(columns: size.columns, rows: size.rows, isASCII: screen.glyphs == .ascii)
        let scene = WardScene(state: state, screen: screen, size: size, now: now)
        selected = scene.selected
        if grid.columns > 0, grid.rows > 0 { scene.draw(on: &grid) }
        self.grid = grid
    }
}

extension WardScene {
    fileprivate func draw(on grid: inout Grid) {
        let parts = WardParts(grid.area)
        WardHeaderView(scene: self).draw(parts, on: &grid)
        switch screen.page {
        case .beds: BedsView(scene: self).draw(in: parts.body, on: &grid)
        case .bed(let bed): BedPageView(scene: self, bed: bed).draw(in: parts.body, on: &grid)
        case .alarms: WardListView(scene: self).drawAlarms(in: parts.body, on: &grid)
        case .log: WardListView(scene: self).drawLog(in: parts.body, on: &grid)
        case .help: WardListView(scene: self).drawHelp(in: parts.body, on: &grid)
        }
    }
}

/// The parts of the ward screen, from above.
public struct WardParts: Hashable, Sendable {
    /// Title, number of beds, broker and time.
    var header: Area
    /// The worst alarm of all beds.
    public private(set) var alarm: Area
    /// The beds, or a page.
    public private(set) var body: Area
    /// The statement of purpose.
    var promise: Area
    /// The keys, or a message.
    var keys: Area

    /// Whether the header has room for a mark of all beds.
    static func hasRoomForMark(_ columns: Int, _ rows: Int) -> Bool { columns >= 40 && rows >= 3 }

    /// Divides a screen; on a small one the alarm remains longest.
    public init(_ area: Area) {
        var rest = area
        let rows = area.rows
        alarm = Area(column: 0, row: 0, columns: 0, rows: 0)
        header = rest.takeTop(rows >= 3 ? 1 : 0)
        alarm = rest.takeTop(1)
        keys = rest.takeBottom(rows >= 6 ? 1 : 0)
        promise = rest.takeBottom(rows >= 8 ? 1 : 0)
        body = rest
    }
}

extension WardScreenState {
    /// The division of the beds at a size.
    public func layout(_ state: WardState, size: (columns: Int, rows: Int)) -> WardLayout {
        let body = WardParts(Area(column: 0, row: 0, columns: size.columns, rows: size.rows)).body
        return WardLayout(beds: shownPlaces(state).count, columns: body.columns, rows: body.rows)
    }
}
