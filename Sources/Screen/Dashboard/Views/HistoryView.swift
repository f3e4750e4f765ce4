import Appearance
import TextGrid
import Vitals

/// The line that replaces the keys while the trends show the past, with the values under the cursor.
struct HistoryView {
    let scene: Scene
    private let cursor: Moment

    /// Creates the line; `nil` while the trends show the newest values, or are hidden.
    init?(scene: Scene) {
        guard scene.frame != nil, let past = scene.screen.trends.past else { return nil }
        self.scene = scene
        cursor = TrendView.present(past.cursor, scene.now)
    }

    /// Draws into the first row of an area.
    func draw(in area: Area, on grid: inout Grid) {
        let line = area.line(0)
        let style = Style(.plain, [.bold, .reverse])
        grid.fill(line, " ", style)
        let margin = line.columns >= 34 ? 1 : 0
        let glyphs = scene.glyphs
        let isFrozen = scene.screen.trends.past?.isFrozen ?? false
        let ago = "\(isFrozen ? "FROZEN" : "HISTORY") \(glyphs.minus)\(scene.time.distance(to: cursor))"
        var segments = [
            Segment(ago, style, rank: 0), Segment(scene.time.point(cursor, isExact: isExact), style, rank: 3),
        ]
        if let note { segments.append(Segment(note, style, rank: 2)) }
        for (index, panel) in scene.panels.enumerated() {
            segments.append(
                Segment("\(panel.shortTitle) \(panel.cursorText(scene.screen))", style, rank: 4 + index))
        }
        segments += [
            Segment("Esc: now", style, rank: 1), Segment("numbers are live", style, rank: 7),
            Segment("[ ] scroll", style, rank: 8), Segment("+ - time", style, rank: 9),
        ]
        grid.put(segments, gap: line.columns >= 60 ? 3 : 2, in: line.inset(left: margin, right: margin))
        grid.cursor = Grid.Position(column: line.column + margin, row: line.row)
    }

    /// The missing part of the past, with the reason.
    private var note: String? {
        switch scene.screen.trends.reading {
        case .reading: return "reading\(scene.glyphs.ellipsis)"
        case .failed: return "the record cannot be read"
        case .idle: break
        }
        guard let frame = scene.frame, let since = scene.screen.trends.recordedSince, frame.start < since else {
            return nil
        }
        return "nothing before \(scene.time.point(since, isExact: false))"
    }

    /// Whether seconds matter in the window.
    private var isExact: Bool { scene.screen.trends.window.seconds <= 3600 }
}
