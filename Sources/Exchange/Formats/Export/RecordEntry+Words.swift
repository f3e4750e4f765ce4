import Monitoring
import Vitals

extension RecordEntry {
    /// The words of the entry: those of a note, a medication, a symptom or a calibration.
    var words: String? {
        if absence != nil { return text }
        return switch content {
        case .medication(let medication): medication.text
        case .calibration: [text, kind?.traits.details(content)].compactMap(\.self).joined(separator: ", ")
        default: content.fields.first { $0.role == .words }.flatMap { $0.text(content) } ?? content.answers
        }
    }

    /// What people must know of it beside its numbers: its words, that its time is unknown, and what its sensor said.
    var remarks: String? {
        let parts = [words ?? (isRetracted ? text : nil), facts.note].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// What stands where the time of a measurement would be that no clock knows.
    static let unknownTime = "time unknown"

    /// The measurement site, if it was entered.
    var site: BodySite? {
        if case .vital(_, _, let site) = content { site } else { nil }
    }
}

extension EntryFacts {
    /// That the time is unknown, and what else is known beside the value; `nil` for nothing.
    var note: String? {
        let parts = [isTimeKnown ? nil : RecordEntry.unknownTime, text].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

extension RecordEntry.Content {
    /// The answers of a form as they are typed: "burden mild, hypotension no, …, by Ada"; `nil` for other kinds.
    var answers: String? {
        let isForm = fields.contains { $0.question != nil }
        guard isForm else { return nil }
        let parts = fields.filter { !$0.isDerived }.compactMap { field in
            field.text(self).map { "\(field.name) \($0)" }
        }
        return parts.joined(separator: ", ")
    }
}

extension EntryField {
    /// Its words or its number as text; `nil` where the content has none.
    func text(_ content: RecordEntry.Content) -> String? {
        switch value(content) {
        case .text(let words): words
        case .number(let number): hundredths(content)?.decimalText ?? "\(number)"
        case .flag(let isTrue): isTrue ? "yes" : "no"
        case nil: nil
        }
    }
}

extension RecordedEntry {
    /// The entry's identifier in every file that contains it: a UUID, or the identifier in the imported file.
    package var key: String {
        if let origin = entry.origin { return origin.key }
        return FHIRIdentifier.text(
            FHIRIdentifier.mixed([entry.enteredAt.wallMilliseconds, entry.enteredAt.monotonicNanoseconds, run]))
    }

    /// When it was entered in its original system, in milliseconds since 1970 (UTC).
    var enteredWallMilliseconds: Int64 { entry.origin?.enteredAt ?? entry.enteredAt.wallMilliseconds }
}

/// The keys of entries by their identities, to name the entry that another one corrects.
struct EntryKeys {
    private var keys: [RecordEntry.ID: String] = [:]

    mutating func add(_ recorded: RecordedEntry) {
        keys[recorded.entry.id] = recorded.key
    }

    /// The key of the entry that an entry corrects; `nil` for none.
    func corrected(by recorded: RecordedEntry) -> String? {
        guard let correction = recorded.entry.correction else { return nil }
        // If it is not among them, it was entered in the same run, or its key is unknown anyway.
        let id = correction.corrected
        return keys[id]
            ?? FHIRIdentifier.text(FHIRIdentifier.mixed([id.wallMilliseconds, id.monotonicNanoseconds, recorded.run]))
    }
}

/// What an encoder must know of the entries that it will write, before it writes the first.
public struct EntrySurvey {
    /// Whether there are none.
    public var isEmpty = true
    private(set) var keys = EntryKeys()
    private(set) var columns: Set<WideCSVEncoder.EntryColumn> = []

    /// Surveys entries.
    ///
    /// - Parameter entries: Those that others correct are enough, except for `csv-wide`, where all have columns.
    public init(_ entries: [RecordedEntry] = []) {
        for entry in entries { add(entry) }
    }

    /// Adds an entry.
    public mutating func add(_ recorded: RecordedEntry) {
        isEmpty = false
        keys.add(recorded)
        for column in WideCSVEncoder.columns(of: recorded.entry) where !columns.contains(column) {
            columns.insert(column)
        }
    }
}
