import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

extension ScreenState.Page {
    static let sensors = ScreenState.Page(SensorsPage.self)
}

/// The page of all sensors: the list that the first page has no room for while it shows measurements.
///
/// What is listed and selected is that of ``SensorList``, so that it is the same wherever the list is.
struct SensorsPage: ScreenPage {
    static let context = KeyContext.list
    static let opener = Command.showSensors
    static let showsSelectedSensor = true

    func content(_ scene: Scene, in area: Area) -> any PageContent { SensorsContent(scene: scene) }

    func keyLabel(of command: Command, usual: String, _ scene: Scene) -> String? {
        switch command {
        case .selectNext: scene.sensors.count > 1 ? usual : nil
        case .pauseForCare: scene.selectedSensor == nil ? nil : usual
        default: usual
        }
    }

    mutating func move(_ move: ListMove, _ screen: inout ScreenState, in state: MonitorState) -> Bool {
        screen.list.moveSelection(move)
    }

    mutating func handle(
        _ command: Command, _ screen: inout ScreenState, in state: MonitorState, at now: Moment
    ) -> Handling {
        screen.handleInList(command, in: state)
    }
}

/// The list in the page.
private struct SensorsContent: PageContent {
    let scene: Scene

    var title: String {
        let list = SensorListView(scene: scene)
        return (["SENSORS \(list.countText)"] + list.limits + [list.hiddenText]).filter { !$0.isEmpty }
            .joined(separator: scene.glyphs.dot)
    }

    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        let list = scene.screen.list
        // The rows have margins of their own.
        SensorListView(scene: scene).drawContent(in: area.inset(left: -1, right: -1), on: &grid)
        let rows = scene.sensors.isEmpty ? area.rows : min(area.rows, list.firstLine + list.visible.count)
        return PageView.Extent(
            rows: rows,
            scroll: ScrollBar(top: list.visible.lowerBound, shown: list.visible.count, total: scene.sensors.count))
    }
}
