import Appearance
import Dashboard
import Monitoring
import TextGrid
import Vitals
import Ward
import WardMessages
import Wording

/// All beds, as sectors or lines.
struct BedsView {
    let scene: WardScene

    func draw(in area: Area, on grid: inout Grid) {
        let (places, beds) = (scene.places, scene.state.beds)
        guard !places.isEmpty else {
            let text = scene.screen.filter.isEmpty ? "Waiting for beds" : "No bed matches the filter"
            grid.put(text, .faint, at: 1, in: area)
            return
        }
        switch WardLayout(beds: places.count, columns: area.columns, rows: area.rows) {
        case .sectors(let columns, let rows):
            for (index, place) in places.enumerated() {
                let sector = Self.place(index, columns: columns, rows: rows, in: area)
                SectorView(scene: scene, bed: beds[place])
                    .draw(isSelected: beds[place].bed == scene.selected, in: sector, on: &grid)
            }
        case .lines(let columns): drawLines(columns: columns, in: area, on: &grid)
        }
    }

    /// The area of a sector; remaining cells go to the first ones.
    static func place(_ index: Int, columns: Int, rows: Int, in area: Area) -> Area {
        func part(_ number: Int, of count: Int, length: Int) -> Range<Int> {
            (number * length / count)..<((number + 1) * length / count)
        }
        let across = part(index % columns, of: columns, length: area.columns)
        let down = part(index / columns, of: rows, length: area.rows)
        return Area(
            column: area.column + across.lowerBound, row: area.row + down.lowerBound, columns: across.count,
            rows: down.count)
    }

    /// Draws a line for each bed; if they do not all fit, the part with the selected one.
    private func drawLines(columns: Int, in area: Area, on grid: inout Grid) {
        let (places, beds) = (scene.places, scene.state.beds)
        var area = area
        let capacity = area.rows * columns
        var first = 0
        if places.count > capacity, area.rows > 1 {
            let line = area.takeBottom(1)
            let room = area.rows * columns
            let selected = places.firstIndex { beds[$0].bed == scene.selected } ?? 0
            first = min(max(0, selected - room + 1), places.count - room)
            // Hidden beds are counted, so that the screen is not mistaken for the whole ward.
            let hidden = places[..<first] + places[(first + room)...]
            let urgent = hidden.count { place in
                scene.own[beds[place].bed]?.isAcknowledged == false
                    || beds[place].link.isLive && beds[place].alarms.contains(where: \.wantsAttention)
            }
            let alarms = urgent > 0 ? "\(scene.glyphs.dot)\(urgent) of them with alarms" : ""
            let text = "\(hidden.count) more \(hidden.count == 1 ? "bed" : "beds")" + alarms
            grid.put(text, urgent > 0 ? Style(.alarmMedium, .bold) : .faint, at: 1, in: line)
        }
        for (index, shown) in places.dropFirst(first).prefix(area.rows * columns).enumerated() {
            let width = area.columns / columns
            let place = Area(
                column: area.column + index % columns * width, row: area.row + index / columns,
                columns: width - (columns > 1 ? 1 : 0),
                rows: 1)
            BedLineView(scene: scene, bed: beds[shown])
                .draw(isSelected: beds[shown].bed == scene.selected, in: place, on: &grid)
        }
    }
}

/// A bed as one line: name, numbers, and the alarm or the reason for missing numbers.
struct BedLineView {
    let scene: WardScene
    let bed: BedState

    /// The least width for the numbers and time of a bed without a link.
    private static let datedColumns = 56

    func draw(isSelected: Bool, in line: Area, on grid: inout Grid) {
        var rest = line.inset(left: 2)
        grid.put(isSelected ? scene.glyphs.pointer : " ", .strong, in: line)
        let (most, share) = scene.state.hasSeveralSites ? (20, 5) : (12, 6)
        let name = rest.takeLeft(min(most, max(7, line.columns / share)))
        grid.put(
            ellipsized(scene.title(of: bed), columns: name.columns - 1, glyphs: scene.glyphs),
            isSelected ? .strong : .plain,
            in: name)
        // Without room to date old numbers, none are shown.
        let areNumbersShown = bed.link.isLive || line.columns >= Self.datedColumns
        var late: [String] = []
        for vital in [Vital.heartRate, .oxygenSaturation, .bodyTemperature] where areNumbersShown && rest.columns > 14 {
            // The pulse rate takes the place of a missing heart rate.
            let isKnown = !scene.value(vital, of: bed).digits.isEmpty
            let shown = vital == .heartRate && !isKnown ? Vital.pulseRate : vital
            let value = scene.value(shown, of: bed)
            if value.isStale { late.append("\(scene.name(shown)) \(value.note)") }
            // Two cells at least are between two numbers, the longest of which are 300, 100 and 109.4 (°F).
            let place = rest.takeLeft(vital == .bodyTemperature ? 8 : 5)
            grid.putRight(value.digits.isEmpty ? "-" : value.digits, value.style, in: place.inset(right: 1))
        }
        _ = rest.takeLeft(1)
        if let link = scene.linkText(bed) {
            put(link.text, link.style, in: rest, on: &grid)
        } else if let alarm = bed.alarms.first {
            // The marks are before the ages, which come before texts that may not fit.
            let marks = late.isEmpty ? "" : scene.glyphs.marks(of: alarm.priority) + " "
            put(
                late.isEmpty
                    ? scene.text(alarm, of: bed) : [marks + late.joined(separator: ", ")] + scene.text(alarm, of: bed),
                scene.style(alarm.priority, isUnanswered: alarm.wantsAttention), in: rest, on: &grid)
        } else {
            let remarks = scene.remarks(bed)
            let patient = bed.patient.map { [$0] } ?? []
            put(late + remarks.map(\.text) + patient, remarks.first?.style ?? .faint, in: rest, on: &grid)
        }
    }

    private func put(_ parts: [String], _ style: Style, in area: Area, on grid: inout Grid) {
        grid.put(
            fitted(parts, separator: scene.glyphs.dot, columns: area.columns, glyphs: scene.glyphs), style, in: area)
    }
}
