import Monitoring
import Vitals

/// The page of limits: a table of vitals and their limits with priority and delay, and what else judges.
struct LimitsPageView {
    let scene: Scene

    /// Draws the table, the selected limit in words, and the rules.
    func draw(in area: Area, on grid: inout Grid) {
        // Where the table has no room, the selected limit is told in the first line.
        grid.rest(in: area)
        var rest = area
        // The table needs a line for its head and one for each vital; below that only the selected limit is told.
        let vitals = MonitorSettings.Limits.vitals
        let cell = min(18, (area.columns - Self.nameColumns) / LimitKind.allCases.count)
        if area.rows >= vitals.count + 2, cell >= 7 {
            drawHead(cell: cell, in: rest.takeTop(1), on: &grid)
            for vital in vitals { draw(vital, cell: cell, in: rest.takeTop(1), on: &grid) }
            if rest.rows >= 6 { _ = rest.takeTop(1) }
        }
        for line in wrapped(selectedWords, columns: rest.columns, glyphs: scene.glyphs).prefix(rest.rows) {
            grid.put(line, .strong, in: rest.takeTop(1))
        }
        if rest.rows >= 4 { _ = rest.takeTop(1) }
        for rule in rules {
            for line in wrapped(rule, columns: rest.columns, glyphs: scene.glyphs) {
                grid.put(line, .plain, in: rest.takeTop(1))
            }
        }
    }

    private static let nameColumns = 7

    private func drawHead(cell: Int, in line: Area, on grid: inout Grid) {
        var rest = line.inset(left: Self.nameColumns)
        for kind in LimitKind.allCases {
            let words = cell >= 12 ? kind.words.uppercased() : kind.shortWords
            grid.put(words, .faint, in: rest.takeLeft(cell))
        }
    }

    private func draw(_ vital: Vital, cell: Int, in line: Area, on grid: inout Grid) {
        var rest = line
        grid.put(scene.glyphs.fit(vital.shortWords), Style(vital.role, .bold), in: rest.takeLeft(Self.nameColumns))
        for kind in LimitKind.allCases {
            guard let limit = scene.state.currentLimits[vital]?[kind] else { continue }
            let place = scene.screen.selectedLimit
            let isSelected = place.vital == vital && place.kind == kind
            let isChanged = scene.state.isChanged(kind, of: vital)
            let text = text(limit, of: vital, isChanged: isChanged, columns: cell - 1)
            let base: Style = limit.value == nil ? .faint : isChanged ? .strong : .plain
            let box = rest.takeLeft(cell).inset(right: 1)
            if isSelected {
                grid.fill(box, " ", Style.strong.reversed)
                grid.rest(in: box)
            }
            grid.put(text, isSelected ? .strong.reversed : base, in: box)
        }
    }

    /// A limit as a cell: "90 ▲▲ 15 s*"; the star says that it was changed.
    private func text(_ limit: AlarmLimit, of vital: Vital, isChanged: Bool, columns: Int) -> String {
        let star = isChanged ? "*" : ""
        guard let value = limit.value else { return "off\(star)" }
        let number = scene.valueText.limit(value, of: vital) + star
        let marks = AlarmWords.marks(of: limit.priority, glyphs: scene.glyphs)
        let seconds = limit.delay.components.seconds
        let parts = [number, marks] + (seconds > 0 ? ["\(seconds) s"] : [])
        return (1...parts.count).reversed().lazy.map { parts.prefix($0).joined(separator: " ") }
            .first { columnWidth(of: $0) <= columns } ?? number
    }

    /// The selected limit in a sentence: "SpO₂ low: below 90 % for 15 s, medium priority".
    private var selectedWords: String {
        let place = scene.screen.selectedLimit
        let limit = scene.state.currentLimits[place.vital]?[place.kind] ?? AlarmLimit(nil, .low)
        let name = scene.glyphs.fit(place.words)
        let changed = scene.state.isChanged(place.kind, of: place.vital) ? "; changed until Bedside ends" : ""
        guard let value = limit.value else { return "\(name): off, no alarm\(changed)" }
        let number = "\(scene.valueText.limit(value, of: place.vital)) \(place.vital.unitText(scene.screen))"
        let delay = limit.delay > .zero ? " for \(limit.delay.components.seconds) s" : ""
        let side = place.kind.isLow ? "below" : "above"
        return "\(name): \(side) \(number)\(delay), \(limit.priority.rawValue) priority\(changed)"
    }

    /// What else judges: the profile, the fever rule, the neutrophil count.
    private var rules: [String] {
        let state = scene.state
        let profile = state.profile.map { "Limits of the time of day: \(harmlessText($0.name, limit: 32))" }
        return [profile ?? "Limits of the whole day", feverRule, NeutrophilWords(state, time: scene.time).sentence]
            .map(scene.glyphs.fit)
    }

    private var feverRule: String {
        let fever = scene.state.settings.fever
        let unit = Vital.bodyTemperature.unitText(scene.screen)
        func number(_ value: VitalValue) -> String { scene.valueText.limit(value, of: .bodyTemperature) }
        let atLeast = scene.glyphs.atLeast
        switch fever.rule {
        case .bedside:
            let readings = "\(atLeast) \(number(fever.threshold)) \(unit) in \(fever.confirmationCount) readings"
            let minutes = fever.sustainedDuration.components.seconds / 60
            return "Fever: \(readings), or \(atLeast) \(number(fever.sustainedThreshold)) \(unit) for \(minutes) min"
        case .neutroFeverGuard:
            return "Fever: \(atLeast) \(number(fever.limits[0])) \(unit) once, "
                + "or \(atLeast) \(number(fever.limits[1])) \(unit) for an hour (NeutroFeverGuard rule)"
        }
    }
}

extension LimitKind {
    /// The limit in six columns at most.
    var shortWords: String {
        switch self {
        case .severeLow: "SEV.LO"
        case .low: "LOW"
        case .high: "HIGH"
        case .severeHigh: "SEV.HI"
        }
    }
}
