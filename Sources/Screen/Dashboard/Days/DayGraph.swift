import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

/// The graph of one vital, or of the neutrophils, day by day: bars from the lowest to the highest value with the median
/// across, and below them the time outside the limits.
struct DayGraph {
    let scene: Scene
    let overview: PatientOverview
    let axis: DayAxis
    let content: Content

    /// The content of a graph.
    enum Content: Hashable {
        case vital(Vital)
        case neutrophils
    }

    /// The rows of the smallest graph: its title, three rows of bars, a row of numbers.
    static let fewestRows = 5

    /// Draws into an area of at least ``fewestRows`` rows.
    func draw(in area: Area, on grid: inout Grid) {
        var rest = area
        let title = rest.takeTop(1)
        let numbers = rest.takeBottom(1)
        switch content {
        case .vital(let vital): draw(vital, title: title, bars: rest, numbers: numbers, on: &grid)
        case .neutrophils: drawNeutrophils(title: title, points: rest, numbers: numbers, on: &grid)
        }
    }

    private func put(_ text: String, _ style: Style, at offset: Int = 0, in area: Area, on grid: inout Grid) {
        grid.put(
            ellipsized(scene.glyphs.fit(text), columns: area.columns - offset, glyphs: scene.glyphs), style, at: offset,
            in: area)
    }

    /// The fever of each cell, shown on all graphs.
    private var shades: [Style.Role?] {
        var shades = [Style.Role?](repeating: nil, count: axis.columns)
        for fever in overview.fevers {
            let end = fever.end ?? scene.now.wallMilliseconds
            let range = overview.range
            guard let first = axis.cell(of: max(fever.start, range.lowerBound)),
                let last = axis.cell(of: min(max(fever.start, end), range.upperBound - 1)), first <= last
            else { continue }
            for cell in first...last { shades[cell] = .alarmHigh }
        }
        return shades
    }

    // MARK: A vital

    private func draw(_ vital: Vital, title: Area, bars: Area, numbers: Area, on grid: inout Grid) {
        let references = scene.state.settings.referenceLines(of: vital, limits: scene.state.currentLimits[vital])
        let lines = references.map { scene.valueText.limit($0, of: vital) }.joined(separator: ", ")
        let unit = DayWords(scene: scene, overview: overview).unit(of: vital)
        put(
            vital.text.capitalizedFirst + " \(unit)"
                + (lines.isEmpty ? "" : "\(scene.glyphs.dot)lines at \(lines)"), .strong, in: title, on: &grid)
        func shown(_ value: VitalValue) -> Int { scene.valueText.shownHundredths(value, of: vital) }
        let figures = overview.days.map { $0[vital] }
        let spans = figures.flatMap { axis.spans(of: $0, shown) }
        let extremes = (spans.compactMap(\.self) + references.map { TrendSpan(low: shown($0), high: shown($0)) })
        let scale = VitalScale(vital, unit: scene.screen.units, spans: extremes)
        draw(spans, scale.range, references.map(shown), vital.role, favoursLow: false, in: bars, on: &grid)
        grid.put(VitalScale.label(scale.range.upperBound), .faint, in: bars.line(0))
        grid.put(VitalScale.label(scale.range.lowerBound), .faint, in: bars.line(bars.rows - 1))
        grid.put("outside", .faint, in: numbers)
        for (day, figures) in figures.enumerated() {
            guard let outside = figures?.outside, outside > 0 else { continue }
            grid.put(
                Self.short(outside, columns: axis.dayColumns - 1), .strong, at: axis.start(ofDay: day), in: numbers)
        }
    }

    private func draw(
        _ spans: [TrendSpan?], _ range: ClosedRange<Int>, _ limits: [Int], _ role: Style.Role, favoursLow: Bool,
        marks: [(cell: Int, value: Int)] = [], in area: Area, on grid: inout Grid
    ) {
        var graph = TrendGraph(
            spans: spans, range: range, limits: limits, favoursLow: favoursLow, glyphs: scene.glyphs, shades: shades,
            marks: marks)
        // Days are not connected.
        graph.breaks = Set(spans.indices)
        graph.glows = false
        let place = area.inset(left: DayAxis.labelColumns)
        graph.draw(
            Style(role), in: Area(column: place.column, row: place.row, columns: axis.columns, rows: place.rows),
            on: &grid)
    }

    /// A length of time in a few columns: "<1m", "12m", "3h".
    static func short(_ milliseconds: Int64, columns: Int) -> String {
        let minutes = milliseconds / 60_000
        let text = minutes < 1 ? "<1m" : minutes < 100 ? "\(minutes)m" : "\(minutes / 60)h"
        return text.count <= columns ? text : "!"
    }

    // MARK: Neutrophils

    private func drawNeutrophils(title: Area, points: Area, numbers: Area, on grid: inout Grid) {
        put("Neutrophils (ANC) per µL\(scene.glyphs.dot)lines at 500, 100", .strong, in: title, on: &grid)
        let counts = overview.valid.compactMap(\.neutrophilCount)
        let marks = counts.compactMap { count in
            axis.cell(of: count.sampledAt).map { (cell: $0, value: Self.power(count.perMicrolitre)) }
        }
        draw(
            [], Self.power(10)...Self.power(10_000), [Self.power(500), Self.power(100)], .plain, favoursLow: false,
            marks: marks, in: points, on: &grid)
        grid.put("10000", .faint, in: points.line(0))
        grid.put("10", .faint, in: points.line(points.rows - 1))
        grid.put("count", .faint, in: numbers)
        // The last one of a day represents it.
        for day in overview.days.indices {
            guard let count = counts.last(where: { overview.index(ofDayAt: $0.sampledAt) == day }) else { continue }
            grid.put(
                Self.short(count.perMicrolitre, columns: axis.dayColumns), .strong, at: axis.start(ofDay: day),
                in: numbers)
        }
    }

    /// A count in a few columns: "420", "1.2k", "12k".
    static func short(_ count: Int, columns: Int) -> String {
        let text =
            count < 1000 || "\(count)".count < columns
            ? "\(count)" : count < 10_000 ? "\(count / 1000).\(count / 100 % 10)k" : "\(count / 1000)k"
        return text.count <= columns ? text : "\(count / 1000)k"
    }

    /// The position of a count on a logarithmic scale, in thousandths; a count beyond is at the edge.
    ///
    /// Between the whole numbers of a power it is linear, which looks the same as the curve on a screen.
    static func power(_ count: Int) -> Int {
        var (power, unit) = (0, 1)
        let bounded = min(max(count, 10), 10_000)
        while unit * 10 <= bounded {
            unit *= 10
            power += 1
        }
        // log10 of 1 to 10, at whole numbers.
        let logarithms = [0, 301, 477, 602, 699, 778, 845, 903, 954, 1000]
        let digit = bounded / unit
        let rest = bounded % unit * (logarithms[digit] - logarithms[digit - 1]) / unit
        return power * 1000 + logarithms[digit - 1] + rest
    }
}

/// The axis of days: each has the same number of cells, whether it has 23, 24 or 25 hours.
struct DayAxis {
    private let overview: PatientOverview
    private let columnsPerCell: Int
    /// The number of cells of a day.
    let dayColumns: Int

    /// The columns of the numbers on the left.
    static let labelColumns = 8
    /// The fewest columns of a day in which a bar and its median can be distinguished.
    static let fewestDayColumns = 3

    /// Divides a width; `nil` without room for the days.
    init?(_ overview: PatientOverview, columns: Int, glyphs: GlyphSet) {
        let days = max(1, overview.days.count)
        dayColumns = min(14, (columns - Self.labelColumns) / days)
        guard dayColumns >= Self.fewestDayColumns else { return nil }
        self.overview = overview
        columnsPerCell = TrendGraph.columns(in: 1, glyphs: glyphs)
    }

    /// The number of cells of all days.
    var columns: Int { dayColumns * overview.days.count }

    /// The first cell of a day, counted from the left edge including its numbers.
    func start(ofDay day: Int) -> Int { Self.labelColumns + day * dayColumns }

    /// The cell of a time, counted from the first day; `nil` outside of the days.
    func cell(of wall: Int64) -> Int? {
        overview.place(of: wall).map { min(columns - 1, Int($0 * Double(dayColumns))) }
    }

    /// The columns of the graph for a day: a bar from the lowest to the highest value, and the median across.
    func spans(of figures: VitalDay?, _ shown: (VitalValue) -> Int) -> [TrendSpan?] {
        let count = dayColumns * columnsPerCell
        var spans = [TrendSpan?](repeating: nil, count: count)
        guard let figures, let minimum = figures.minimum, let maximum = figures.maximum else { return spans }
        if let median = figures.median {
            let value = shown(median)
            for column in (count >= 6 ? 1 : 0)..<count - 1 { spans[column] = TrendSpan(low: value, high: value) }
        }
        let middle = (count - 1) / 2
        let bar = TrendSpan(low: shown(minimum), high: shown(maximum))
        for column in middle...(count >= 8 ? middle + 1 : middle) where column < count { spans[column] = bar }
        return spans
    }
}

/// Medication and symptoms below the axis of days.
struct DayMarks {
    let scene: Scene
    let overview: PatientOverview

    /// The number of rows: none without medication and symptoms.
    var rows: Int { (medication.isEmpty ? 0 : 1) + (symptoms.isEmpty ? 0 : 1) }

    private struct Mark {
        var wall: Int64
        var text: String
        /// The rank: of two marks on one cell, the higher is drawn.
        var rank: Int
    }

    private var medication: [Mark] {
        overview.valid.compactMap { entry in
            guard case .medication(let medication) = entry.content else { return nil }
            let isAntipyretic = medication.isAntipyretic
            return Mark(
                wall: entry.taken.wallMilliseconds, text: isAntipyretic ? "A" : "m", rank: isAntipyretic ? 1 : 0)
        }
    }

    private var symptoms: [Mark] {
        overview.valid.compactMap { entry in
            guard case .symptom(let rating) = entry.content else { return nil }
            return Mark(
                wall: entry.taken.wallMilliseconds, text: rating.severity < 10 ? "\(rating.severity)" : "X",
                rank: rating.severity)
        }
    }

    /// Draws a row of each kind that has entries.
    func draw(_ axis: DayAxis, in area: Area, on grid: inout Grid) {
        var rest = area
        for (name, marks) in [("medic.", medication), ("sympt.", symptoms)] where !marks.isEmpty {
            let line = rest.takeTop(1)
            grid.put(name, .faint, in: line)
            var best: [Int: Mark] = [:]
            for mark in marks {
                guard let cell = axis.cell(of: mark.wall), best[cell].map({ mark.rank > $0.rank }) ?? true else {
                    continue
                }
                best[cell] = mark
            }
            for (cell, mark) in best { grid.put(mark.text, .strong, at: DayAxis.labelColumns + cell, in: line) }
        }
    }
}
