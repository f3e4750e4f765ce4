import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

extension ScreenState.Page {
    static let alarms = ScreenState.Page(AlarmsPage.self)
}

/// The page of alarms: every alarm, suspicion, snooze and pause, to be answered one by one.
struct AlarmsPage: ScreenPage {
    static let context = KeyContext.alarms
    static let opener = Command.showAlarms

    /// The selected row.
    var cursor = ListCursor<AlarmItem.ID>()

    func content(_ scene: Scene, in area: Area) -> any PageContent { AlarmsContent(scene: scene, cursor: cursor) }

    func keyLabel(of command: Command, usual: String, _ scene: Scene) -> String? {
        if command == .pauseForCare, scene.selectedSensor == nil { return nil }
        return command == .snooze ? deferralLabel(scene) ?? usual : usual
    }

    /// What the key that silences does with a selected reminder of a blood count: until when, or the end of that.
    private func deferralLabel(_ scene: Scene) -> String? {
        let items = AlarmItem.all(in: scene.state)
        guard !items.isEmpty else { return nil }
        let isDeferred = scene.state.signal.snoozes.contains { $0.key.kind == .labDue }
        switch items[cursor.place(in: items.map(\.id))] {
        case .alarm(let alarm) where alarm.kind == .labDue:
            return isDeferred ? "remind now" : "defer to \(scene.time.clock(scene.state.nextLabReminder).prefix(5))"
        case .snooze(let snooze) where snooze.key.kind == .labDue: return "remind now"
        case .alarm, .snooze, .care: return nil
        }
    }

    mutating func move(_ move: ListMove, _ screen: inout ScreenState, in state: MonitorState) -> Bool {
        cursor.move(move, in: AlarmItem.all(in: state).map(\.id))
    }

    mutating func handle(
        _ command: Command, _ screen: inout ScreenState, in state: MonitorState, at now: Moment
    ) -> Handling {
        guard [.acknowledgeOne, .snooze, .declareOver, .pauseForCare].contains(command) else { return .passed }
        let items = AlarmItem.all(in: state)
        guard !items.isEmpty else {
            screen.dialogs.message = "There is no alarm here."
            return .handled()
        }
        let item = items[cursor.place(in: items.map(\.id))]
        cursor.selected = item.id
        return .handled(perform(command, on: item, &screen.dialogs, in: state))
    }

    private func perform(
        _ command: Command, on item: AlarmItem, _ dialogs: inout Dialogs, in state: MonitorState
    ) -> ScreenWish? {
        switch (command, item) {
        case (.pauseForCare, _):
            if let sensor = item.sensor { return ScreenState.care(sensor, in: state) }
            dialogs.message = "This alarm comes from no sensor."
        case (.acknowledgeOne, .alarm(let alarm)):
            if alarm.acknowledgedAt != nil { dialogs.message = "It is acknowledged already." }
            if alarm.phase != .pending { return .patient(.acknowledge(alarm.id)) }
            dialogs.message = "It is only suspected: there is nothing to acknowledge yet."
        case (.acknowledgeOne, .snooze(let snooze)), (.snooze, .snooze(let snooze)):
            return .patient(.endSnooze(snooze.key))
        case (.acknowledgeOne, .care(let sensor, _)): return .patient(.endCarePause(address: sensor.address))
        case (.snooze, .alarm(let alarm)):
            if state.signal.snoozes.contains(where: { $0.key == alarm.snoozeKey }) {
                return .patient(.endSnooze(alarm.snoozeKey))
            }
            if alarm.phase != .pending, alarm.phase != .ended { return .patient(.snooze(alarm.id, nil)) }
            dialogs.message = "It does not sound: there is nothing to snooze."
        case (.declareOver, .alarm(let alarm)) where alarm.kind.isFever && alarm.phase != .ended:
            dialogs.ask(
                .choice(Choice("Declare this fever over?", ifYes: .patient(.clear(alarm.id)))),
                "The next reading that meets the rule begins a new fever.")
        case (.declareOver, _):
            dialogs.message = "Only a fever can be declared over; other alarms end with their cause."
        case (.snooze, .care): dialogs.message = "This pause for care is no alarm: there is nothing to snooze."
        default: break
        }
        return nil
    }
}

/// The alarms, each with all its facts in two lines, the worst first.
private struct AlarmsContent: PageContent {
    let scene: Scene
    let cursor: ListCursor<AlarmItem.ID>

    let title = "ALARMS"

    /// Draws as many rows as fit around the selected one.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        let items = AlarmItem.all(in: scene.state)
        guard !items.isEmpty else {
            grid.put("No alarms, snoozes or pauses.", .faint, in: area)
            return PageView.Extent(rows: 1)
        }
        let height = area.rows >= 4 ? 2 : 1
        let shown = max(1, area.rows / height)
        let selected = cursor.place(in: items.map(\.id))
        let top = max(0, min(selected - shown / 2, items.count - shown))
        for (line, index) in (top..<min(items.count, top + shown)).enumerated() {
            let place = area.inset(top: line * height)
            grid.record(.alarm(index), in: place.inset(bottom: max(0, place.rows - height)))
            draw(items[index], isSelected: index == selected, rows: height, in: place, on: &grid)
        }
        return PageView.Extent(
            rows: min(shown, items.count) * height, scroll: ScrollBar(top: top, shown: shown, total: items.count))
    }

    private func draw(_ item: AlarmItem, isSelected: Bool, rows: Int, in area: Area, on grid: inout Grid) {
        let line = area.line(0)
        // The line of an alarm keeps the alarm's own style.
        if isSelected { grid.select(line.inset(right: line.columns - 2), pointer: scene.glyphs.pointer) }
        let text = line.inset(left: 2)
        switch item {
        case .alarm(let alarm): draw(alarm, rows: rows, in: area.inset(left: 2), on: &grid)
        case .snooze(let snooze):
            let word = snooze.key.kind == .labDue ? "DEFERRED" : "SILENCED"
            let words = "\(scene.glyphs.crossed) \(word) \(scene.glyphs.fit(snooze.key.text))"
            let end =
                "until \(scene.time.clock(snooze.until))\(scene.glyphs.dot)\(keys(.snooze, .acknowledgeOne)) ends it"
            put(words, end, rows: rows, in: text, below: area.line(1).inset(left: 6), on: &grid)
        case .care(let sensor, let until):
            let words = "\(scene.glyphs.crossed) HELD FOR CARE \(sanitized(sensor.name, limit: 40))"
            let end =
                "until \(scene.time.clock(until))\(scene.glyphs.dot)\(keys(.pauseForCare, .acknowledgeOne)) ends it"
            put(words, end, rows: rows, in: text, below: area.line(1).inset(left: 6), on: &grid)
        }
    }

    private func keys(_ one: Command, _ other: Command) -> String {
        "\(scene.screen.keys.name(of: one)) or \(scene.screen.keys.name(of: other))"
    }

    private func put(
        _ words: String, _ end: String, rows: Int, in line: Area, below: Area, on grid: inout Grid
    ) {
        let glyphs = scene.glyphs
        let whole = rows == 1 ? words + glyphs.dot + end : words
        grid.put(ellipsized(whole, columns: line.columns, glyphs: glyphs), .strong, in: line)
        if rows > 1 { grid.put(ellipsized(end, columns: below.columns, glyphs: glyphs), .plain, in: below) }
    }

    private func draw(_ alarm: Alarm, rows: Int, in area: Area, on grid: inout Grid) {
        let words = AlarmLabels(alarm, scene: scene)
        let facts =
            [contact(for: alarm), deferralText(alarm)].compactMap(\.self) + words.facts
            + [stateText(alarm)].filter { !$0.isEmpty }
        let line = area.line(0)
        let isPending = alarm.phase == .pending
        let style = isPending ? Style.plain : AlarmLook.line(of: alarm, scene.state, at: scene.now)
        var statement = words
        statement.facts = rows == 1 ? facts : []
        let shown = statement.line(columns: line.columns - 2, glyphs: scene.glyphs)
        grid.put(" \(shown) ", style, in: line)
        guard rows > 1 else { return }
        let below = area.line(1).inset(left: 4)
        let more = fitted(facts, separator: scene.glyphs.dot, columns: below.columns, glyphs: scene.glyphs)
        grid.put(more, .plain, in: below)
    }

    /// The contact for a fever; `nil` for other alarms.
    private func contact(for alarm: Alarm) -> String? {
        guard alarm.kind.isFever, alarm.phase != .pending, let first = scene.state.settings.contacts.first else {
            return nil
        }
        let key = scene.screen.keys.name(of: .showContacts)
        let others = scene.state.settings.contacts.count > 1 && !key.isEmpty ? " (\(key): others)" : ""
        return scene.glyphs.fit("call \(first.shortText)") + others
    }

    /// How a reminder of a blood count is deferred, and until when; `nil` for other alarms, and if it is.
    private func deferralText(_ alarm: Alarm) -> String? {
        let key = scene.screen.keys.name(of: .snooze)
        guard alarm.kind == .labDue, !key.isEmpty,
            !scene.state.signal.snoozes.contains(where: { $0.key == alarm.snoozeKey })
        else { return nil }
        return "\(key) defers it to \(scene.time.clock(scene.state.nextLabReminder).prefix(5))"
    }

    private func stateText(_ alarm: Alarm) -> String {
        switch alarm.state {
        case .pending: "only suspected"
        case .acknowledged: alarm.acknowledgedAt.map { "acknowledged at \(scene.time.clock($0))" } ?? ""
        case .active, .suspended, .ended: ""
        }
    }
}

/// A row on the page of alarms: something to answer, or an answer that can be withdrawn.
enum AlarmItem: Hashable, Identifiable {
    /// An alarm, a latched one, or a suspicion.
    case alarm(Alarm)
    /// A snoozed kind of alarm.
    case snooze(AlarmSignal.Snooze)
    /// A sensor whose alarms are held for care.
    case care(SensorIdentity, until: Moment)

    /// Identifies a row while its content changes.
    enum ID: Hashable {
        case alarm(Alarm.ID)
        case snooze(SnoozeKey)
        case care(address: String)
    }

    var id: ID {
        switch self {
        case .alarm(let alarm): .alarm(alarm.id)
        case .snooze(let snooze): .snooze(snooze.key)
        case .care(let sensor, _): .care(address: sensor.address)
        }
    }

    /// The sensor of a care pause in this row.
    var sensor: SensorIdentity? {
        switch self {
        case .alarm(let alarm): alarm.isOfEntry ? nil : alarm.sensor
        case .snooze: nil
        case .care(let sensor, _): sensor
        }
    }

    /// Every row: the alarms as in the alarm line, those that others cover, pauses and snoozes, suspicions.
    static func all(in state: MonitorState) -> [AlarmItem] {
        let shown = state.shownAlarms
        let known = Set(shown.map(\.id))
        let others = state.alarms.filter { !known.contains($0.id) }
        let cares = state.sensors.compactMap { sensor in
            state.carePause(address: sensor.identity.address).map { AlarmItem.care(sensor.identity, until: $0) }
        }
        return (shown + others.filter { $0.phase != .pending }).map(AlarmItem.alarm)
            + state.signal.snoozes.map(AlarmItem.snooze) + cares
            + others.filter { $0.phase == .pending }.map(AlarmItem.alarm)
    }
}
