import Vitals

/// Which entries the page of the record lists.
enum RecordFilter: CaseIterable, Hashable, Sendable {
    case all, labs, medication, symptoms, vitals, notes

    /// What it lists, in the title of the page; `nil` for everything.
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

    /// The next one, and after the last one the first.
    var next: RecordFilter {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }

    /// Whether it lists an entry.
    func lists(_ entry: RecordEntry) -> Bool {
        switch entry.content {
        case .lab, .neutrophils: self == .all || self == .labs
        case .medication: self == .all || self == .medication
        case .symptom, .mascc: self == .all || self == .symptoms
        case .vital, .bloodPressure, .weight, .noMeasurement: self == .all || self == .vitals
        case .note: self == .all || self == .notes
        }
    }
}

/// What of the record is looked at.
struct RecordView: Hashable, Sendable {
    /// Which entries are listed.
    var filter = RecordFilter.all
    /// The selected entry; the first one when it is `nil` or not listed.
    var selected: RecordEntry.ID?

    /// The listed entries, the newest measurement first.
    func entries(of record: [RecordEntry]) -> [RecordEntry] { record.reversed().filter(filter.lists) }

    /// The place of the selected entry among the listed ones.
    func place(in entries: [RecordEntry]) -> Int { entries.firstIndex { $0.id == selected } ?? 0 }
}
