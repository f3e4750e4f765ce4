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

    /// What a format writes.
    public enum Content: Hashable, Sendable {
        /// Readings, and entries of the record.
        case readings
        case rrIntervals
        case waves
    }

    /// What it writes.
    public var content: Content {
        switch self {
        case .csv, .csvWide, .jsonLines, .fhir, .influx: .readings
        case .rr: .rrIntervals
        case .waves, .fhirWaves: .waves
        }
    }

    /// The encoder of the format.
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
