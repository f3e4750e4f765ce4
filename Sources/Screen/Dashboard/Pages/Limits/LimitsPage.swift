import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

extension ScreenState.Page {
    static let limits = ScreenState.Page(LimitsPage.self)
}

/// The page of limits, which can be changed there.
struct LimitsPage: ScreenPage {
    static let context = KeyContext.limits
    static let opener = Command.showLimits

    /// The selected limit.
    var selected = LimitPlace()

    func content(_ scene: Scene, in area: Area) -> any PageContent { LimitsContent(scene: scene, selected: selected) }

    mutating func move(_ move: ListMove, _ screen: inout ScreenState, in state: MonitorState) -> Bool {
        selected.moveRow(move)
    }

    mutating func handle(
        _ command: Command, _ screen: inout ScreenState, in state: MonitorState, at now: Moment
    ) -> Handling {
        let limits = state.currentLimits[selected.vital]
        switch command {
        case .selectLeft: if !selected.moveColumn(.previous) { screen.dialogs.message = "This is the first one." }
        case .selectRight: if !selected.moveColumn(.next) { screen.dialogs.message = "This is the last one." }
        case .editLimit:
            guard let setting = limits?[selected.name] else {
                screen.dialogs.message = "There is no such limit."
                return .handled()
            }
            let text = LimitEntry.text(setting, of: selected.vital, unit: screen.units)
            screen.dialogs.ask(
                .limit(selected, TextPrompt(screen.glyphs.fit(selected.text), text: text, limit: 32)),
                LimitEntry.explanation(of: selected.name))
        case .saveLimit:
            if let limits { return .handled(.keepLimit(selected.vital, limits[selected.name])) }
            screen.dialogs.message = "There is no such limit."
        case .resetLimits:
            screen.dialogs.ask(.choice(Choice("Undo all changes of limits?", ifYes: .patient(.resetLimits))))
        default: return .passed
        }
        return .handled()
    }
}

/// A place in the table of limits.
struct LimitPlace: Hashable, Sendable {
    /// The row.
    private(set) var row = 0
    /// The column.
    private(set) var column = 1

    /// Creates the second place.
    init() {}

    /// The place of a limit; `nil` if the table has none.
    init?(_ vital: Vital, _ name: LimitSetting.Name) {
        guard let row = MonitorSettings.Limits.vitals.firstIndex(of: vital),
            let column = LimitSetting.Name.allCases.firstIndex(of: name)
        else { return nil }
        (self.row, self.column) = (row, column)
    }

    /// The vital of the row.
    var vital: Vital { MonitorSettings.Limits.vitals[row] }
    /// The rule of the column.
    var name: LimitSetting.Name { LimitSetting.Name.allCases[column] }

    /// Moves to another row.
    ///
    /// - Returns: Whether there was another one.
    mutating func moveRow(_ move: ListMove) -> Bool {
        let before = row
        row = move.place(from: row, page: 4, last: MonitorSettings.Limits.vitals.count - 1)
        return row != before
    }

    /// Moves to another column.
    ///
    /// - Returns: Whether there was another one.
    mutating func moveColumn(_ move: ListMove) -> Bool {
        let before = column
        column = move.place(from: column, page: 1, last: LimitSetting.Name.allCases.count - 1)
        return column != before
    }

    /// The name of the rule: "SpO₂ severe low".
    var text: String { "\(vital.shortText) \(name.text)" }
}

/// A table of vitals and their limits with priority and delay, and the other rules.
private struct LimitsContent: PageContent {
    let scene: Scene
    let selected: LimitPlace

    let title = "LIMITS"

    /// Draws the table, the selected limit as text, and the rules.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        // If the table does not fit, the first line shows the selected limit.
        grid.rest(in: area)
        var rest = area
        // The table needs a line for its head and one for each vital; with fewer, only the selected rule is shown.
        let vitals = MonitorSettings.Limits.vitals
        let names = shownNames(columns: area.columns)
        let cell = min(18, (area.columns - Self.nameColumns) / names.count)
        if area.rows >= vitals.count + 2, cell >= 7 {
            drawHead(names, cell: cell, in: rest.takeTop(1), on: &grid)
            for vital in vitals { draw(vital, names, cell: cell, in: rest.takeTop(1), on: &grid) }
            if rest.rows >= 6 { _ = rest.takeTop(1) }
        }
        for line in wrapped(selectedText, columns: rest.columns, glyphs: scene.glyphs).prefix(rest.rows) {
            grid.put(line, .strong, in: rest.takeTop(1))
        }
        if rest.rows >= 4 { _ = rest.takeTop(1) }
        for rule in rules(isWhole: names.count == LimitSetting.Name.allCases.count) {
            for line in wrapped(rule, columns: rest.columns, glyphs: scene.glyphs) {
                grid.put(line, .plain, in: rest.takeTop(1))
            }
        }
        return PageView.Extent(rows: area.rows - rest.rows)
    }

    private static let nameColumns = 8

    /// The rules that fit: all, or those around the selected one; the arrows lead to the others.
    private func shownNames(columns: Int) -> [LimitSetting.Name] {
        let names = LimitSetting.Name.allCases
        // A delay is part of a limit's text.
        if (columns - Self.nameColumns) / names.count >= 15 { return names }
        let isLimit = selected.name.limit != nil
        return names.filter { ($0.limit != nil) == isLimit }
    }

    private func drawHead(_ names: [LimitSetting.Name], cell: Int, in line: Area, on grid: inout Grid) {
        var rest = line.inset(left: Self.nameColumns)
        for name in names {
            let words = cell >= 12 ? name.text.uppercased() : name.shortText
            grid.put(words, .faint, in: rest.takeLeft(cell))
        }
    }

    private func draw(
        _ vital: Vital, _ names: [LimitSetting.Name], cell: Int, in line: Area, on grid: inout Grid
    ) {
        var rest = line
        grid.put(scene.glyphs.fit(vital.shortText), Style(vital.role, .bold), in: rest.takeLeft(Self.nameColumns))
        for name in names {
            guard let setting = scene.state.currentLimits[vital]?[name] else { continue }
            let isSelected = selected.vital == vital && selected.name == name
            let isChanged = scene.state.isChanged(name, of: vital)
            let text = text(setting, of: vital, isChanged: isChanged, columns: cell - 1)
            let base: Style = !setting.isOn ? .faint : isChanged ? .strong : .plain
            let box = rest.takeLeft(cell).inset(right: 1)
            grid.record(.limit(vital, name), in: box)
            if isSelected {
                grid.fill(box, " ", .selected)
                grid.rest(in: box)
            }
            grid.put(text, isSelected ? .selected : base, in: box)
        }
    }

    /// A rule as a cell: "90* ▲▲ 15 s", "20 in 60 s ▲▲", "5 min"; the star marks a change.
    private func text(_ setting: LimitSetting, of vital: Vital, isChanged: Bool, columns: Int) -> String {
        let star = isChanged ? "*" : ""
        var parts = ["off\(star)"]
        switch setting {
        case .limit(_, let limit):
            guard let value = limit.value else { break }
            parts = [scene.valueText.limit(value, of: vital) + star, marks(limit.priority)]
            if limit.delay > .zero { parts.append("\(limit.delay.components.seconds) s") }
        case .fall(let change), .rise(let change):
            guard let amount = change.amount else { break }
            let number = scene.valueText.difference(amount, of: vital)
            let marks = marks(change.priority)
            let whole = "\(number) in \(LimitEntry.time(change.within))\(star)"
            let isWhole = columnWidth(of: "\(whole) \(marks)") <= columns
            parts = [isWhole ? whole : "\(number)/\(change.within.components.seconds)s\(star)", marks]
        case .flatLine(let duration):
            guard let duration else { break }
            parts = [LimitEntry.time(duration) + star]
        }
        return (1...parts.count).reversed().lazy.map { parts.prefix($0).joined(separator: " ") }
            .first { columnWidth(of: $0) <= columns } ?? parts[0]
    }

    private func marks(_ priority: AlarmPriority) -> String { scene.glyphs.marks(of: priority) }

    /// The selected rule in a sentence: "SpO₂ low: below 90 % for 15 s, medium priority".
    private var selectedText: String {
        let name = scene.glyphs.fit(selected.text)
        let isChanged = scene.state.isChanged(selected.name, of: selected.vital)
        let changed = isChanged ? "; changed here: s keeps it in the settings, R takes it back" : ""
        guard let setting = scene.state.currentLimits[selected.vital]?[selected.name],
            let words = text(setting, selected.vital)
        else { return "\(name): off, no alarm\(changed)" }
        return "\(name): \(words)\(changed)"
    }

    /// The condition of the alarm: "below 90 % for 15 s, medium priority"; `nil` if the rule is off.
    private func text(_ setting: LimitSetting, _ vital: Vital) -> String? {
        let unit = vital.unitText(scene.screen.units, scene.glyphs)
        switch setting {
        case .limit(let kind, let limit):
            guard let value = limit.value else { return nil }
            let delay = limit.delay > .zero ? " for \(limit.delay.components.seconds) s" : ""
            let side = kind.isLow ? "below" : "above"
            let number = scene.valueText.limit(value, of: vital)
            return "\(side) \(number) \(unit)\(delay), \(limit.priority.rawValue) priority"
        case .fall(let change), .rise(let change):
            guard let amount = change.amount else { return nil }
            let number = scene.valueText.difference(amount, of: vital)
            let within = LimitEntry.time(change.within)
            return "by \(number) \(unit) or more within \(within), \(change.priority.rawValue) priority"
        case .flatLine(let duration):
            return duration.map { "not one step for \(LimitEntry.time($0)), low priority: check the sensor's place" }
        }
    }

    /// The other rules: the schedule, the fever rule, the neutrophil count.
    private func rules(isWhole: Bool) -> [String] {
        let state = scene.state
        let schedule = ScheduleLabels(scene)
        let isLimit = selected.name.limit != nil
        let more = isWhole ? "" : isLimit ? "; to the right: fall, rise, flat line" : "; to the left: low and high"
        return [
            schedule.sentence + more, schedule.all, feverRule,
            NeutrophilLabels(state, time: scene.time).sentence,
        ]
        .compactMap(\.self).map(scene.glyphs.fit)
    }

    private var feverRule: String {
        let fever = scene.state.settings.fever
        let unit = Vital.bodyTemperature.unitText(scene.screen.units, scene.glyphs)
        func number(_ value: VitalValue) -> String { scene.valueText.limit(value, of: .bodyTemperature) }
        let atLeast = scene.glyphs.atLeast
        switch fever.rule {
        case .bedside:
            let readings = "\(atLeast) \(number(fever.threshold)) \(unit) in \(fever.confirmationCount) readings"
            let minutes = fever.sustainedDuration.components.seconds / 60
            return "Fever: \(readings), or \(atLeast) \(number(fever.sustainedThreshold)) \(unit) for \(minutes) min"
                + recordedPart
        case .neutroFeverGuard:
            return "Fever: \(atLeast) \(number(fever.limits[0])) \(unit) once, "
                + "or \(atLeast) \(number(fever.limits[1])) \(unit) for an hour (NeutroFeverGuard rule)" + recordedPart
        }
    }

    /// How much of the last hour is known, while that is too little to judge it.
    private var recordedPart: String {
        guard case .insufficientData(let minutes, let window)? = scene.state.feverProgress else { return "" }
        return "; \(minutes) of \(window) min are recorded"
    }
}

extension LimitSetting.Name {
    /// The rule in six columns at most.
    var shortText: String {
        switch self {
        case .fall: "FALL"
        case .rise: "RISE"
        case .flatLine: "FLAT"
        case .severeLow: "SEV.LO"
        case .low: "LOW"
        case .high: "HIGH"
        case .severeHigh: "SEV.HI"
        }
    }
}
