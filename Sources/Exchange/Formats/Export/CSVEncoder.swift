import Base
import Monitoring
import Vitals

/// Writes a line of comma-separated values for each reading.
struct CSVEncoder: ReadingEncoder {
    /// The columns, in their order.
    static let columns =
        [
            "time", "sensor", "address", "kind", "vital", "value", "unit", "quality", "absence", "site", "device_time",
            "run", "monotonic_ns", "simulated", "note", "late", "measured_from", "measured_to",
        ] + entryColumns

    /// The columns that only entries of the record fill.
    static let entryColumns = [
        "entry", "entered", "mistaken_value", "retracted", "retraction_reason", "corrects", "correction_reason",
        "imported", "imported_from", "time_unknown", "user", "sequence", "remark",
    ]

    /// The content of these columns for readings.
    private static let noEntry = Array(repeating: UInt8(ascii: ","), count: entryColumns.count)

    private(set) var bytes: [UInt8] = []
    private let isSimulated: Bool
    private let keys: EntryKeys
    private var time = TimestampText()
    /// Name, address and kind of each sensor with the commas in between, by the store's number.
    private var sensors: [Int64: [UInt8]] = [:]

    init(keys: EntryKeys = EntryKeys(), isSimulated: Bool) {
        self.isSimulated = isSimulated
        self.keys = keys
    }

    mutating func begin() {
        bytes += Self.columns.joined(separator: ",").utf8
        bytes += CSVField.lineEnd
    }

    mutating func write(_ recorded: RecordedReading) {
        let reading = recorded.reading
        time.append(reading.moment.wallMilliseconds, to: &bytes)
        comma()
        bytes += fields(of: reading.sensor, number: recorded.sensorNumber)
        word(reading.vital.rawValue)
        switch reading.outcome {
        case .measured(let value, let quality):
            CSVField.append(value, to: &bytes)
            comma()
            word(reading.vital.unit)
            word(quality.rawValue)
            comma()
        case .noMeasurement(let reason):
            comma()
            word(reading.vital.unit)
            comma()
            word(reason.rawValue)
        }
        word(reading.site?.rawValue)
        word(reading.deviceTime?.text)
        end(run: recorded.run, reading.moment, note: reading.calibration?.note, late: reading.late)
        bytes += Self.noEntry
        bytes += CSVField.lineEnd
    }

    mutating func write(_ recorded: RecordedEntry) {
        let entry = recorded.entry
        // A mistaken entry has no value in the column of values, so that no sum counts it; its text contains the value.
        let note = entry.remarks
        let quantities = entry.quantities
        if quantities.isEmpty { writeLine(recorded, nil, note: note) }
        for quantity in quantities { writeLine(recorded, quantity, note: note) }
    }

    private mutating func writeLine(_ recorded: RecordedEntry, _ quantity: EntryQuantity?, note: String?) {
        let entry = recorded.entry
        // No time that would be taken for the one of the measurement.
        if entry.facts.isTimeKnown { time.append(entry.taken.wallMilliseconds, to: &bytes) }
        comma()
        Self.appendFields(of: entry.sensor, to: &bytes)
        word(quantity?.name ?? entry.kind?.rawValue)
        if !entry.isRetracted, let quantity { CSVField.append(quantity.value, to: &bytes) }
        comma()
        word(quantity?.unit)
        word(quantity == nil && !entry.facts.quality.isQuestionable ? nil : entry.facts.quality.rawValue)
        word(entry.isRetracted ? "entered_in_error" : entry.absence?.rawValue)
        word(entry.site?.rawValue)
        word(entry.facts.deviceTime?.text)
        end(run: recorded.run, entry.taken, note: note, late: nil)
        writeOrigin(of: recorded, quantity)
        bytes += CSVField.lineEnd
    }

    /// Writes the columns of entries: their identity, their retraction and correction.
    private mutating func writeOrigin(of recorded: RecordedEntry, _ quantity: EntryQuantity?) {
        let entry = recorded.entry
        comma()
        CSVField.append(recorded.key, to: &bytes)
        comma()
        time.append(recorded.enteredWallMilliseconds, to: &bytes)
        comma()
        if entry.isRetracted, let quantity { CSVField.append(quantity.value, to: &bytes) }
        comma()
        if let retractedAt = entry.retractedAt { time.append(retractedAt.wallMilliseconds, to: &bytes) }
        comma()
        CSVField.append(entry.retractionReason, to: &bytes)
        comma()
        if let corrected = keys.corrected(by: recorded) { CSVField.append(corrected, to: &bytes) }
        comma()
        CSVField.append(entry.correction?.reason ?? "", to: &bytes)
        comma()
        if entry.origin != nil { time.append(entry.enteredAt.wallMilliseconds, to: &bytes) }
        comma()
        CSVField.append(entry.origin?.source ?? "", to: &bytes)
        comma()
        word(entry.facts.isTimeKnown ? nil : "true")
        word(entry.facts.user.map { "\($0)" })
        word(entry.facts.sequence.map { "\($0)" })
        CSVField.append(entry.facts.remark ?? "", to: &bytes)
    }

    private mutating func end(run: Int64, _ moment: Moment, note: String?, late: LateInterval?) {
        CSVField.append(run, to: &bytes)
        comma()
        CSVField.append(moment.monotonicNanoseconds, to: &bytes)
        comma()
        bytes += (isSimulated ? "true" : "false").utf8
        comma()
        if let note { CSVField.append(note, to: &bytes) }
        comma()
        word(late?.source.rawValue)
        if let late { time.append(late.from.wallMilliseconds, to: &bytes) }
        comma()
        if let late { time.append(late.to.wallMilliseconds, to: &bytes) }
    }

    mutating func end() {}

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func fields(of sensor: SensorIdentity, number: Int64) -> [UInt8] {
        if let known = sensors[number] { return known }
        var fields: [UInt8] = []
        Self.appendFields(of: sensor, to: &fields)
        sensors[number] = fields
        return fields
    }

    // Not a method of the value, which would be copied with all its bytes while they are changed.
    private static func appendFields(of sensor: SensorIdentity, to fields: inout [UInt8]) {
        for text in [sensor.name, sensor.address, sensor.kind.rawValue] {
            CSVField.append(text, to: &fields)
            fields.append(UInt8(ascii: ","))
        }
    }

    /// Writes a fixed word, which needs no quotes, and a comma.
    private mutating func word(_ text: String?) {
        if let text { bytes += text.utf8 }
        comma()
    }

    private mutating func comma() {
        bytes.append(UInt8(ascii: ","))
    }
}

/// The fields of comma-separated values (RFC 4180).
enum CSVField {
    static let lineEnd: [UInt8] = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]

    /// The characters that begin a formula in a spreadsheet.
    static let formulaBeginnings: [Unicode.Scalar] = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

    /// Appends an untrusted text.
    ///
    /// A spreadsheet treats a text that begins with `=`, `+`, `-` or `@` as a formula, and some formulas run programs;
    /// an apostrophe prevents that. Control characters are replaced.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = sanitized(text, limit: 256)
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
        if let first, formulaBeginnings.contains(first) { text = "'" + text }
        guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else {
            bytes += text.utf8
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a whole number.
    static func append(_ number: Int64, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Appends a value without trailing zeros: `72`, `38.6`, `38.65`.
    static func append(_ value: VitalValue, to bytes: inout [UInt8]) {
        if value.hundredths < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, fraction) = value.hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        append(Int64(clamping: whole), to: &bytes)
        if fraction == 0 { return }
        bytes.append(UInt8(ascii: "."))
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction / 10))
        if fraction % 10 != 0 { bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction % 10)) }
    }
}
