import Base
import Nights
import Vitals

/// The formats that `bedside import` reads; the raw value is the argument of `--format`.
public enum ImportFormat: String, CaseIterable, Hashable, Sendable {
    /// A table written by `bedside export --format csv`, one with an entry on each line, a night by the maker of the
    /// rings, or blood pressures by omblepy.
    case csv
    /// Resources of HL7 FHIR R4, in a Bundle or one on each line.
    case fhir
    /// Nights in EDF or EDF+.
    case edf
    /// A night as a ring stores it.
    case ringFile = "ring-file"

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file, at most ``ImportedFile/sizeLimit`` bytes.
    ///   - context: The present, and the default units.
    /// - Throws: ``ImportError`` for a file in another format.
    public func read(_ bytes: [UInt8], _ context: ImportContext) throws(ImportError) -> ImportedFile {
        guard bytes.count <= ImportedFile.sizeLimit else {
            throw ImportError("it has more than \(ImportedFile.sizeLimit / 1_000_000) MB; divide it")
        }
        switch self {
        case .csv: return try CSVImporter.read(bytes, context)
        case .fhir: return try FHIRImporter.read(bytes, context)
        case .edf: return try EDFImporter.read(bytes, context)
        case .ringFile: return try RingFileImporter.read(bytes, context)
        }
    }
}

/// Why a file cannot be imported at all.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence without its subject and without a full stop: "it is empty".
    public let description: String

    init(_ description: String) { self.description = description }
}

/// The circumstances of an import.
public struct ImportContext: Sendable {
    /// The present.
    public var now: Moment
    /// The unit of temperatures without one.
    public var temperatureUnit: TemperatureUnit
    /// Whether the record is that of simulated sensors; only such a record accepts simulated data.
    public var isSimulated: Bool
    /// The patient whose entries of a FHIR file are imported: a reference such as `Patient/123`; `nil` if the file has
    /// only one patient.
    public var subject: String?

    public init(now: Moment, temperatureUnit: TemperatureUnit, isSimulated: Bool = false, subject: String? = nil) {
        self.now = now
        self.temperatureUnit = temperatureUnit
        self.isSimulated = isSimulated
        self.subject = subject
    }
}

/// The entries of a file, and the refused ones.
public struct ImportedFile: Hashable, Sendable {
    /// The greatest size of a file, in bytes.
    public static let sizeLimit = 64_000_000
    /// The greatest number of entries of one file.
    public static let entryLimit = 100_000

    /// The valid entries, in the order of the file.
    public internal(set) var entries: [ImportedEntry] = []
    /// The nights of an oximeter; a file has all of its nights or is refused.
    public internal(set) var nights: [Night] = []
    /// The refused entries.
    public internal(set) var refusals: [Refusal] = []
    /// The number of omitted sensor readings: only entries are imported.
    public internal(set) var readings = 0
    /// The number of omitted resources or lines of other kinds.
    public internal(set) var others = 0

    /// A night with its place in the file.
    public struct Night: Hashable, Sendable {
        /// Its place: "signal SpO2".
        public var place: String
        public var night: StoredNight
    }

    /// A refused entry.
    public struct Refusal: Hashable, Sendable {
        /// Its place: "line 3".
        public var place: String
        /// The reason and the remedy, in sentences.
        public var reason: String
    }

    mutating func refuse(_ place: String, _ reason: String) {
        refusals.append(Refusal(place: place, reason: reason))
    }

    mutating func add(_ entry: ImportedEntry) {
        guard entries.count < Self.entryLimit else {
            return refuse(entry.place, "A file has at most \(Self.entryLimit) entries. Divide it.")
        }
        entries.append(entry)
    }
}

/// An entry of a file.
public struct ImportedEntry: Hashable, Sendable {
    /// Its place: "line 3".
    public var place: String
    /// Its key in every file; `nil` if only its content identifies it.
    var key: String?
    /// The content of the entry.
    public var content: RecordEntry.Content
    /// What the file says of the measurement beside its content.
    var facts = EntryFacts()
    /// When it was measured, in milliseconds since 1970 (UTC).
    public var taken: Int64
    /// When it was entered in its original system; `nil` if the file does not contain that.
    var enteredAt: Int64?
    /// When it was retracted there; `nil` for a valid entry.
    var retractedAt: Int64?
    var retractionReason = ""
    /// The key of the entry that it corrects.
    var corrected: String?
    var correctionReason = ""
    /// The question before it is imported, because it is unusual.
    public var question: String?

    init(_ content: RecordEntry.Content, at place: String, taken: Int64, question: String? = nil) {
        self.content = content
        self.place = place
        self.taken = taken
        self.question = question
    }

    /// Its identity: its key, or else its time and content.
    var identity: String { key ?? contentKey }

    var contentKey: String {
        let entry = RecordEntry(
            content, taken: Moment(monotonicNanoseconds: 0, wallMilliseconds: taken),
            enteredAt: Moment(monotonicNanoseconds: 0, wallMilliseconds: taken))
        return ImportPlan.contentKey(of: entry)
    }
}

/// Why an entry of a file is refused; the description is a sentence.
struct RefusedEntry: Error, Hashable {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}
