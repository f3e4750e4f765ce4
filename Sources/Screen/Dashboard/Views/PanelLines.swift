import Appearance
import Base
import TextGrid

/// The titled rules above vitals and sensors, and nothing else.
///
/// It contains everything that their drawing depends on, so that equal ones look the same.
struct PanelLines: Hashable {
    private let columns: Int
    private let rows: Int
    private let glyphs: GlyphSet
    private let rules: [Rule]

    /// A rule above a strip, a number's field, a vital without a sensor, or the sensors.
    private struct Rule: Hashable {
        var line: Area
        var style = Style(.frame)
    }

    /// Determines the rules of a screen.
    init(_ scene: Scene, _ layout: ScreenLayout, size: (columns: Int, rows: Int)) {
        (columns, rows) = size
        glyphs = scene.glyphs
        let vitals = layout.vitals.indices.flatMap { index -> [Rule] in
            guard layout.forms[index] == .titled, let places = layout.places(ofVital: index, .celsius) else {
                return [Rule(line: layout.vitals[index].line(0))]
            }
            let panel = scene.panels.indices.contains(index) ? scene.panels[index] : nil
            // The top of the outline of what is missing.
            if let missing = panel?.missing, missing.isBanner {
                return [places.title, places.fieldTitle].map { Rule(line: $0, style: missing.style) }
            }
            let isMeasured = panel.map { $0.missing == nil } ?? false
            // A white line would be the brightest of the screen.
            let role = isMeasured ? panel.map { $0.role == .temperature ? .faint : $0.role } ?? .frame : .frame
            return [places.title, places.fieldTitle].map { Rule(line: $0, style: Style(role)) }
        }
        rules = vitals + [layout.band, layout.sensors].compactMap { $0.map { Rule(line: $0.line(0)) } }
    }

    /// Draws them.
    func draw(on grid: inout Grid) {
        for rule in rules { grid.fill(rule.line, glyphs.frame.horizontal, rule.style) }
    }
}
