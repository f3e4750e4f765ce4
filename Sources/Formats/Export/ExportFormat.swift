import Monitoring
import Vitals

/// The forms in which recorded readings can be written; the raw value is the word of `--format`.
public enum ExportFormat: String, CaseIterable, Hashable, Sendable {
    /// A line for each reading.
    case csv
    /// A line for each second, and a column for each sensor and vital.
    case csvWide = "csv-wide"
    /// The lines of `bedside watch --json`.
    case jsonLines = "jsonl"
    /// A Bundle of Observations, HL7 FHIR R4.
    case fhir

    /// What writes the form.
    ///
    /// - Parameters:
    ///   - sources: All that will occur.
    ///   - entries: What was typed by hand, all of it.
    ///   - isSimulated: Whether it is about simulated sensors, which every form says.
    ///   - patient: The reference of the patient, such as `Patient/123`; for FHIR.
    public func encoder(
        sources: [RecordedSource], entries: [RecordedManualEntry] = [], isSimulated: Bool, patient: String?
    ) -> any ReadingEncoder {
        switch self {
        case .csv: CSVEncoder(isSimulated: isSimulated)
        case .csvWide: WideCSVEncoder(sources: sources, entries: entries, isSimulated: isSimulated)
        case .jsonLines: JSONLinesEncoder(isSimulated: isSimulated)
        case .fhir:
            FHIREncoder(
                sources: sources, isEmpty: sources.isEmpty && entries.isEmpty, isSimulated: isSimulated,
                patient: patient)
        }
    }
}

/// Writes recorded readings in some form, the oldest first, into a buffer that its owner empties from time to time.
public protocol ReadingEncoder {
    /// What has been written since the buffer was emptied.
    var octets: [UInt8] { get }

    /// Writes what comes before the first reading.
    mutating func begin()

    /// Writes a reading.
    mutating func write(_ recorded: RecordedReading)

    /// Writes what was typed by hand.
    mutating func write(_ recorded: RecordedManualEntry)

    /// Writes what comes after the last reading.
    mutating func end()

    /// Empties the buffer and keeps its room.
    mutating func removeAll()
}
