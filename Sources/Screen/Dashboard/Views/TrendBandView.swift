import Appearance
import TextGrid
import Wording

/// The trends of the vitals whose strips show waves, side by side.
struct TrendBandView {
    let scene: Scene
    let layout: ScreenLayout

    /// Draws the names on the titled rule, and the trends below it.
    ///
    /// - Parameter same: The previous frame, whose unchanged trends are copied.
    func draw(unchanged same: Same?, on grid: inout Grid) {
        guard let band = layout.band else { return }
        var title = band.line(0).inset(left: 1, right: 1)
        let places = layout.bandPlaces(scene.screen.temperatureUnit)
        let words = scene.screen.trends.isPast ? nil : "last \(scene.screen.trends.window.text)"
        if let words { grid.putRight(" \(words) ", .faint, in: title) }
        _ = title.takeRight(words.map { $0.count + 3 } ?? 0)
        for (index, places) in places where scene.panels.indices.contains(index) {
            let panel = scene.panels[index]
            let name = title.inset(left: places.content.column - title.column)
            let end = grid.put(" \(panel.shortTitle) TREND ", panel.nameStyle, in: name)
            let cursor = panel.cursorText(scene.screen)
            if !cursor.isEmpty { grid.put(" at cursor \(cursor) ", .strong, at: end + 1, in: name) }
            if let same, same.parts.vitals.contains(index) {
                grid.copy(places.content, of: same.grid)
            } else {
                VitalTrendView(panel: panel, scene: scene).draw(in: places, on: &grid)
            }
        }
    }
}
