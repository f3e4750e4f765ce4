import Base
import Vitals

/// The formats that `bedside import` reads; the raw value is the argument of `--format`.
public enum ImportFormat: String, CaseIterable, Hashable, Sendable {
    /// What `bedside export --format csv` writes, or a table of one entry a line.
    case csv
    /// Resources of HL7 FHIR R4, in a Bundle or a line each.
    case fhir

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file, at most ``ImportedFile/sizeLimit`` bytes.
    ///   - context: The present, and how numbers without a unit are meant.
    /// - Throws: ``ImportError`` for what is no such file at all.
    public func read(_ bytes: [UInt8], _ context: ImportContext) throws(ImportError) -> ImportedFile {
        guard bytes.count <= ImportedFile.sizeLimit else {
            throw ImportError("it has more than \(ImportedFile.sizeLimit / 1_000_000) MB; divide it")
        }
        switch self {
        case .csv: return try CSVImporter.read(bytes, context)
        case .fhir: return try FHIRImporter.read(bytes, context)
        }
    }
}

/// Why nothing of a file can be imported.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence without its subject and without a full stop: "it is empty".
    public let description: String

    init(_ description: String) { self.description = description }
}

/// What the reading of a file depends on.
public struct ImportContext: Sendable {
    /// The present.
    public var now: Moment
    /// The unit of temperatures that have none.
    public var temperatureUnit: TemperatureUnit
    /// Whether the record is that of simulated sensors; only it takes simulated data.
    public var isSimulated: Bool
    /// Whose entries of a FHIR file are imported: a reference such as `Patient/123`; `nil` where it names one patient.
    public var subject: String?

    public init(now: Moment, temperatureUnit: TemperatureUnit, isSimulated: Bool = false, subject: String? = nil) {
        self.now = now
        self.temperatureUnit = temperatureUnit
        self.isSimulated = isSimulated
        self.subject = subject
    }
}

/// What a file has to import, and what of it is refused.
public struct ImportedFile: Hashable, Sendable {
    /// The size of a file that is read, in bytes.
    public static let sizeLimit = 64_000_000
    /// How many entries of one file are imported.
    public static let entryLimit = 100_000

    /// What can be imported, in the order of the file.
    public internal(set) var entries: [ImportedEntry] = []
    /// What cannot.
    public internal(set) var refusals: [Refusal] = []
    /// How many readings of sensors were left out: only entries are imported.
    public internal(set) var readings = 0
    /// How many resources or lines of other kinds were left out.
    public internal(set) var others = 0

    /// Something that is not imported.
    public struct Refusal: Hashable, Sendable {
        /// Where it is: "line 3".
        public var place: String
        /// Why, and what can be done, in sentences.
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
    /// Where it is: "line 3".
    public var place: String
    /// What identifies it in every file; `nil` where only its content does.
    var key: String?
    /// What was entered.
    public var content: RecordEntry.Content
    /// When it was measured, in milliseconds since 1970 (UTC).
    public var taken: Int64
    /// When it was entered where the file comes from; `nil` when the file does not say so.
    var enteredAt: Int64?
    /// When it was taken back there; `nil` for what is valid.
    var retractedAt: Int64?
    var retractionReason = ""
    /// The key of the entry that it corrects.
    var corrected: String?
    var correctionReason = ""
    /// What is asked before it is imported, because it is rare.
    public var question: String?

    init(_ content: RecordEntry.Content, at place: String, taken: Int64, question: String? = nil) {
        self.content = content
        self.place = place
        self.taken = taken
        self.question = question
    }

    /// What identifies it; what has no key is identified by its time and its content.
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
