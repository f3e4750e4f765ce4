import Appearance
import Base
import TextGrid

/// The lines around vitals and sensors on a screen with a frame, and nothing else.
///
/// It contains everything that their drawing depends on, so that equal ones look the same.
struct PanelLines: Hashable {
    private let columns: Int
    private let rows: Int
    private let glyphs: GlyphSet
    private let body: Area
    private let sensors: Area
    private let rules: [Rule]

    /// The line above a vital.
    private struct Rule: Hashable {
        /// The area of the vital.
        var area: Area
        /// `nil` for that of the frame.
        var style: Style?
    }

    /// Determines the lines of a screen.
    init(_ scene: Scene, _ layout: ScreenLayout, size: (columns: Int, rows: Int)) {
        (columns, rows) = size
        glyphs = scene.glyphs
        (body, sensors) = (layout.body, layout.sensors)
        rules = layout.vitals.enumerated().map { index, area in
            let panel = scene.panels.indices.contains(index) ? scene.panels[index] : nil
            guard let panel, panel.missing == nil else { return Rule(area: area) }
            // A white line would be the brightest of the screen.
            return Rule(area: area, style: panel.role == .temperature ? .faint : Style(panel.role))
        }
    }

    /// Draws them.
    func draw(on grid: inout Grid) {
        let frame = FrameView(glyphs: glyphs)
        frame.drawBox(body, on: &grid)
        for rule in rules where rule.area.row > body.row { frame.drawRule(rule.area, on: &grid) }
        for rule in rules {
            if let style = rule.style { frame.color(rule.area, style, on: &grid) }
        }
        for vital in rules.map(\.area) where vital.column > 0 {
            for row in vital.row + 1..<vital.row + vital.rows {
                grid.set(glyphs.frame.vertical, Style(.frame), column: vital.column, row: row)
            }
        }
        if sensors.rows > 0 { frame.drawRule(sensors, on: &grid) }
    }
}
