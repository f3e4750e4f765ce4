import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

extension ScreenState.Page {
    static let rhythm = ScreenState.Page(RhythmPage.self)
}

/// The page of the RR intervals of the selected sensor.
struct RhythmPage: ScreenPage {
    // It is about one sensor, too.
    static let context = KeyContext.sensor
    static let opener = Command.showRhythm
    static let showsSelectedSensor = true

    /// Selects another sensor where the selected one has sent no intervals.
    static func willOpen(_ screen: inout ScreenState, in state: MonitorState) {
        guard screen.selectedSensor(in: state)?.rhythm.isEmpty != false else { return }
        let other = screen.list.order.first { state.sensor(address: $0)?.rhythm.isEmpty == false }
        if let other { screen.list.selection = other }
    }

    func content(_ scene: Scene, in area: Area) -> any PageContent { RhythmContent(scene: scene) }

    func keyLabel(of command: Command, usual: String, _ scene: Scene) -> String? {
        [.explore, .showOctets, .setInterval, .fetchNights, .pauseForCare].contains(command) ? nil : usual
    }

    mutating func move(_ move: ListMove, _ screen: inout ScreenState, in state: MonitorState) -> Bool {
        screen.list.moveSelection(move)
    }

    mutating func handle(
        _ command: Command, _ screen: inout ScreenState, in state: MonitorState, at now: Moment
    ) -> Handling {
        switch command {
        case .previousSensor, .nextSensor: screen.selectNeighbour(command)
        case .nextCharacteristic, .showOctets, .explore, .trace, .setInterval, .fetchNights:
            let key = screen.keys.name(of: .showSensor)
            screen.dialogs.message = "That is done on the page of the sensor; \(key) opens it."
        default: return .passed
        }
        return .handled()
    }

    /// The tachogram moves to the left.
    func nextChange(_ screen: ScreenState, in state: MonitorState, _ time: TimeText) -> Moment? {
        guard screen.selectedSensor(in: state)?.rhythm.isEmpty == false else { return nil }
        let now = time.now
        return now.advanced(by: .nanoseconds(now.nextRhythmSecond.nanoseconds(since: now.monotonic)))
    }
}

/// The tachogram of the last five minutes, and the figures or why there are none.
private struct RhythmContent: PageContent {
    let scene: Scene

    /// The title of the page.
    var title: String {
        scene.selectedSensor.map { "RHYTHM \(scene.name(of: $0))" } ?? "RHYTHM"
    }

    /// Draws the tachogram, as high as possible, above the lines.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        grid.rest(in: area)
        guard let sensor = scene.selectedSensor, !sensor.rhythm.isEmpty else {
            put("No RR intervals have come from this sensor.", .faint, in: area.line(0), on: &grid)
            return PageView.Extent(rows: 1)
        }
        let analysis = RhythmAnalysis(sensor.rhythm, at: scene.now.rhythmSecond)
        var rest = area
        let lines = self.lines(analysis, isNarrow: area.columns < 64)
        let place = rest.takeBottom(min(lines.count, area.rows))
        for (row, line) in lines.enumerated() { put(line.text, line.style, in: place.line(row), on: &grid) }
        if rest.rows >= 4, rest.columns >= 20 { drawTachogram(analysis, in: rest, on: &grid) }
        return PageView.Extent(rows: area.rows)
    }

    private func put(_ text: String, _ style: Style, in area: Area, on grid: inout Grid) {
        grid.put(ellipsized(scene.glyphs.fit(text), columns: area.columns, glyphs: scene.glyphs), style, in: area)
    }

    // MARK: Lines

    /// The lines below the tachogram, the most important first.
    private func lines(_ analysis: RhythmAnalysis, isNarrow: Bool) -> [(text: String, style: Style)] {
        let dot = scene.glyphs.dot
        var lines: [(text: String, style: Style)] = []
        switch analysis.result {
        case .figures(let figures):
            let rate = isNarrow ? "" : " (\(Int((60_000 / figures.mean).rounded()))/min)"
            let texts = [
                "RMSSD \(milliseconds(figures.rmssd))", "SDNN \(milliseconds(figures.sdnn))",
                "mean RR \(milliseconds(figures.mean))\(rate)",
            ]
            lines.append((texts.joined(separator: dot), .strong))
        case .tooLittle:
            let need = "\(RhythmAnalysis.leastCoverage) % needed"
            lines.append(("RMSSD, SDNN: cannot say\(dot)\(analysis.coveragePercent) % covered, \(need)", .strong))
        case .tooManyArtefacts:
            let most = "at most \(RhythmAnalysis.mostArtefacts) % allowed"
            lines.append(("RMSSD, SDNN: cannot say\(dot)\(share(analysis)) artefacts, \(most)", .strong))
        }
        if let check = analysis.disagreement {
            let (reported, computed) = (Int(check.reported.rounded()), Int(check.computed.rounded()))
            let text =
                isNarrow
                ? "CHECK THE STRAP: says \(reported)/min, RR \(computed)"
                : "CHECK THE STRAP: it reports \(reported)/min, but its RR intervals mean \(computed)/min"
            lines.append((text, .strong))
        }
        let count = Scene.count(analysis.beats.count, "interval")
        let gaps = analysis.beats.dropFirst().count(where: \.followsGap)
        lines.append(
            ("\(analysis.coveragePercent) % of 5 min covered\(dot)\(count)\(dot)\(Scene.count(gaps, "gap"))", .faint))
        let kinds = RRArtefact.allCases.compactMap { kind -> String? in
            let count = analysis.artefacts.count { $0 == kind }
            return count == 0 ? nil : "\(kind.letter) \(kind.text) \(count)"
        }
        let artefacts = analysis.artefactCount == 0 ? "No artefacts" : "Artefacts \(share(analysis))"
        lines.append((([artefacts] + kinds).joined(separator: dot), .faint))
        return lines
    }

    private func milliseconds(_ value: Double) -> String { "\(Int(value.rounded())) ms" }

    /// The share of artefacts with one decimal, rounded up, so that a share above the limit never reads 5.0 %.
    private func share(_ analysis: RhythmAnalysis) -> String {
        let count = max(1, analysis.beats.count)
        let tenths = (analysis.artefactCount * 1000 + count - 1) / count
        return "\(tenths / 10).\(tenths % 10) %"
    }

    // MARK: Tachogram

    private func drawTachogram(_ analysis: RhythmAnalysis, in area: Area, on grid: inout Grid) {
        var rest = area
        let labels = rest.takeLeft(8)
        let axis = rest.takeBottom(1)
        let marks = rest.takeBottom(1)
        let columns = TrendGraph.columns(in: rest.columns, glyphs: scene.glyphs)
        let picture = Tachogram(analysis, columns: columns, at: scene.now.rhythmSecond)
        var graph = TrendGraph(
            spans: picture.spans, range: picture.range, limits: [], favoursLow: false, glyphs: scene.glyphs)
        graph.breaks = picture.breaks
        graph.draw(Style(.heartRate), in: rest, on: &grid)
        put("\(picture.range.upperBound) ms", .faint, in: labels.line(0), on: &grid)
        put("\(picture.range.lowerBound) ms", .faint, in: labels.line(rest.rows - 1), on: &grid)
        drawMarks(picture, perCell: columns / max(1, rest.columns), in: marks, on: &grid)
        let gap = picture.spans.contains(nil) ? "\(scene.glyphs.gapMark) no intervals" : ""
        grid.put("5 min ago", .faint, in: axis)
        grid.put("now", .faint, at: axis.columns - 3, in: axis)
        let middle = (axis.columns - gap.count) / 2
        if middle > 10 { grid.put(gap, .faint, at: middle, in: axis) }
    }

    /// Marks gaps, and artefacts with their letters.
    private func drawMarks(_ picture: Tachogram, perCell: Int, in area: Area, on grid: inout Grid) {
        for cell in 0..<area.columns {
            let columns = cell * perCell..<(cell + 1) * perCell
            let (column, row) = (area.column + cell, area.row)
            if let artefact = columns.lazy.compactMap({ picture.artefacts[$0] }).first {
                grid.set(artefact.letter, .strong, column: column, row: row)
            } else if columns.allSatisfy({ picture.spans[$0] == nil }) {
                grid.set(scene.glyphs.gapMark, .faint, column: column, row: row)
            }
        }
    }
}

/// The tachogram as columns of a graph.
struct Tachogram {
    /// The intervals in each column, in milliseconds; `nil` without data.
    private(set) var spans: [TrendSpan?]
    /// The first columns after gaps.
    private(set) var breaks: Set<Int> = []
    /// The first artefact of a column.
    private(set) var artefacts: [Int: RRArtefact] = [:]
    /// The values at the lower and the upper edge, in milliseconds.
    let range: ClosedRange<Int>

    /// Divides the window that ends at a moment.
    init(_ analysis: RhythmAnalysis, columns: Int, at now: MonotonicTime) {
        spans = [TrendSpan?](repeating: nil, count: columns)
        range = Self.range(of: analysis)
        let start = now.advanced(by: .zero - RRSeries.window)
        func column(_ time: MonotonicTime) -> Int {
            let place = Double(time.nanoseconds(since: start)) / Double(RRSeries.window.nanoseconds)
            return max(0, min(columns - 1, Int(place * Double(columns))))
        }
        guard columns > 0 else { return }
        for (beat, artefact) in zip(analysis.beats, analysis.artefacts) {
            let last = column(beat.time)
            // An interval fills its own time, never the time before.
            let first = min(last, column(beat.time.advanced(byNanoseconds: -beat.nanoseconds)) + 1)
            let value = Int(beat.milliseconds.rounded())
            if beat.followsGap { breaks.insert(first) }
            for column in first...last {
                let span = spans[column] ?? TrendSpan(low: value, high: value)
                spans[column] = TrendSpan(low: min(span.low, value), high: max(span.high, value))
            }
            if let artefact, artefacts[last] == nil { artefacts[last] = artefact }
        }
    }

    /// Round values around the normal intervals; artefacts beyond are drawn at the edge.
    private static func range(of analysis: RhythmAnalysis) -> ClosedRange<Int> {
        let normal = zip(analysis.beats, analysis.artefacts).filter { $1 == nil }.map { $0.0.milliseconds }
        let (low, high) = (normal.min() ?? 600, normal.max() ?? 1000)
        let lower = Int(low / 100) * 100
        return lower...max(lower + 300, (Int(high) / 100 + 1) * 100)
    }
}

extension RRArtefact {
    /// Its mark in the tachogram.
    var letter: Unicode.Scalar {
        switch self {
        case .ectopic: "E"
        case .missed: "M"
        case .extra: "X"
        case .longOrShort: "L"
        }
    }

    /// Its name.
    var text: String {
        switch self {
        case .ectopic: "ectopic"
        case .missed: "missed"
        case .extra: "extra"
        case .longOrShort: "long or short"
        }
    }
}

extension Moment {
    /// The whole second up to which the page shows intervals: it moves once a second, however often it is drawn.
    var rhythmSecond: MonotonicTime {
        MonotonicTime(nanoseconds: monotonicNanoseconds - monotonicNanoseconds % 1_000_000_000)
    }

    /// When the page moves next.
    var nextRhythmSecond: MonotonicTime { rhythmSecond.advanced(by: .seconds(1)) }
}
