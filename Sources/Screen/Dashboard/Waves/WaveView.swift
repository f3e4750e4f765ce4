import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Waves

/// What of the waves is shown, and how.
public struct WaveView: Hashable, Sendable {
    /// Whether the strips show trends although there are waves.
    var showsTrends = false
    var gain = WaveGain.usual
    /// The moment at which a key froze the strips; `nil` while they go on.
    var frozen: Frozen?
    /// What is known of the waves that belong beside the large vitals.
    public internal(set) var known: [ShownVital.Place: WaveStrip] = [:]

    /// Why sensors do not give waves, in sentences such as "ECG: the sensor has none", by address.
    var refusals: [String: [String]] = [:]

    /// Strips that stand still, with marks to measure between.
    struct Frozen: Hashable, Sendable {
        var at: Moment
        /// The marks; `nil` until a key moves one.
        var calipers: WaveCalipers?
    }

    /// The waves that take the places of trends.
    var strips: [ShownVital.Place: WaveStrip] { showsTrends ? [:] : known }

    /// Whether there is anything to be chosen.
    var isGiven: Bool { known.values.contains(where: \.isGiven) }

    /// Whether a wave is on the screen.
    var isDrawn: Bool { strips.values.contains { $0.phase == .drawn } }

    /// Freezes what is shown, or lets it go on.
    mutating func toggleFrozen(at now: Moment) { frozen = frozen == nil ? Frozen(at: now) : nil }

    /// Moves the active mark by a column.
    mutating func moveCaliper(left isLeft: Bool, columns: Int) {
        guard frozen != nil else { return }
        var calipers = frozen?.calipers ?? WaveCalipers()
        let back = calipers.backs[calipers.active] + (isLeft ? 1 : -1)
        calipers.backs[calipers.active] = min(max(0, back), max(0, columns - 1))
        frozen?.calipers = calipers
    }

    /// Lets the keys move the other mark.
    mutating func takeOtherCaliper() {
        var calipers = frozen?.calipers ?? WaveCalipers()
        calipers.active = 1 - calipers.active
        frozen?.calipers = calipers
    }
}

extension ScreenState {
    /// Takes over what is known of the waves; call it before ``prepare(for:size:at:)``.
    public mutating func follow(_ sweeps: WaveSweeps, in state: MonitorState, at now: Moment) {
        waves.known = sweeps.strips(for: state, at: now)
        waves.refusals = sweeps.refusals
        // Without any wave there is nothing that stands still.
        if waves.known.isEmpty { waves.frozen = nil }
    }

    /// Where waves are drawn on a screen of some size, after ``prepare(for:size:at:)``: nowhere that anything covers.
    func traces(in state: MonitorState, size: (columns: Int, rows: Int)) -> [WaveTrace] {
        guard waves.known.values.contains(where: { $0.phase == .drawn }), pages.help == nil,
            layout.sizeClass != .minimal, pairedSensor(in: state) == nil
        else { return [] }
        let bounded = Grid.bounded(size)
        let room =
            session.replay == nil
            ? Area(column: 0, row: 0, columns: bounded.columns, rows: bounded.rows) : ReplayBanner.room(in: bounded)
        let isMotionReduced = state.settings.alarmSignals.isMotionReduced
        func trace(_ strip: WaveStrip, _ area: Area, _ scale: Area) -> WaveTrace {
            WaveTrace(
                stream: strip.stream, area: area.moved(by: room), scaleArea: scale.moved(by: room),
                sweep: WaveSweep(
                    cells: area.columns, columnsPerCell: TrendGraph.columns(in: 1, glyphs: glyphs),
                    screenColumns: room.columns),
                gain: waves.gain, glyphs: glyphs, isMotionReduced: isMotionReduced,
                word: session.replay != nil ? "REPLAY" : session.isSimulated ? "SIMULATED" : "",
                calipers: waves.frozen?.calipers)
        }
        if pages.current == .wave {
            guard let strip = pages[WavePage.self].strip(self) else { return [] }
            let places = WavePage.places(in: PageView.content(of: layout.page))
            // Without a line for the word nothing that stands still is shown.
            let hasTitle = places.strip.row > PageView.content(of: layout.page).row
            if isCovered(places.strip) || waves.frozen != nil && !hasTitle { return [] }
            return [trace(strip, places.strip, places.scale)]
        }
        guard pages.current == nil else { return [] }
        return ShownVital.Place.allCases.enumerated().compactMap { index, place in
            guard showsWave(at: place), let strip = waves.strips[place],
                let places = layout.places(ofVital: index, temperatureUnit)
            else { return nil }
            return trace(strip, places.graph, places.waveScale)
        }
    }

    /// The places of the vitals whose sensor gives a wave, if it stops for a while, too: numbers do not move for that.
    var wavedVitals: [Int] {
        ShownVital.Place.allCases.enumerated().filter { waves.strips[$1]?.isGiven == true }.map(\.offset)
    }

    /// Whether the strip of a place shows a wave, rather than a trend.
    func showsWave(at place: ShownVital.Place) -> Bool {
        guard waves.strips[place]?.phase == .drawn, let index = ShownVital.Place.allCases.firstIndex(of: place) else {
            return false
        }
        return hasWaveStrip(index)
    }

    /// Whether the strip at an index has room for a wave, and nothing else to show.
    func hasWaveStrip(_ index: Int) -> Bool {
        // The past is read in the trends.
        guard !trends.isPast || layout.band != nil && waves.frozen == nil, layout.forms.indices.contains(index),
            layout.forms[index] == .titled,
            let places = layout.places(ofVital: index, temperatureUnit)
        else { return false }
        return places.graph.rows >= Self.leastWaveRows && places.graph.columns >= Self.leastWaveColumns
            && !isCovered(places.graph)
    }

    /// The least size of a wave's strip; in a smaller one there is the trend.
    private static let (leastWaveRows, leastWaveColumns) = (4, 20)

    /// Whether the explanation of a question may cover an area.
    private func isCovered(_ area: Area) -> Bool {
        guard dialogs.inputLine != nil, dialogs.explanation != nil else { return false }
        return area.row + area.rows > layout.keyBar.row - explanationRows(ofScreen: layout.basis.rows)
    }
}

extension Area {
    /// The same area in the coordinates of a screen on which it is a part of another area.
    fileprivate func moved(by room: Area) -> Area {
        Area(column: column + room.column, row: row + room.row, columns: columns, rows: rows)
    }
}
