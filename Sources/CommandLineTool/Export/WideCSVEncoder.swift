import Vitals

/// Writes a line of comma-separated values for each second in which something was told, with a column for each sensor
/// and vital: the newest value of the second, or nothing where there is none.
struct WideCSVEncoder: ReadingEncoder {
    private struct Column: Hashable {
        var sensorNumber: Int64
        var vital: Vital
    }

    private(set) var octets: [UInt8] = []
    private let sources: [RecordedSource]
    private let isSimulated: Bool
    private var time = TimeText()
    private var places: [Column: Int] = [:]
    private var values: [VitalValue?]
    private var second: Int64?

    init(sources: [RecordedSource], isSimulated: Bool) {
        self.sources = sources
        self.isSimulated = isSimulated
        values = Array(repeating: nil, count: sources.count)
        for (place, source) in sources.enumerated() {
            for number in source.sensorNumbers { places[Column(sensorNumber: number, vital: source.vital)] = place }
        }
    }

    mutating func begin() {
        octets += "time".utf8
        for source in sources {
            octets.append(UInt8(ascii: ","))
            let (vital, sensor) = (source.vital, source.sensor)
            let label = "\(vital.rawValue) \(vital.unit) \(sensor.name) \(sensor.address)"
            CSVField.append(isSimulated ? "\(label) SIMULATED" : label, to: &octets)
        }
        octets += CSVField.lineEnd
    }

    mutating func write(_ recorded: RecordedReading) {
        let reading = recorded.reading
        let wall = reading.moment.wallMilliseconds
        let start = wall - (wall % 1000 + 1000) % 1000
        if start != second { finishSecond() }
        second = start
        guard case .measured(let value, _) = reading.outcome,
            let place = places[Column(sensorNumber: recorded.sensorNumber, vital: reading.vital)]
        else { return }
        values[place] = value
    }

    mutating func end() {
        finishSecond()
    }

    mutating func removeAll() {
        octets.removeAll(keepingCapacity: true)
    }

    private mutating func finishSecond() {
        guard let second else { return }
        time.append(second, to: &octets)
        for place in values.indices {
            octets.append(UInt8(ascii: ","))
            if let value = values[place] { CSVField.append(value, to: &octets) }
            values[place] = nil
        }
        octets += CSVField.lineEnd
        self.second = nil
    }
}
