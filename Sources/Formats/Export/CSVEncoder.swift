import Monitoring
import Vitals

/// Writes a line of comma-separated values for each reading.
struct CSVEncoder: ReadingEncoder {
    /// The columns, in their order.
    static let columns = [
        "time", "sensor", "address", "kind", "vital", "value", "unit", "quality", "absence", "site", "device_time",
        "run", "monotonic_ns", "simulated", "note", "late", "measured_from", "measured_to",
    ]

    /// The number that means "no sensor" among the store's sensor numbers.
    private static let noSensor: Int64 = .min

    private(set) var bytes: [UInt8] = []
    private let isSimulated: Bool
    private var time = TimestampText()
    /// Name, address and kind of each sensor with the commas between, by the store's number.
    private var sensors: [Int64: [UInt8]] = [:]

    init(isSimulated: Bool) {
        self.isSimulated = isSimulated
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
        word(reading.deviceTime.map(WatchText.text(of:)))
        end(run: recorded.run, reading.moment, note: nil, late: reading.late)
    }

    mutating func write(_ recorded: RecordedEntry) {
        let entry = recorded.entry
        // An entry made in error has no value in the column of values, so that no sum counts it; its text states it.
        let note = entry.isRetracted ? entry.text : entry.words
        let quantities = entry.quantities
        if quantities.isEmpty { writeLine(recorded, nil, note: note) }
        for quantity in quantities { writeLine(recorded, quantity, note: note) }
    }

    private mutating func writeLine(_ recorded: RecordedEntry, _ quantity: EntryQuantity?, note: String?) {
        let entry = recorded.entry
        time.append(entry.taken.wallMilliseconds, to: &bytes)
        comma()
        bytes += fields(of: .manual, number: Self.noSensor)
        word(quantity?.name ?? entry.kind?.rawValue)
        if !entry.isRetracted, let quantity { CSVField.append(quantity.value, to: &bytes) }
        comma()
        word(quantity?.unit)
        word(entry.isRetracted || quantity == nil ? nil : Reading.Quality.good.rawValue)
        word(entry.isRetracted ? "entered_in_error" : nil)
        word(entry.site?.rawValue)
        comma()
        end(run: recorded.run, entry.taken, note: note, late: nil)
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
        bytes += CSVField.lineEnd
    }

    mutating func end() {}

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func fields(of sensor: SensorIdentity, number: Int64) -> [UInt8] {
        if let known = sensors[number] { return known }
        var fields: [UInt8] = []
        for text in [sensor.name, sensor.address, sensor.kind.rawValue] {
            CSVField.append(text, to: &fields)
            fields.append(UInt8(ascii: ","))
        }
        sensors[number] = fields
        return fields
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
