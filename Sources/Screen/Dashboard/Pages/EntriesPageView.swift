import Appearance
import Entries
import Monitoring
import TextGrid
import Vitals
import Wording

/// The page of entries: the kinds of entries, each with its key and newest value, and below the record of typed and
/// transferred entries.
struct EntriesPageView {
    let scene: Scene

    private enum Line: Hashable {
        case item(EntryItem)
        case heading(String)
    }

    /// Draws as many rows as fit around the selected one, and its keys.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        let items = EntryItem.all(in: scene.state)
        let selected =
            items.contains { $0 == scene.screen.pages.selectedEntry } ? scene.screen.pages.selectedEntry : items[0]
        let lines = self.lines(items)
        let hintRows = area.rows >= 11 ? 2 : area.rows >= 6 ? 1 : 0
        var list = area.inset(bottom: max(hintRows, area.rows - lines.count))
        let shown = list.rows
        if hintRows > 0 {
            let text = ellipsized(scene.glyphs.fit(hint), columns: area.columns, glyphs: scene.glyphs)
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

    private var hint: String {
        let keys = scene.screen.keys
        switch scene.screen.pages.selectedEntry {
        case .kind(let kind):
            let example = ManualReader.example(of: kind, unit: scene.screen.temperatureUnit)
            return "\(keys.name(of: .chooseEntry)) opens a line to type it, for example \(example)"
        case .entry: return "\(keys.name(of: .retractEntry)) takes it back: it stays, marked as a mistake"
        }
    }

    private func lines(_ items: [EntryItem]) -> [Line] {
        let kinds = items.prefix(RecordEntry.Kind.allCases.count)
        let entries = items.dropFirst(kinds.count)
        return kinds.map(Line.item) + (entries.isEmpty ? [] : [.heading("THE RECORD")]) + entries.map(Line.item)
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
            let clock = scene.time.point(entry.taken, isExact: false)
            grid.put(clock, .faint, in: rest.takeLeft(max(6, clock.count + 1)))
            let words = ManualLabels(scene.screen.units).text(of: entry)
            let origin =
                entry.isTypedHere
                ? ""
                : "\(scene.glyphs.dot)\(entry.origin == nil ? entry.sensor.shortName(limit: 20) : "imported")"
            let doubt = entry.isTimeKnown ? "" : "\(scene.glyphs.dot)time unknown"
            let remark = entry.sensorRemark.map { "\(scene.glyphs.dot)\($0)" } ?? ""
            let mark = entry.retractedAt.map { "MISTAKE, taken back \(scene.time.clock($0))\(scene.glyphs.dot)" } ?? ""
            put(mark + words + origin + doubt + remark, entry.isRetracted ? .faint : .plain, in: rest, on: &grid)
        }
    }

    private func newest(_ kind: RecordEntry.Kind) -> String {
        if kind == .neutrophils {
            return scene.state.neutrophils == nil ? "" : NeutrophilLabels(scene.state, time: scene.time).remark ?? ""
        }
        guard let entry = scene.state.patientRecord.newest(kind) else { return "" }
        let time = "\(scene.time.point(entry.taken, isExact: false)), \(scene.time.manualAge(of: entry.taken))"
        return "\(ManualLabels(scene.screen.units).value(of: entry))\(scene.glyphs.dot)\(time)"
    }

    private func put(_ text: String, _ style: Style, in area: Area, on grid: inout Grid) {
        grid.put(ellipsized(scene.glyphs.fit(text), columns: area.columns, glyphs: scene.glyphs), style, in: area)
    }
}
