import Monitoring
import Vitals
import Waves

/// The export formats; the raw value is the argument of `--format`.
public enum ExportFormat: String, CaseIterable, Hashable, Sendable {
    /// A line for each reading.
    case csv
    /// A line for each second, and a column for each sensor and vital.
    case csvWide = "csv-wide"
    /// The lines of `bedside watch --json`.
    case jsonLines = "jsonl"
    /// A Bundle of Observations, HL7 FHIR R4.
    case fhir
    /// A point of InfluxDB's line protocol for each reading.
    case influx
    /// A line for each RR interval, and none for readings.
    case rr
    /// A line for each sample of a wave, and none for readings.
    case waves
    /// A Bundle of Observations with the samples of waves, HL7 FHIR R4, and none with readings.
    case fhirWaves = "fhir-waves"
    /// Vitals, waves and nights of a period as signals, EDF+.
    case edf
    /// Nights of an oximeter as the maker of the rings writes them.
    case viatomCSV = "viatom-csv"
    /// The file of one night as the ring stored it.
    case ringFile = "ring-file"

    /// What a format writes.
    public enum Content: Hashable, Sendable {
        /// Readings, and entries of the record.
        case readings
        case rrIntervals
        case waves
        /// All of a period, with its annotations (``SignalEncoder``).
        case signals
        /// Nights, and readings of an oximeter as nights (``RingCSVEncoder``).
        case nights
        /// A file that is kept as it came.
        case ringFile

        /// Whether a ``ReadingEncoder`` writes it, and reading by reading.
        public var isStream: Bool {
            switch self {
            case .readings, .rrIntervals, .waves: true
            case .signals, .nights, .ringFile: false
            }
        }
    }

    /// What it writes.
    public var content: Content {
        switch self {
        case .csv, .csvWide, .jsonLines, .fhir, .influx: .readings
        case .rr: .rrIntervals
        case .waves, .fhirWaves: .waves
        case .edf: .signals
        case .viatomCSV: .nights
        case .ringFile: .ringFile
        }
    }

    /// The encoder of the format; one that writes nothing where ``Content/isStream`` is false.
    ///
    /// - Parameters:
    ///   - sources: All sources that will occur.
    ///   - entries: What is known of the entries.
    ///   - gaps: All gaps of the record; for RR intervals.
    ///   - isSimulated: Whether the data are simulated, which every format states.
    ///   - patient: The reference of the patient, such as `Patient/123`; for FHIR.
    public func encoder(
        sources: [RecordedSource], entries: EntrySurvey = EntrySurvey(), gaps: [RecordedGap] = [],
        isSimulated: Bool, patient: String?
    ) -> any ReadingEncoder {
        switch self {
        case .csv: CSVEncoder(keys: entries.keys, isSimulated: isSimulated)
        case .csvWide: WideCSVEncoder(sources: sources, columns: entries.columns, isSimulated: isSimulated)
        case .jsonLines: JSONLinesEncoder(isSimulated: isSimulated)
        case .influx: InfluxEncoder(isSimulated: isSimulated)
        case .rr: RREncoder(gaps: gaps, isSimulated: isSimulated)
        case .waves: WaveCSVEncoder(isSimulated: isSimulated)
        case .edf, .viatomCSV, .ringFile: EmptyEncoder()
        case .fhir, .fhirWaves:
            FHIREncoder(
                sources: sources, isEmpty: sources.isEmpty && entries.isEmpty, keys: entries.keys,
                isSimulated: isSimulated,
                patient: patient)
        }
    }
}

/// Writes recorded readings in one format, the oldest first, into a buffer that its owner empties from time to time.
public protocol ReadingEncoder {
    /// The bytes since the buffer was emptied.
    var bytes: [UInt8] { get }

    /// Writes the header.
    mutating func begin()

    mutating func write(_ recorded: RecordedReading)

    /// Writes a manual entry.
    mutating func write(_ recorded: RecordedEntry)

    /// Writes RR intervals.
    mutating func write(_ recorded: RecordedRRIntervals)

    /// Writes a segment of a wave.
    mutating func write(_ recorded: RecordedWave)

    /// Writes the footer.
    mutating func end()

    /// Empties the buffer and keeps its capacity.
    mutating func removeAll()
}

extension ReadingEncoder {
    /// Omits RR intervals, as every format of readings does.
    mutating func write(_ recorded: RecordedRRIntervals) {}

    /// Omits waves, as every format of readings does.
    mutating func write(_ recorded: RecordedWave) {}
}

/// Writes nothing, for a format that is not written reading by reading.
struct EmptyEncoder: ReadingEncoder {
    let bytes: [UInt8] = []

    mutating func begin() {}

    mutating func write(_ recorded: RecordedReading) {}

    mutating func write(_ recorded: RecordedEntry) {}

    mutating func end() {}

    mutating func removeAll() {}
}

/// Writes recorded readings as the lines of `bedside watch --json`, with the run and the monotonic clock.
struct JSONLinesEncoder: ReadingEncoder {
    private var encoder: WatchEncoder

    init(isSimulated: Bool) {
        encoder = WatchEncoder(isSimulated: isSimulated)
    }

    var bytes: [UInt8] { encoder.json.bytes }

    mutating func begin() {}

    mutating func write(_ recorded: RecordedReading) {
        encoder.write(recorded)
    }

    mutating func write(_ recorded: RecordedEntry) {
        encoder.write(recorded)
    }

    mutating func end() {}

    mutating func removeAll() {
        encoder.json.removeAll()
    }
}
