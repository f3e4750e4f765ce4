import Base
import EDF
import Monitoring
import Nights
import Vitals
import Waves

/// What an exported recording contains, for the header of its file: the first of two passes over the record.
///
/// It needs a bit for each second with data, and the annotations, but no samples. See ``SignalEncoder`` for the second
/// pass.
public struct SignalSurvey: Sendable {
    /// How far apart two values of a sensor may be, in seconds, so that the first one stands for the time between them.
    static let hold: Int64 = 3
    /// The most annotations; those about absences beyond it are left out.
    static let annotationLimit = 200_000

    /// The longest segment of a wave, in milliseconds.
    private static let longestSegment: Int64 = 10_000

    private let range: Range<Int64>
    private(set) var tracks: [SignalTrack.Key: SignalTrack] = [:]
    private(set) var seconds = SecondSet()
    /// Values that came late, which are not in the order of their times.
    private(set) var late: [Late] = []
    private var last: [SignalTrack.Key: Int64] = [:]

    private(set) var notes: [Note] = []
    private var open: [NoteKey: Int] = [:]

    /// A value that came late.
    struct Late: Hashable, Sendable {
        var second: Int64
        var key: SignalTrack.Key
        var value: Int
    }

    /// An annotation with its wall times in milliseconds.
    struct Note: Hashable, Sendable {
        var from: Int64
        var to: Int64?
        var text: String
    }

    /// What an annotation that has not ended is about.
    private enum NoteKey: Hashable {
        case absence(address: String, vital: Vital)
        case alarm(run: Int64, id: Alarm.ID)
    }

    /// - Parameter range: The wall times that are exported, in milliseconds since 1970 (UTC).
    public init(in range: Range<Int64>) { self.range = range }

    /// Whether there is nothing to export.
    public var isEmpty: Bool { seconds.isEmpty }

    private mutating func include(_ key: SignalTrack.Key, _ sensor: SensorIdentity, _ value: Int) {
        tracks[key, default: SignalTrack(key: key, sensor: sensor)].include(value)
        tracks[key]?.sensor = sensor
    }

    /// Adds a reading, in the order in which they came.
    public mutating func add(_ recorded: RecordedReading) {
        let reading = recorded.reading
        let key = SignalTrack.Key(address: reading.sensor.address, quantity: .vital(reading.vital))
        let wall = (reading.late?.estimate ?? reading.moment).wallMilliseconds
        guard range.contains(wall) else { return }
        guard case .measured(let value, _) = reading.outcome else {
            if reading.late == nil { addAbsence(reading, at: wall) }
            return
        }
        let second = wholeSecond(wall)
        include(key, reading.sensor, value.hundredths)
        seconds.insert(second)
        if reading.late != nil {
            late.append(Late(second: second, key: key, value: value.hundredths))
            return
        }
        if let before = last[key], (1...Self.hold).contains(second - before) { seconds.insert(before..<second) }
        last[key] = second
        if let place = open.removeValue(forKey: .absence(address: key.address, vital: reading.vital)) {
            notes[place].to = wall
        }
    }

    private mutating func addAbsence(_ reading: Reading, at wall: Int64) {
        guard case .noMeasurement(let reason) = reading.outcome else { return }
        last[SignalTrack.Key(address: reading.sensor.address, quantity: .vital(reading.vital))] = nil
        // What is beside another vital is absent whenever that is.
        if case .companion = reading.vital.traits.role { return }
        let explanation = AbsenceExplanation(reason: reason, sensor: reading.sensor.kind, vital: reading.vital)
        let text = "no measurement: \(explanation.title) (\(reading.sensor.shortName()))"
        let key = NoteKey.absence(address: reading.sensor.address, vital: reading.vital)
        if let place = open[key] {
            if notes[place].text == text { return }
            notes[place].to = wall
        }
        guard notes.count < Self.annotationLimit else { return }
        open[key] = notes.count
        notes.append(Note(from: wall, text: text))
    }

    /// Adds a segment of a wave.
    public mutating func add(_ recorded: RecordedWave) {
        let segment = recorded.segment
        let start = segment.start.wallMilliseconds
        // A segment of a damaged store may claim to last for years.
        let end = start.addingSaturated(min(segment.nanoseconds / 1_000_000, Self.longestSegment))
        seconds.insert(wholeSecond(start)..<max(wholeSecond(start), wholeSecond(end.subtractingSaturated(1))) + 1)
        let channels = segment.kind.traits.channels
        for channel in 0..<channels {
            let key = SignalTrack.Key(
                address: segment.sensor.address, quantity: .wave(segment.kind, channel: channel))
            for index in stride(from: channel, to: segment.samples.count, by: channels)
            where SignalTrack.canHold(segment.samples[index]) {
                include(key, segment.sensor, Int(segment.samples[index]))
            }
            tracks[key]?.samples += segment.count
            tracks[key]?.nanoseconds.addSaturated(segment.nanoseconds)
        }
    }

    /// Adds a night that a sensor stored itself.
    public mutating func add(_ night: StoredNight) {
        for quantity in SignalTrack.NightQuantity.allCases {
            let key = SignalTrack.Key(
                address: night.sensor.address, quantity: .night(quantity, interval: night.interval))
            for (index, sample) in night.samples.enumerated() {
                guard let value = quantity.value(of: sample) else { continue }
                let wall = night.start(of: index)
                guard range.contains(wall) else { continue }
                include(key, night.sensor, value)
                // Movement alone is no measurement.
                if quantity != .movement {
                    seconds.insert(wholeSecond(wall)..<wholeSecond(wall).addingSaturated(Int64(night.interval)))
                }
            }
        }
    }

    /// Adds an entry of the record; retracted ones are left out, and those of an unknown time.
    public mutating func add(_ recorded: RecordedEntry) {
        let entry = recorded.entry
        guard !entry.isRetracted, !entry.isUnconfirmed, entry.facts.isTimeKnown,
            range.contains(entry.taken.wallMilliseconds)
        else { return }
        notes.append(Note(from: entry.taken.wallMilliseconds, text: entry.text))
    }

    /// Adds an entry of the alarm log; actions are left out.
    public mutating func add(_ entry: AlarmLogEntry) {
        guard case .change(let change) = entry.content, range.contains(entry.moment.wallMilliseconds) else { return }
        let key = NoteKey.alarm(run: entry.run, id: change.id)
        if let place = open[key] {
            guard change.state.isEnd else { return }
            notes[place].to = entry.moment.wallMilliseconds
            open[key] = nil
        } else if !change.state.isEnd {
            open[key] = notes.count
            notes.append(
                Note(
                    from: entry.moment.wallMilliseconds,
                    text: "alarm, \(change.priority.rawValue) priority: \(change.text)"))
        }
    }
}

extension AlarmLogEntry.State {
    /// Whether nothing follows it.
    fileprivate var isEnd: Bool {
        switch self {
        case .ended, .putAway, .interrupted, .unanswered: true
        case .active, .suspended, .acknowledged, .alertedAgain: false
        }
    }
}

extension Int64 {
    fileprivate mutating func addSaturated(_ other: Int64) { self = addingSaturated(other) }
}

extension SignalSurvey {
    /// The annotations in the order of their beginnings, each once, with all of their seconds among those with data.
    ///
    /// - Parameters:
    ///   - most: The most octets of annotations in one second; what is more moves to the next one.
    ///   - isSimulated: Whether the first one says that the data are simulated.
    /// - Returns: The annotations by the second of the data record that they stand in.
    mutating func placedNotes(most: Int, isSimulated: Bool) -> [(second: Int64, note: Note)] {
        var sorted = notes
        if isSimulated, let start = seconds.bounds?.lowerBound ?? sorted.map(\.from).min().map(wholeSecond) {
            sorted.append(Note(from: start.multipliedSaturated(by: 1000), text: "simulated sensors, and no patient"))
        }
        sorted.sort { ($0.from, $0.to ?? .max, $0.text) < ($1.from, $1.to ?? .max, $1.text) }
        var placed: [(second: Int64, note: Note)] = []
        var (second, used) = (Int64.min, 0)
        for (index, note) in sorted.enumerated() where index == 0 || note != sorted[index - 1] {
            // Whatever the onset, no list is longer.
            let size = EDFAnnotation(onset: 999_999_999_999, duration: 999_999_999_999, note.text).octets().count
            let own = max(second, wholeSecond(note.from))
            if own > second { (second, used) = (own, 0) }
            if used + size > most { (second, used) = (second + 1, 0) }
            used += size
            seconds.insert(second)
            placed.append((second, note))
        }
        return placed
    }
}
