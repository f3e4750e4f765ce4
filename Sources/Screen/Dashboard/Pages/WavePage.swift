import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Waves
import Wording

extension ScreenState.Page {
    static let wave = ScreenState.Page(WavePage.self)
}

/// The page of one wave, as large as the screen lets it be; alarms and numbers stay above it.
struct WavePage: ScreenPage {
    static let context = KeyContext.wave
    static let opener = Command.showWave

    /// The kind of the shown wave, if it was chosen.
    var kind: WaveKind?

    /// The waves that could be shown, in the order of the vitals.
    private func strips(_ screen: ScreenState) -> [WaveStrip] {
        ShownVital.Place.allCases.compactMap { screen.waves.known[$0] }.filter(\.isGiven)
    }

    /// The chosen wave, or else the first.
    private func shown(_ screen: ScreenState) -> WaveStrip? {
        let strips = strips(screen)
        return strips.first { $0.kind == kind } ?? strips.first
    }

    /// The wave to draw; `nil` while there is none.
    func strip(_ screen: ScreenState) -> WaveStrip? { shown(screen).flatMap { $0.phase == .drawn ? $0 : nil } }

    /// The areas of the wave and of the mark beside it, in the content of the page.
    static func places(in area: Area) -> (strip: Area, scale: Area) {
        var rest = area.inset(top: area.rows >= 6 ? 1 : 0)
        let scale = rest.takeRight(rest.columns >= 40 ? 5 : 0)
        return (rest, scale)
    }

    func content(_ scene: Scene, in area: Area) -> any PageContent {
        WaveContent(scene: scene, strip: shown(scene.screen))
    }

    func keyLabel(of command: Command, usual: String, _ scene: Scene) -> String? {
        switch command {
        case .selectNext, .pauseForCare: nil
        case .nextWave: strips(scene.screen).count > 1 && scene.screen.waves.frozen == nil ? usual : nil
        default: usual
        }
    }

    mutating func move(_ move: ListMove, _ screen: inout ScreenState, in state: MonitorState) -> Bool {
        if screen.waves.frozen != nil, [.previous, .next].contains(move) {
            screen.waves.takeOtherCaliper()
            return true
        }
        screen.dialogs.message = "Nothing is selected here; \(screen.keys.name(of: .close)) closes the page."
        return false
    }

    mutating func handle(
        _ command: Command, _ screen: inout ScreenState, in state: MonitorState, at now: Moment
    ) -> Handling {
        if screen.handleFrozenWaves(command) { return .handled() }
        switch command {
        case .freeze where strip(screen) != nil || screen.waves.frozen != nil: screen.waves.toggleFrozen(at: now)
        case .freeze: screen.dialogs.message = "There is no wave to freeze."
        case .previousWave: step(by: -1, &screen)
        case .nextWave: step(by: 1, &screen)
        // The key goes through the waves, and then closes the page.
        case .showWave where shown(screen)?.kind != strips(screen).last?.kind: step(by: 1, &screen)
        default: return .passed
        }
        return .handled()
    }

    private mutating func step(by step: Int, _ screen: inout ScreenState) {
        let strips = strips(screen)
        guard strips.count > 1, let place = strips.firstIndex(where: { $0.kind == shown(screen)?.kind }) else {
            screen.dialogs.message = strips.isEmpty ? "No sensor sends a wave." : "There is no other wave."
            return
        }
        kind = strips[(place + step + strips.count) % strips.count].kind
    }
}

/// The line above the wave, and an empty strip for it.
private struct WaveContent: PageContent {
    let scene: Scene
    let strip: WaveStrip?

    var title: String {
        guard let strip else { return "WAVE" }
        let sensor = scene.state.sensor(address: strip.stream.address)
        return "\(strip.kind.traits.title) of \(sensor.map(scene.name(of:)) ?? strip.stream.address)"
    }

    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        grid.rest(in: area)
        let places = WavePage.places(in: area)
        guard let strip else {
            let text = "No sensor sends a wave: an ECG comes from a Polar H10, a plethysmogram from some oximeters."
            for (row, line) in wrapped(text, columns: area.columns, glyphs: scene.glyphs).prefix(area.rows).enumerated()
            {
                grid.put(line, .faint, in: area.line(row))
            }
            return PageView.Extent(rows: area.rows)
        }
        let frozen = scene.screen.waves.frozen.map { "FROZEN \(scene.time.distance(to: $0.at))" } ?? ""
        if strip.phase == .drawn, places.strip.row > area.row {
            let sweep = WaveSweep(
                cells: places.strip.columns, columnsPerCell: TrendGraph.columns(in: 1, glyphs: scene.glyphs),
                screenColumns: scene.screen.layout.basis.columns)
            let words = sweep.words(
                VitalPanel.Wave(
                    title: strip.kind == .electrocardiogram ? "ECG, one lead" : strip.kind.traits.title,
                    isGainFixed: strip.kind.traits.isGainFixed, isDrawn: true, words: "", frozen: frozen),
                scene.glyphs)
            let text = words.first { columnWidth(of: $0) <= area.columns } ?? ""
            grid.put(text, frozen.isEmpty ? .faint : .selected, in: area.line(0))
        } else if strip.phase != .drawn {
            let words = strip.words(scene.time, ellipsis: scene.glyphs.ellipsis)
            let text = words.isEmpty ? "\(strip.kind.traits.title): its number is not live" : words
            grid.put(ellipsized(text, columns: area.columns, glyphs: scene.glyphs), .faint, in: area.line(0))
        }
        return PageView.Extent(rows: area.rows)
    }
}
