import Monitoring
import Base
import Nights
import Vitals

/// The additions of an import to a record, and its omissions.
///
/// Importing the same file again adds nothing, and neither does a file that was exported from the same record: an entry
/// is recognised by its key, or, without a key, by its time and content.
public struct ImportPlan: Hashable, Sendable {
    /// The added entries.
    public private(set) var additions: [Addition] = []
    /// Unusual entries, which are added only with the user's confirmation.
    public private(set) var rare: [ImportedEntry] = []
    /// The refused entries.
    public private(set) var refusals: [ImportedFile.Refusal]
    /// The number of entries that the record has already.
    public private(set) var known = 0
    /// The added nights with their places in the file.
    public private(set) var nights: [ImportedFile.Night] = []
    /// The number of nights that the record has already.
    public private(set) var knownNights = 0
    /// The number of omitted sensor readings.
    public let readings: Int
    /// The number of omitted resources or lines of other kinds.
    public let others: Int

    /// An added entry with its place in the file.
    public struct Addition: Hashable, Sendable {
        public var place: String
        public var entry: RecordEntry
    }

    /// Compares a file with a record.
    ///
    /// - Parameters:
    ///   - file: The content of the file.
    ///   - record: All entries of the record.
    ///   - nights: What identifies the nights of the record (`contentKey`).
    ///   - courses: What oximeters have recorded at the times of the file's nights.
    ///   - now: The time of entry.
    ///   - source: The name of the file and its format.
    ///   - acceptsRare: Whether unusual values are added, too.
    public init(
        _ file: ImportedFile, into record: [RecordedEntry], nights: Set<String> = [], courses: [NightCourse] = [],
        now: Moment, source: String, acceptsRare: Bool
    ) {
        refusals = file.refusals
        readings = file.readings
        others = file.others
        var ids: [String: RecordEntry.ID] = [:]
        var contents: Set<String> = []
        for recorded in record {
            ids[recorded.key] = recorded.entry.id
            contents.insert(Self.contentKey(of: recorded.entry))
        }
        for imported in file.entries {
            // An entry with its own key may equal another one, such as a mistake that was typed again.
            if ids[imported.identity] != nil || imported.key == nil && contents.contains(imported.contentKey) {
                known += 1
            } else if imported.question != nil, !acceptsRare {
                rare.append(imported)
            } else {
                // No two entries have the same moment.
                var enteredAt = now
                enteredAt.monotonicNanoseconds = now.monotonicNanoseconds.addingSaturated(Int64(additions.count))
                ids[imported.identity] = enteredAt
                additions.append(Addition(place: imported.place, entry: Self.entry(imported, enteredAt, source, now)))
            }
        }
        var recorded = nights
        for var imported in file.nights {
            let isNew = recorded.insert(imported.night.contentKey).inserted
            if isNew, !courses.contains(where: { $0.contains(imported.night) }) {
                imported.night.importedFrom = source
                self.nights.append(imported)
            } else {
                knownNights += 1
            }
        }
        // A correction may precede the corrected entry.
        var corrections: [String: (corrected: String, reason: String)] = [:]
        for imported in file.entries {
            if let corrected = imported.corrected {
                corrections[imported.identity] = (corrected, imported.correctionReason)
            }
        }
        for place in additions.indices {
            guard let key = additions[place].entry.origin?.key, let correction = corrections[key],
                let id = ids[correction.corrected], id != additions[place].entry.id
            else { continue }
            additions[place].entry.correction = RecordEntry.Correction(of: id, reason: correction.reason)
        }
    }

    private static func entry(
        _ imported: ImportedEntry, _ enteredAt: Moment, _ source: String, _ now: Moment
    ) -> RecordEntry {
        let age = max(0, now.wallMilliseconds.subtractingSaturated(imported.taken))
        let taken = Moment(
            monotonicNanoseconds: now.monotonicNanoseconds.subtractingSaturated(age.multipliedSaturated(by: 1_000_000)),
            wallMilliseconds: min(imported.taken, now.wallMilliseconds))
        var entry = RecordEntry(imported.content, imported.facts, taken: taken, enteredAt: enteredAt)
        if let retracted = imported.retractedAt {
            entry.retract(
                at: Moment(monotonicNanoseconds: enteredAt.monotonicNanoseconds, wallMilliseconds: retracted),
                reason: imported.retractionReason)
        }
        entry.origin = ImportOrigin(key: imported.identity, source: source, enteredAt: imported.enteredAt)
        return entry
    }

    /// Identifies an entry by its time and content.
    static func contentKey(of entry: RecordEntry) -> String {
        let quantities = entry.quantities.map { "\($0.name)=\($0.value.hundredths)" }.joined(separator: ";")
        let text = "\(entry.kind?.rawValue ?? "")|\(entry.taken.wallMilliseconds)|\(quantities)|\(entry.words ?? "")"
        return FHIRIdentifier.text(Array(text.utf8))
    }
}

extension ImportPlan {
    /// The plan as lines: additions, omissions with their reasons, and the numbers of each.
    ///
    /// - Parameters:
    ///   - isDryRun: Whether nothing has been imported.
    ///   - time: Prints a moment of the record.
    public func text(isDryRun: Bool) -> String {
        var lines: [String] = []
        if isDryRun {
            lines += Self.bounded(additions.map { "\($0.place): \($0.entry.text), \(Self.time($0.entry))" })
            lines += Self.bounded(nights.map { "\($0.place): \(Self.text($0.night))" })
        }
        lines += Self.bounded(
            rare.map { "\($0.place): not imported. \($0.question ?? "") If so, import it with --yes." })
        lines += Self.bounded(refusals.map { "\($0.place): refused. \($0.reason)" })
        let verb = isDryRun ? "would be imported" : "imported"
        var sums: [String] = []
        if nights.isEmpty, knownNights == 0 || !additions.isEmpty {
            sums.append("\(additions.count) \(additions.count == 1 ? "entry" : "entries") \(verb)")
        } else {
            sums.append("\(nights.count) \(nights.count == 1 ? "night" : "nights") \(verb)")
        }
        if knownNights > 0 { sums.append("\(knownNights) in the record already") }
        if known > 0 { sums.append("\(known) in the record already") }
        if !rare.isEmpty { sums.append("\(rare.count) rare and left out") }
        if !refusals.isEmpty { sums.append("\(refusals.count) refused") }
        if readings > 0 { sums.append("\(readings) readings of sensors left out, because only entries are imported") }
        if others > 0 { sums.append("\(others) of other kinds left out") }
        lines.append(sums.joined(separator: ", ") + ".")
        return lines.map { sanitized($0, limit: 600) + "\n" }.joined()
    }

    /// The number of printed lines of each kind.
    static let lineLimit = 500

    private static func bounded(_ lines: [String]) -> [String] {
        lines.count <= lineLimit ? lines : lines.prefix(lineLimit) + ["and \(lines.count - lineLimit) more"]
    }

    private static func time(_ entry: RecordEntry) -> String {
        timestamp(ofWallMilliseconds: entry.taken.wallMilliseconds) + (entry.isRetracted ? ", taken back" : "")
    }

    /// A night in a line: when it begins, how long it is, and how much of it was measured.
    private static func text(_ night: StoredNight) -> String {
        let minutes = night.samples.count * night.interval / 60
        let measured = night.samples.count { $0.saturation != nil }
        let length = minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
        return
            "night from \(timestamp(ofWallMilliseconds: night.start)), \(length), a sample every \(night.interval) s, "
            + "\(measured) of \(night.samples.count) with a saturation"
    }
}
