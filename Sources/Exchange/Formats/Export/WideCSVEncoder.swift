import Monitoring
import Base
import Vitals

/// Writes a line of comma-separated values for each second with a reading.
///
/// There is a column for each sensor and vital, and for each quantity of entries by source, with the newest value of
/// the second, if any; and one for the remarks on transferred values, with the reason for a missing value. Mistaken
/// entries, notes and late values are omitted, because the second of a late value is unknown or out of order.
struct WideCSVEncoder: ReadingEncoder {
    private struct Column: Hashable {
        var sensorNumber: Int64
        var vital: Vital
    }

    /// A column of entries.
    struct EntryColumn: Hashable {
        /// The quantity; `nil` for remarks.
        var quantity: String?
        var unit = ""
        /// The address of the sensor, or `manual` for what a person typed, here or where the file is from.
        var address: String
        var sensor: String

        fileprivate init(_ quantity: EntryQuantity?, of entry: RecordEntry) {
            (self.quantity, unit) = (quantity?.name, quantity?.unit ?? "")
            (address, sensor) = (entry.sensor.address, entry.sensor.name)
            // What a file brought was not entered here.
            if let origin = entry.origin { (address, sensor) = (SensorIdentity.manual.address, origin.source) }
        }

        fileprivate var title: String {
            let words = quantity.map { "\($0) \(unit)" } ?? "remark"
            if self.sensor == SensorIdentity.manual.name { return "\(words) manual" }
            return address == SensorIdentity.manual.address
                ? "\(words) imported from \(sensor)" : "\(words) \(sensor) \(address)"
        }

        // A renamed sensor is the same one.
        static func == (one: EntryColumn, other: EntryColumn) -> Bool {
            one.quantity == other.quantity && one.unit == other.unit && one.address == other.address
                && (one.address != SensorIdentity.manual.address || one.sensor == other.sensor)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(quantity)
            hasher.combine(address)
        }
    }

    private(set) var bytes: [UInt8] = []
    private let sources: [RecordedSource]
    private let isSimulated: Bool
    private var time = TimestampText()
    private var places: [Column: Int] = [:]
    private var entryColumns: [EntryColumn] = []
    private var values: [VitalValue?]
    private var remarks: [EntryColumn: String] = [:]
    private var second: Int64?

    init(sources: [RecordedSource], columns: Set<EntryColumn> = [], isSimulated: Bool) {
        self.sources = sources
        self.isSimulated = isSimulated
        entryColumns = columns.sorted {
            // Remarks stand last.
            ($0.quantity ?? "~", $0.unit, $0.address, $0.sensor) < ($1.quantity ?? "~", $1.unit, $1.address, $1.sensor)
        }
        values = Array(repeating: nil, count: sources.count + entryColumns.count)
        for (place, source) in sources.enumerated() {
            for number in source.sensorNumbers { places[Column(sensorNumber: number, vital: source.vital)] = place }
        }
    }

    /// The columns of an entry.
    static func columns(of entry: RecordEntry) -> [EntryColumn] {
        if entry.isRetracted { return [] }
        let columns = entry.quantities.map { EntryColumn($0, of: entry) }
        return remark(on: entry) == nil ? columns : columns + [EntryColumn(nil, of: entry)]
    }

    mutating func begin() {
        bytes += "time".utf8
        for source in sources {
            bytes.append(UInt8(ascii: ","))
            let (vital, sensor) = (source.vital, source.sensor)
            let label = "\(vital.rawValue) \(vital.unit) \(sensor.name) \(sensor.address)"
            CSVField.append(isSimulated ? "\(label) SIMULATED" : label, to: &bytes)
        }
        for column in entryColumns {
            bytes.append(UInt8(ascii: ","))
            CSVField.append(isSimulated ? "\(column.title) SIMULATED" : column.title, to: &bytes)
        }
        bytes += CSVField.lineEnd
    }

    mutating func write(_ recorded: RecordedEntry) {
        let entry = recorded.entry
        let quantities = entry.quantities
        let remark = Self.remark(on: entry)
        guard !entry.isRetracted, !quantities.isEmpty || remark != nil else { return }
        begin(entry.taken.wallMilliseconds)
        for quantity in quantities {
            guard let place = entryColumns.firstIndex(of: EntryColumn(quantity, of: entry)) else { continue }
            values[sources.count + place] = quantity.value
        }
        if let remark {
            let column = EntryColumn(nil, of: entry)
            remarks[column] = remarks[column].map { "\($0); \(remark)" } ?? remark
        }
    }

    /// What is known of a value beside it, and why there is none; not the words that were typed.
    ///
    /// A value of unknown time is in the row of the second in which it arrived; its remark says so.
    private static func remark(on entry: RecordEntry) -> String? {
        entry.source == .typed ? entry.facts.note : entry.remarks
    }

    private mutating func begin(_ wall: Int64) {
        let start = wall.subtractingSaturated((wall % 1000 + 1000) % 1000)
        if start != second { finishSecond() }
        second = start
    }

    mutating func write(_ recorded: RecordedReading) {
        let reading = recorded.reading
        if reading.late != nil { return }
        begin(reading.moment.wallMilliseconds)
        guard case .measured(let value, _) = reading.outcome,
            let place = places[Column(sensorNumber: recorded.sensorNumber, vital: reading.vital)]
        else { return }
        values[place] = value
    }

    mutating func end() {
        finishSecond()
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func finishSecond() {
        guard let second else { return }
        time.append(second, to: &bytes)
        for place in values.indices {
            bytes.append(UInt8(ascii: ","))
            if let value = values[place] { CSVField.append(value, to: &bytes) }
            if place >= sources.count, let remark = remarks[entryColumns[place - sources.count]] {
                CSVField.append(remark, to: &bytes)
            }
            values[place] = nil
        }
        remarks.removeAll()
        bytes += CSVField.lineEnd
        self.second = nil
    }
}
