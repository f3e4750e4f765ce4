import Appearance
import Base
import Entries
import Monitoring
import TextGrid
import Vitals
import Wording

extension ScreenState.Page {
    static let entries = ScreenState.Page(EntriesPage.self)
}

/// The page of what is measured and typed by hand.
struct EntriesPage: ScreenPage {
    static let context = KeyContext.entries
    static let opener = Command.showEntries

    /// The selected row.
    var cursor = ListCursor<EntryItem>()

    func content(_ scene: Scene, in area: Area) -> any PageContent { EntriesContent(scene: scene, cursor: cursor) }

    mutating func move(_ move: ListMove, _ screen: inout ScreenState, in state: MonitorState) -> Bool {
        cursor.move(move, in: EntryItem.all(in: state))
    }

    mutating func handle(
        _ command: Command, _ screen: inout ScreenState, in state: MonitorState, at now: Moment
    ) -> Handling {
        let items = EntryItem.all(in: state)
        let item = items[cursor.place(in: items)]
        switch command {
        case .chooseEntry:
            switch item {
            case .kind(let kind): screen.beginEntry(kind)
            case .entry(let id): screen.askToRetract(id, in: state)
            }
        case .retractEntry:
            // Without a selection the last entry is retracted, which may have been mistyped.
            if case .entry(let id) = item {
                screen.askToRetract(id, in: state)
            } else {
                screen.askToRetractLast(in: state)
            }
        case .nextRecordSubject:
            // The list below the kinds has no place for further kinds: they are on the page of the record.
            screen.pages.show(.record)
            screen.pages[RecordPage.self].showNextSubject()
        case .correctEntry:
            guard case .entry(let id) = item,
                let entry = state.patientRecord.entries.first(where: { $0.id == id })
            else {
                screen.dialogs.message = "Select the entry to correct."
                return .handled()
            }
            screen.beginCorrection(of: entry)
        case .confirmEntry:
            let selected: RecordEntry.ID? = if case .entry(let id) = item { id } else { nil }
            guard let wish = screen.confirm(selected, in: state) else { return .handled() }
            // The next one that waits is selected; without one the first row.
            let rest = state.patientRecord.unconfirmed.filter { $0.id != selected }
            let next = selected.flatMap { id in rest.first { $0.enteredAt.wallMilliseconds <= id.wallMilliseconds } }
            cursor.selected = (next ?? rest.last).map { .entry($0.id) }
            return .handled(wish)
        case .confirmAllEntries: screen.askToConfirmAll(in: state)
        default: return screen.beginEntry(by: command) ? .handled() : .passed
        }
        return .handled()
    }

    /// The ages of the entries grow.
    func nextChange(_ screen: ScreenState, in state: MonitorState, _ time: TimeText) -> Moment? {
        state.patientRecord.entries.map { time.nextChange(ofManualAgeOf: $0.taken) }.min()
    }
}

/// A selectable row on the page of manual entries.
public enum EntryItem: Hashable, Sendable {
    /// A kind of entry.
    case kind(RecordEntry.Kind)
    /// An existing entry.
    case entry(RecordEntry.ID)

    /// Every row: what waits to be confirmed, the kinds of entries, then the other entries, the newest first.
    static func all(in state: MonitorState) -> [EntryItem] {
        let entries = state.patientRecord.newestFirst
        func items(_ isUnconfirmed: Bool) -> [EntryItem] {
            entries.filter { $0.isUnconfirmed == isUnconfirmed }.map { .entry($0.id) }
        }
        return items(true) + RecordEntry.Kind.typed.map(EntryItem.kind) + items(false)
    }
}

/// What can be entered, each with its key and newest value, and below the record of what was typed and of what sensors
/// have handed over.
private struct EntriesContent: PageContent {
    let scene: Scene
    let cursor: ListCursor<EntryItem>

    let title = "ENTER BY HAND"

    private enum Line: Hashable {
        case item(EntryItem)
        case heading(String)
    }

    /// Draws as many rows as fit around the selected one, and its keys.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        let items = EntryItem.all(in: scene.state)
        let selected = items[cursor.place(in: items)]
        let lines = self.lines(items)
        let hintRows = area.rows >= 11 ? 2 : area.rows >= 6 ? 1 : 0
        var list = area.inset(bottom: max(hintRows, area.rows - lines.count))
        let shown = list.rows
        if hintRows > 0 {
            let text = ellipsized(scene.glyphs.fit(hint(about: selected)), columns: area.columns, glyphs: scene.glyphs)
            grid.put(text, .faint, in: area.line(shown + hintRows - 1))
        }
        let index = lines.firstIndex(of: .item(selected)) ?? 0
        let top = max(0, min(index - list.rows / 2, lines.count - list.rows))
        for line in lines.dropFirst(top).prefix(list.rows) {
            let place = list.takeTop(1)
            switch line {
            case .heading(let text): grid.put(text, .faint, in: place)
            case .item(let item): draw(item, isSelected: item == selected, in: place, on: &grid)
            }
        }
        return PageView.Extent(
            rows: shown + hintRows, scroll: ScrollBar(top: top, shown: shown, total: lines.count))
    }

    private func hint(about item: EntryItem) -> String {
        let keys = scene.screen.keys
        switch item {
        case .kind(let kind):
            let example = ManualReader.example(of: kind, unit: scene.screen.temperatureUnit)
            return "\(keys.name(of: .chooseEntry)) opens a line to type it, for example \(example)"
        case .entry(let id):
            let isUnconfirmed = scene.state.patientRecord.entries.contains { $0.id == id && $0.isUnconfirmed }
            return isUnconfirmed
                ? "\(keys.name(of: .confirmEntry)) confirms it, \(keys.name(of: .retractEntry)) discards it"
                : "\(keys.name(of: .retractEntry)) takes it back: it stays, marked as a mistake"
        }
    }

    private func lines(_ items: [EntryItem]) -> [Line] {
        let waiting = items.prefix { if case .entry = $0 { true } else { false } }
        let kinds = items.dropFirst(waiting.count).prefix(RecordEntry.Kind.typed.count)
        let entries = items.dropFirst(waiting.count + kinds.count)
        func part(_ heading: String, _ items: some Collection<EntryItem>) -> [Line] {
            items.isEmpty ? [] : [.heading(heading)] + items.map(Line.item)
        }
        let ways = waiting.count > 1 ? ": \(scene.screen.keys.name(of: .confirmAllEntries)) confirms all" : ""
        return part("TO CONFIRM\(ways)", waiting) + (waiting.isEmpty ? [] : [.heading("ENTER")]) + kinds.map(Line.item)
            + part("THE RECORD", entries)
    }

    private func draw(_ item: EntryItem, isSelected: Bool, in place: Area, on grid: inout Grid) {
        var rest = place
        grid.record(.entry(item), in: place)
        defer { if isSelected { grid.select(place, pointer: scene.glyphs.pointer) } }
        _ = rest.takeLeft(2)
        switch item {
        case .kind(let kind):
            let key = scene.screen.keys.name(of: kind.command)
            grid.put(key, Style(.key, .bold), in: rest.takeLeft(4))
            let isNarrow = rest.columns < 48
            let name = rest.takeLeft(isNarrow ? 6 : 24)
            put(isNarrow ? kind.shortText : kind.text, .plain, in: name.inset(right: 1), on: &grid)
            put(newest(kind), .plain, in: rest, on: &grid)
        case .entry(let id):
            guard let entry = scene.state.patientRecord.entries.first(where: { $0.id == id }) else { return }
            let clock = entry.facts.isTimeKnown ? scene.time.point(entry.taken, isExact: false) : "?"
            grid.put(clock, .faint, in: rest.takeLeft(max(6, clock.count + 1)))
            let words = ManualLabels(scene.screen.units).text(of: entry)
            let origin =
                entry.isTypedHere
                ? ""
                : "\(scene.glyphs.dot)\(entry.origin == nil ? entry.sensor.shortName(limit: 20) : "imported")"
            let doubt = entry.facts.isTimeKnown ? "" : "\(scene.glyphs.dot)time unknown"
            let remark = entry.remark.map { "\(scene.glyphs.dot)\($0)" } ?? ""
            let mark = entry.retractedAt.map { "MISTAKE, taken back \(scene.time.clock($0))\(scene.glyphs.dot)" } ?? ""
            put(mark + words + origin + doubt + remark, entry.isRetracted ? .faint : .plain, in: rest, on: &grid)
        }
    }

    private func newest(_ kind: RecordEntry.Kind) -> String {
        if kind == .neutrophils {
            return scene.state.neutrophils == nil ? "" : NeutrophilLabels(scene.state, time: scene.time).remark ?? ""
        }
        guard let entry = scene.state.patientRecord.newest(kind) else { return "" }
        let time =
            entry.facts.isTimeKnown
            ? "\(scene.time.point(entry.taken, isExact: false)), \(scene.time.manualAge(of: entry.taken))"
            : "time unknown"
        let mark = entry.isUnconfirmed ? "\(EntryFacts.unconfirmed) " : ""
        return "\(mark)\(ManualLabels(scene.screen.units).value(of: entry))\(scene.glyphs.dot)\(time)"
    }

    private func put(_ text: String, _ style: Style, in area: Area, on grid: inout Grid) {
        grid.put(ellipsized(scene.glyphs.fit(text), columns: area.columns, glyphs: scene.glyphs), style, in: area)
    }
}
