import Formats
import Monitoring
import Vitals

/// Something of the record that is sent.
public enum SendingItem: Hashable, Sendable {
    case reading(RecordedReading)
    case entry(RecordedEntry)
    /// A change of an alarm, with its number in the log.
    case alarm(AlarmLogEntry, number: Int64)

    /// When it happened, in milliseconds since 1970 (UTC).
    public var wallMilliseconds: Int64 {
        switch self {
        case .reading(let recorded): recorded.reading.measured.wallMilliseconds
        case .entry(let recorded): recorded.entry.taken.wallMilliseconds
        case .alarm(let entry, _): entry.moment.wallMilliseconds
        }
    }

    /// What it is and when, without values and names.
    var logTitle: String {
        let name =
            switch self {
            case .reading(let recorded): recorded.reading.vital.traits.text
            case .entry(let recorded): "entry \(recorded.entry.kind?.rawValue ?? "note")"
            case .alarm(let entry, _): "alarm \(entry.kindName)"
            }
        return "\(name) of \(timestamp(ofWallMilliseconds: wallMilliseconds))"
    }
}

extension AlarmLogEntry {
    /// The name of the alarm's condition; empty for an action.
    fileprivate var kindName: String { if case .change(let change) = content { change.kindName } else { "" } }
}

/// What of a store is sent.
public struct SendingSelection: Hashable, Sendable {
    /// The patient; `nil` for all patients of a bed.
    public var patient: Patient?
    /// Since when something must have been measured, in milliseconds since 1970 (UTC).
    public var start: Int64

    /// A patient of a store.
    public struct Patient: Hashable, Sendable {
        /// The number of the patient's record, from 1.
        public var number: Int
        /// When the patient's values were measured, in milliseconds since 1970 (UTC).
        public var range: Range<Int64>

        public init(number: Int, range: Range<Int64>) {
            (self.number, self.range) = (number, range)
        }
    }

    public init(of patient: Patient? = nil, since start: Int64 = .min) {
        (self.patient, self.start) = (patient, start)
    }

    private func contains(_ wallMilliseconds: Int64) -> Bool {
        wallMilliseconds >= start && patient?.range.contains(wallMilliseconds) ?? true
    }

    /// The items of stored rows, in their order: every entry and alarm, and of each vital and sensor one reading a minute.
    ///
    /// Of the readings of a minute it is the last value that the sensor does not hold for a malfunction, or else the last
    /// reading. What the sensor had kept is also taken by the minutes of its measurement.
    ///
    /// - Parameter rows: Rows with whole minutes.
    public func items(_ rows: [RecordedRow]) -> [SendingItem] {
        var items: [SendingItem] = []
        var readings: [Series: Int] = [:]
        var entries: [RecordEntry.ID: Int] = [:]
        for row in rows {
            switch row.content {
            case .rrIntervals: continue
            case .alarmLog(let entry):
                guard case .change = entry.content, contains(entry.moment.wallMilliseconds) else { continue }
                items.append(.alarm(entry, number: row.number))
            case .entry(let entry, patient: let number):
                // A user, or a file, says whose it is, and not its time.
                guard self.patient?.number ?? number == number, entry.taken.wallMilliseconds >= start else { continue }
                // One that was taken back meanwhile is there twice.
                let item = SendingItem.entry(RecordedEntry(entry, run: row.run))
                if let known = entries[entry.id] {
                    items[known] = item
                } else {
                    entries[entry.id] = items.count
                    items.append(item)
                }
            case .reading(let reading):
                guard contains(reading.measured.wallMilliseconds) else { continue }
                let item = SendingItem.reading(
                    RecordedReading(reading, run: row.run, number: row.number, sensorNumber: 0))
                let series = Series(reading, run: row.run)
                guard let known = readings[series] else {
                    readings[series] = items.count
                    items.append(item)
                    continue
                }
                guard case .reading(let former) = items[known], reading.isUsable || !former.reading.isUsable else {
                    continue
                }
                items[known] = item
            }
        }
        return items
    }

    /// The readings of which one is sent.
    private struct Series: Hashable {
        var arrival: Int64
        var measured: Int64
        var run: Int64
        var vital: Vital
        var address: String

        init(_ reading: Reading, run: Int64) {
            arrival = reading.moment.wallMilliseconds / 60_000
            measured = reading.measured.wallMilliseconds / 60_000
            (self.run, vital, address) = (run, reading.vital, reading.sensor.address)
        }
    }
}

extension Reading {
    /// When it was measured, as far as it is known.
    fileprivate var measured: Moment { late?.estimate ?? moment }

    /// Whether it has a value that the sensor does not hold for a malfunction.
    fileprivate var isUsable: Bool {
        if case .measured(_, let quality) = outcome { quality != .malfunction } else { false }
    }
}
