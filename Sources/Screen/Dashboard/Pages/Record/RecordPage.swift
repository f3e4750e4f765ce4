import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

extension ScreenState.Page {
    static let record = ScreenState.Page(RecordPage.self)
}

/// The page of the patient's record: labs, medication, symptoms, vitals and notes.
struct RecordPage: ScreenPage {
    static let context = KeyContext.record
    static let opener = Command.showRecord

    /// The listed entries.
    private(set) var filter = RecordFilter.all
    /// The selected entry.
    var cursor = ListCursor<RecordEntry.ID>()

    /// The listed entries, the newest measurement first.
    func entries(in state: MonitorState) -> [RecordEntry] {
        state.patientRecord.entries.reversed().filter(filter.lists)
    }

    /// Lists the next subject.
    mutating func showNextSubject() { filter = filter.next }

    func content(_ scene: Scene, in area: Area) -> any PageContent { RecordContent(scene: scene, page: self) }

    mutating func move(_ move: ListMove, _ screen: inout ScreenState, in state: MonitorState) -> Bool {
        let entries = entries(in: state)
        if entries.isEmpty { screen.dialogs.message = "Nothing is listed." }
        return cursor.move(move, in: entries.map(\.id))
    }

    mutating func handle(
        _ command: Command, _ screen: inout ScreenState, in state: MonitorState, at now: Moment
    ) -> Handling {
        switch command {
        case .nextRecordSubject: showNextSubject()
        case .chooseEntry, .correctEntry, .retractEntry:
            let entries = entries(in: state)
            guard !entries.isEmpty else {
                screen.dialogs.message = "There is no entry that could be corrected or taken back."
                return .handled()
            }
            let entry = entries[cursor.place(in: entries.map(\.id))]
            cursor.selected = entry.id
            if command == .retractEntry { screen.askWhyToRetract(entry) } else { screen.beginCorrection(of: entry) }
        case .confirmEntry:
            let entries = entries(in: state)
            let place = cursor.place(in: entries.map(\.id))
            return .handled(screen.confirm(entries.indices.contains(place) ? entries[place].id : nil, in: state))
        case .confirmAllEntries: screen.askToConfirmAll(in: state)
        default: return screen.beginEntry(by: command) ? .handled() : .passed
        }
        return .handled()
    }
}

/// What was measured, given, felt and noted, the newest first, and below the list everything about the selected entry.
private struct RecordContent: PageContent {
    let scene: Scene
    let page: RecordPage

    /// The title of the page, with the filter.
    var title: String {
        ["RECORD", page.filter.title].compactMap { $0 }.joined(separator: ": ")
    }

    /// Draws as many rows as fit around the selected one, and its details.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        let entries = page.entries(in: scene.state)
        guard !entries.isEmpty else {
            let keys = scene.screen.keys
            let hint =
                page.filter == .all
                ? "Nothing is recorded yet. \(keys.name(of: .showEntries)) lists what can be entered."
                : "None of these is recorded. \(keys.name(of: .nextRecordSubject)) lists others."
            grid.put(fitted(hint, area.columns), .faint, in: area)
            grid.rest(in: area)
            return PageView.Extent(rows: 1)
        }
        let index = page.cursor.place(in: entries.map(\.id))
        let details = area.rows >= 6 ? self.details(of: entries[index], columns: area.columns) : []
        let shownDetails = details.prefix(max(0, area.rows - 4))
        let gap = shownDetails.isEmpty ? 0 : shownDetails.count + 1
        let rows = max(1, min(entries.count, area.rows - gap))
        let top = max(0, min(index - rows / 2, entries.count - rows))
        var rest = area
        for (place, entry) in entries.enumerated().dropFirst(top).prefix(rows) {
            draw(entry, isSelected: place == index, in: rest.takeTop(1), on: &grid)
        }
        if !shownDetails.isEmpty { _ = rest.takeTop(1) }
        for line in shownDetails { grid.put(line, .faint, in: rest.takeTop(1)) }
        return PageView.Extent(
            rows: rows + gap, scroll: ScrollBar(top: top, shown: rows, total: entries.count))
    }

    private func draw(_ entry: RecordEntry, isSelected: Bool, in place: Area, on grid: inout Grid) {
        var rest = place
        grid.record(.entry(.entry(entry.id)), in: place)
        defer { if isSelected { grid.select(place, pointer: scene.glyphs.pointer) } }
        _ = rest.takeLeft(2)
        let clock = entry.facts.isTimeKnown ? scene.time.point(entry.taken, isExact: false) : "?"
        grid.put(clock, .faint, in: rest.takeLeft(max(6, clock.count + 1)))
        let labels = ManualLabels(scene.screen.units)
        let mark =
            !entry.isRetracted
            ? entry.isUnconfirmed ? "UNCONFIRMED\(scene.glyphs.dot)" : ""
            : scene.state.patientRecord.correction(of: entry.id) == nil
                ? "MISTAKE\(scene.glyphs.dot)"
                : "CORRECTED\(scene.glyphs.dot)"
        let style = Style(entry.isRetracted ? .faint : .plain)
        grid.put(fitted(mark + labels.text(of: entry), rest.columns), style, in: rest)
    }

    /// Everything about an entry, in lines.
    private func details(of entry: RecordEntry, columns: Int) -> [String] {
        var lines: [String] = []
        if entry.absence == nil, let details = entry.kind?.traits.details(entry.content) { lines.append(details) }
        let measured = entry.facts.isTimeKnown ? "Measured \(exact(entry.taken))" : "Measured at an unknown time"
        let origin = entry.source == .typed ? "by hand" : "by \(entry.sensor.shortName(limit: 20))"
        if let file = entry.origin {
            lines.append("\(measured), imported \(exact(entry.enteredAt)) from \(file.source)")
        } else {
            lines.append("\(measured), entered \(exact(entry.enteredAt)) \(origin)")
        }
        let number = entry.facts.sequence.map { "No. \($0) of the device" }
        let clock = entry.facts.isTimeKnown ? entry.facts.deviceTime.map { "\($0.text) by its clock" } : nil
        let known = [entry.remark, clock, number].compactMap(\.self)
        if !known.isEmpty { lines.append(known.joined(separator: ", ")) }
        if let confirmedAt = entry.confirmedAt { lines.append("Confirmed \(exact(confirmedAt))") }
        if let retractedAt = entry.retractedAt {
            let reason = entry.retractionReason.isEmpty ? "" : ": \(entry.retractionReason)"
            let correction = scene.state.patientRecord.correction(of: entry.id)
            let word = correction == nil ? "Taken back" : "Corrected"
            let right = correction.map { ", to \(ManualLabels(scene.screen.units).value(of: $0))" } ?? ""
            lines.append("\(word) \(exact(retractedAt))\(reason)\(right)")
        }
        if let correction = entry.correction {
            let mistake = scene.state.patientRecord.entries.first { $0.id == correction.corrected }
            let before = mistake.map { " \(ManualLabels(scene.screen.units).value(of: $0))" } ?? " an earlier entry"
            lines.append("Replaces\(before)" + (correction.reason.isEmpty ? "" : ": \(correction.reason)"))
        }
        return lines.map { fitted($0, columns) }
    }

    private func exact(_ moment: Moment) -> String { scene.time.point(moment, isExact: false) }

    private func fitted(_ text: String, _ columns: Int) -> String {
        ellipsized(scene.glyphs.fit(text), columns: columns, glyphs: scene.glyphs)
    }
}

/// The entries listed on the page of the record.
enum RecordFilter: CaseIterable, Hashable, Sendable {
    case all, labs, medication, symptoms, vitals, notes

    /// The listed entries, in the title of the page; `nil` for all.
    var title: String? {
        switch self {
        case .all: nil
        case .labs: "LABS"
        case .medication: "MEDICATION"
        case .symptoms: "SYMPTOMS"
        case .vitals: "VITALS"
        case .notes: "NOTES"
        }
    }

    /// The next filter, and the first one after the last.
    var next: RecordFilter {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }

    func lists(_ entry: RecordEntry) -> Bool {
        switch entry.kind?.traits.group ?? .vitals {
        case .labs: self == .all || self == .labs
        case .medication: self == .all || self == .medication
        case .symptoms: self == .all || self == .symptoms
        case .vitals: self == .all || self == .vitals
        case .notes: self == .all || self == .notes
        }
    }
}
