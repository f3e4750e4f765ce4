import Monitoring
import SaturatingArithmetic
import Vitals

/// Writes a line of comma-separated values for each second with a reading.
///
/// There is a column for each sensor and vital, and for each quantity entered by hand, with the newest value of the
/// second, if any. Entries made in error, notes and late values are left out; the second of a late value is unknown or
/// out of order.
struct WideCSVEncoder: ReadingEncoder {
    private struct Column: Hashable {
        var sensorNumber: Int64
        var vital: Vital
    }

    private struct ManualColumn: Hashable {
        var name: String
        var unit: String
    }

    private(set) var bytes: [UInt8] = []
    private let sources: [RecordedSource]
    private let isSimulated: Bool
    private var time = TimestampText()
    private var places: [Column: Int] = [:]
    private var manualColumns: [ManualColumn] = []
    private var values: [VitalValue?]
    private var second: Int64?

    init(sources: [RecordedSource], entries: [RecordedEntry] = [], isSimulated: Bool) {
        self.sources = sources
        self.isSimulated = isSimulated
        for quantity in entries.lazy.filter({ !$0.entry.isRetracted }).flatMap(\.entry.quantities) {
            let column = ManualColumn(name: quantity.name, unit: quantity.unit)
            if !manualColumns.contains(column) { manualColumns.append(column) }
        }
        manualColumns.sort { $0.name < $1.name }
        values = Array(repeating: nil, count: sources.count + manualColumns.count)
        for (place, source) in sources.enumerated() {
            for number in source.sensorNumbers { places[Column(sensorNumber: number, vital: source.vital)] = place }
        }
    }

    mutating func begin() {
        bytes += "time".utf8
        for source in sources {
            bytes.append(UInt8(ascii: ","))
            let (vital, sensor) = (source.vital, source.sensor)
            let label = "\(vital.rawValue) \(vital.unit) \(sensor.name) \(sensor.address)"
            CSVField.append(isSimulated ? "\(label) SIMULATED" : label, to: &bytes)
        }
        for column in manualColumns {
            bytes.append(UInt8(ascii: ","))
            CSVField.append("\(column.name) \(column.unit) manual\(isSimulated ? " SIMULATED" : "")", to: &bytes)
        }
        bytes += CSVField.lineEnd
    }

    mutating func write(_ recorded: RecordedEntry) {
        let entry = recorded.entry
        let quantities = entry.quantities
        guard !entry.isRetracted, !quantities.isEmpty else { return }
        begin(entry.taken.wallMilliseconds)
        for quantity in quantities {
            let column = ManualColumn(name: quantity.name, unit: quantity.unit)
            guard let place = manualColumns.firstIndex(of: column) else { continue }
            values[sources.count + place] = quantity.value
        }
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
            values[place] = nil
        }
        bytes += CSVField.lineEnd
        self.second = nil
    }
}
