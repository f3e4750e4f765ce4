import Vitals

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
