import Appearance
import Base
import Dashboard
import Monitoring
import TextGrid
import Vitals
import Ward
import WardMessages
import Wording

/// A bed as a sector of the screen.
struct SectorView {
    let scene: WardScene
    let bed: BedState

    func draw(isSelected: Bool, in area: Area, on grid: inout Grid) {
        let alarm = bed.link.isLive ? bed.alarms.first : nil
        let own = scene.own[bed.bed]
        let role = alarm?.priority.role ?? own?.kind.priority.role
        drawFrame(isSelected: isSelected, role, in: area, on: &grid)
        var rest = area.inset(left: 2, right: 2, top: 1)
        drawState(alarm, in: rest.takeTop(1), on: &grid)
        // Further alarms where there is room.
        if bed.link.isLive, rest.rows >= 10 {
            for alarm in bed.alarms.dropFirst().prefix(2) { drawAlarm(alarm, in: rest.takeTop(1), on: &grid) }
        }
        drawRemarks(in: rest.takeBottom(rest.rows >= 3 ? 1 : 0), on: &grid)
        let vitals = scene.vitals(of: bed)
        let pressure = rest.rows >= 5 ? scene.pressureText(bed, columns: rest.columns) : nil
        // The line of the pressure is taken from the trend, so that the numbers keep their size.
        let graphRows = max(2, rest.rows / 3) - (pressure == nil || rest.rows < 9 ? 0 : 1)
        if let pressure {
            grid.put(pressure.text, pressure.style, in: rest.takeBottom(1))
        } else if scene.hasPressure, (5..<9).contains(rest.rows) {
            // The numbers of all beds are of one size.
            _ = rest.takeBottom(1)
        }
        if rest.rows >= 7, let main = vitals.first(where: { bed.trends[$0] != nil }) {
            let graph = rest.takeBottom(graphRows)
            drawTrend(alarm?.vital.flatMap { bed.trends[$0] == nil ? nil : $0 } ?? main, in: graph, on: &grid)
        }
        drawVitals(vitals, in: rest, on: &grid)
    }

    private func drawFrame(isSelected: Bool, _ role: Style.Role?, in area: Area, on grid: inout Grid) {
        let frame = scene.glyphs.frame
        let style = isSelected ? Style.strong : role.map { Style($0) } ?? Style(.frame)
        let top = area.line(0)
        grid.fill(top.inset(left: 1, right: 1), frame.horizontal, style)
        grid.set(frame.corners[0], style, column: area.column, row: area.row)
        grid.set(frame.corners[1], style, column: area.column + area.columns - 1, row: area.row)
        for row in area.row + 1..<area.row + area.rows {
            grid.set(frame.vertical, style, column: area.column, row: row)
        }
        let title = [scene.title(of: bed), bed.patient].compactMap { $0 }
        let text = fitted(title, separator: scene.glyphs.dot, columns: area.columns - 6, glyphs: scene.glyphs)
        grid.put(" \(isSelected ? "\(scene.glyphs.pointer) " : "")\(text) ", style.bold, at: 2, in: top)
    }

    private func drawState(_ alarm: WardAlarm?, in line: Area, on grid: inout Grid) {
        if let link = scene.linkText(bed) {
            if link.style.attributes.contains(.flashing) { grid.fill(line, " ", link.style) }
            let text = fitted(link.text, separator: scene.glyphs.dot, columns: line.columns, glyphs: scene.glyphs)
            grid.put(text, link.style, in: line)
        } else if let alarm {
            drawAlarm(alarm, in: line, on: &grid)
        } else {
            grid.put("No alarms", .faint, in: line)
        }
    }

    private func drawAlarm(_ alarm: WardAlarm, in line: Area, on grid: inout Grid) {
        let style = scene.style(alarm.priority, isUnanswered: alarm.wantsAttention)
        if style.attributes.contains(.flashing) { grid.fill(line, " ", style) }
        let text = fitted(
            scene.text(alarm, of: bed), separator: scene.glyphs.dot, columns: line.columns, glyphs: scene.glyphs)
        grid.put(text, style, in: line)
    }

    private func drawRemarks(in line: Area, on grid: inout Grid) {
        var offset = 0
        for remark in scene.remarks(bed) {
            let gap = offset == 0 ? "" : scene.glyphs.dot
            guard offset + columnWidth(of: gap + remark.text) <= line.columns else { break }
            offset = grid.put(gap, .faint, at: offset, in: line)
            offset = grid.put(scene.glyphs.fit(remark.text), remark.style, at: offset, in: line)
        }
    }

    private func drawVitals(_ vitals: [Vital], in area: Area, on grid: inout Grid) {
        // In a single row the name is beside the number.
        let count = max(1, area.columns / (area.rows == 1 ? 11 : 8))
        // Where not all have room, the one in alarm has.
        let alarming = vitals.dropFirst(count).first { vital in bed.alarms.first?.vital == vital }
        let shown = vitals.prefix(alarming == nil ? count : count - 1) + [alarming].compactMap(\.self)
        var rest = area
        for (index, vital) in shown.enumerated() {
            let place = rest.takeLeft(rest.columns / (shown.count - index))
            ValueView(scene: scene, bed: bed, vital: vital, isFollowed: index < shown.count - 1)
                .draw(in: place, on: &grid)
        }
    }

    private func drawTrend(_ vital: Vital, in area: Area, on grid: inout Grid) {
        guard let trend = bed.trends[vital], bed.link.showsOldValues else { return }
        var area = area
        let label = area.takeLeft(min(9, area.columns / 4))
        grid.put(scene.name(vital), .faint, in: label)
        grid.put("30 min", .faint, in: label.inset(top: 1))
        TrendStrip(scene: scene, bed: bed).draw(trend, of: vital, in: area, on: &grid)
    }
}

/// A vital's number with its name; on a bed's page always with its age and its source, among others where it is old or in
/// doubt.
struct ValueView {
    let scene: WardScene
    let bed: BedState
    let vital: Vital

    /// The columns after a number that another one follows: wider than between its digits, so that 107 beside 84 is not
    /// read as one number.
    static let gap = 3
    /// Whether another number is beside it.
    var isFollowed = false
    /// Whether age and source are shown in any case.
    var isDetailed = false

    func draw(in area: Area, on grid: inout Grid) {
        let value = scene.value(vital, of: bed)
        var rest = area
        let digits = value.digits.isEmpty ? "-" : value.digits
        if area.rows == 1 {
            let offset = grid.put("\(scene.name(vital)) ", .faint, in: area)
            // A truncated number would be a wrong one.
            guard offset + columnWidth(of: digits) <= area.columns else { return }
            grid.put(digits, value.style, at: offset, in: area)
            return
        }
        let title = rest.takeTop(area.rows >= 3 ? 1 : 0)
        let note = rest.takeBottom(1)
        // The source is dropped first.
        let source = rest.takeBottom(isDetailed && rest.rows >= 4 ? 1 : 0)
        grid.put(scene.name(vital), .faint, in: title)
        // A number without a name could be anything.
        let isNoted = isDetailed || !value.isPlain
        let named = isNoted ? "\(scene.name(vital)) \(value.note)" : scene.name(vital)
        let isTight = columnWidth(of: named) >= note.columns
        let words = !title.isEmpty ? isNoted ? value.note : "" : isTight ? named.exchanging(" at ", for: " ") : named
        let sensor = value.digits.isEmpty ? nil : bed.source(of: vital)
        if isDetailed {
            grid.put(ellipsized(words, columns: note.columns - 1, glyphs: scene.glyphs), .faint, in: note)
            if let sensor { grid.put(sensor.shortName(limit: max(1, source.columns - 1)), .faint, in: source) }
        } else {
            let name = bed.link.isLive && isNoted ? sensor.map { [$0.shortName()] } ?? [] : []
            let text = fitted(
                [words] + name, separator: scene.glyphs.dot, columns: note.columns - 1, glyphs: scene.glyphs)
            grid.put(text, .faint, in: note)
        }
        let widest = vital.traits.widestNumber
        let columns = columnWidth(of: digits)
        // A truncated number would be a wrong one.
        guard columns <= rest.columns else { return }
        if value.style.attributes.contains(.flashing) {
            grid.fill(
                rest.inset(left: -1, right: isFollowed ? min(Self.gap - 1, rest.columns - columns) : 0), " ",
                value.style)
        }
        grid.putLarge(
            digits, widest: widest.count > digits.count ? widest : digits, value.style,
            in: rest.inset(right: min(isFollowed ? Self.gap : 1, rest.columns - columns)), glyphs: scene.glyphs)
    }
}

/// The last half hour of a vital, or its last day from the store.
struct TrendStrip {
    let scene: WardScene
    let bed: BedState
    var isHistory = false

    func draw(_ trend: Trend, of vital: Vital, in area: Area, on grid: inout Grid) {
        let columns = Grid.trendColumns(in: area.columns, glyphs: scene.glyphs)
        let samples = trend.samples(
            from: scene.now.advanced(by: isHistory ? .zero - BedHistory.reach : .seconds(-1800)), to: scene.now,
            columns: columns, holding: isHistory ? BedHistory.finest : .seconds(15))
        // Without a present value, no part of it may look like one.
        let style = bed.link.isLive && !isHistory ? Style(vital.role) : .faint
        grid.putTrend(
            samples, of: vital, limits: bed.lines(of: vital), units: scene.screen.units, style, in: area,
            glyphs: scene.glyphs)
    }
}
