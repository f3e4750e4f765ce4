import Base
import EDF
import Nights
import VitalDecoders
import Vitals
import Waves

/// Writes a recording as EDF+, an hour at a time: the second of two passes over the record.
///
/// A data record is one second. What is not measured in a second is the least number of its signal; a second in which
/// nothing is measured has no data record. Source: EDF+, sections 2.1.4, 2.2.3 and 2.2.4 (<https://www.edfplus.info>).
public struct SignalEncoder {
    /// The bytes since the buffer was emptied.
    public private(set) var bytes: [UInt8] = []
    /// The header of the file.
    public let header: EDFHeader

    private let tracks: [SignalTrack]
    private let scales: [SignalScale]
    private let places: [SignalTrack.Key: Int]
    private let seconds: SecondSet
    private let start: Int64
    private let notes: [(second: Int64, note: SignalSurvey.Note)]
    private var nextNote = 0
    private let late: [SignalSurvey.Late]
    private var nextLate = 0

    private var hour: Range<Int64> = 0..<0
    /// The samples of the hour, signal by signal.
    private var samples: [[Int16]] = []
    /// The newest value of each signal of a vital.
    private var last: [Int: (second: Int64, code: Int16)] = [:]
    /// Where the samples of each wave of the hour end, in slots since its beginning.
    private var covered: [Int: Int] = [:]
    /// Where the newest segment of each wave ends, in nanoseconds since the beginning of the hour.
    private var ends: [WaveStream: Double] = [:]

    /// The most octets of annotations in one data record.
    private static let noteRoom = 4096
    /// How much of a wave before and after an hour tells its samples at the ends, in milliseconds.
    private static let margin: Int64 = 1000
    /// How far the times of two segments that continue each other may be apart, in nanoseconds.
    private static let jitter = 1.5e6

    /// - Parameters:
    ///   - survey: What the first pass has found.
    ///   - isSimulated: Whether the data are simulated, which the recording and an annotation say.
    ///   - offset: The local time's offset from UTC at a wall time in milliseconds, in seconds to the east.
    public init(_ survey: SignalSurvey, isSimulated: Bool, offset: (Int64) -> Int) {
        var survey = survey
        let notes = survey.placedNotes(most: Self.noteRoom, isSimulated: isSimulated && !survey.isEmpty)
        let tracks = survey.tracks.values.filter { $0.least <= $0.most }.sorted {
            ($0.key.quantity.order, $0.key.address, $0.key.quantity.interval)
                < ($1.key.quantity.order, $1.key.address, $1.key.quantity.interval)
        }
        let bounds = survey.seconds.bounds ?? 0..<0
        start = bounds.lowerBound
        (self.tracks, seconds) = (tracks, survey.seconds)
        self.notes = notes
        scales = tracks.map { SignalScale($0) }
        places = Dictionary(tracks.enumerated().map { ($1.key, $0) }) { first, _ in first }
        late = survey.late.sorted { $0.second < $1.second }
        var numbers: [Int: Int] = [:]
        var signals = tracks.map { track in
            numbers[track.key.quantity.order, default: 0] += 1
            return track.signal(numbers[track.key.quantity.order] ?? 1)
        }
        signals.append(.annotations(octets: Self.room(notes, start)))
        let wall = start.milliseconds
        let local = DateTime(wallMilliseconds: wall.addingSaturated(Int64(offset(wall)) * 1000))
        let isWhole = bounds.count == survey.seconds.count
        var header = EDFHeader(
            start: local, kind: isWhole ? .continuous : .discontinuous, recordCount: survey.seconds.count,
            recordDuration: 1, signals: signals)
        let equipment = EDFHeader.subfield("Bedside \(Product.version)")
        header.recording = "Startdate \(EDFHeader.date(local)) X X \(equipment)\(isSimulated ? " simulated" : "")"
        self.header = header
    }

    /// The room that annotations need in a data record, in octets, with the list that says when it begins.
    private static func room(_ notes: [(second: Int64, note: SignalSurvey.Note)], _ start: Int64) -> Int {
        var sizes: [Int64: Int] = [:]
        for (second, note) in notes { sizes[second, default: 0] += Self.list(note, start).count }
        // The longest time that fits is one of 19 digits, with a sign and three octets more.
        return 24 + (sizes.values.max() ?? 0)
    }

    private static func list(_ note: SignalSurvey.Note, _ start: Int64) -> [UInt8] {
        EDFAnnotation(
            onset: note.from.subtractingSaturated(start.milliseconds),
            duration: note.to.map { max(0, $0.subtractingSaturated(note.from)) }, note.text
        ).octets()
    }

    /// Whether the header can name as many data records, and none is longer than EDF recommends.
    public var fits: Bool {
        header.recordCount <= EDFHeader.mostRecords && header.recordSize <= EDFHeader.recommendedRecordSize
            && header.signals.count <= EDFHeader.mostSignals
    }

    /// The hours of the file in their order: what is to be written for each, in milliseconds since 1970 (UTC).
    public var hours: [Range<Int64>] {
        seconds.hours.map { hour in
            let seconds = SecondSet.seconds(ofHour: hour)
            return seconds.lowerBound.milliseconds..<seconds.upperBound.milliseconds
        }
    }

    /// The readings that are to be written for an hour: those next to it tell what lies between two at its ends.
    public func readings(of hour: Range<Int64>) -> Range<Int64> {
        Self.widened(hour, by: (SignalSurvey.hold + 1).milliseconds)
    }

    /// The waves that are to be written for an hour: some of those before and after it belong to its ends.
    public func waves(of hour: Range<Int64>) -> Range<Int64> {
        Self.widened(hour, by: Self.margin)
    }

    private static func widened(_ hour: Range<Int64>, by margin: Int64) -> Range<Int64> {
        hour.lowerBound.subtractingSaturated(margin)..<hour.upperBound.addingSaturated(margin)
    }

    /// Writes the header.
    public mutating func begin() { bytes += header.octets() }

    /// Begins an hour, one of ``hours``.
    public mutating func begin(hour: Range<Int64>) {
        self.hour = hour.lowerBound / 1000..<hour.upperBound / 1000
        samples = zip(tracks, scales).map { [Int16](repeating: $1.none, count: $0.rate * self.hour.count) }
        covered.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        last.removeAll(keepingCapacity: true)
    }

    private mutating func set(_ place: Int, _ second: Int64, _ code: Int16) {
        guard hour.contains(second) else { return }
        samples[place][Int(second - hour.lowerBound)] = code
    }

    /// Writes a reading of ``readings(of:)``, in the order in which they came.
    public mutating func write(_ recorded: RecordedReading) {
        let reading = recorded.reading
        let key = SignalTrack.Key(address: reading.sensor.address, quantity: .vital(reading.vital))
        guard reading.late == nil, let place = places[key] else { return }
        guard case .measured(let value, _) = reading.outcome else {
            last[place] = nil
            return
        }
        let (second, code) = (wholeSecond(reading.moment.wallMilliseconds), scales[place].code(value.hundredths))
        if let before = last[place], (1...SignalSurvey.hold).contains(second - before.second) {
            for between in before.second + 1..<second { set(place, between, before.code) }
        }
        last[place] = (second, code)
        set(place, second, code)
    }

    /// Writes a night that has samples in the hour.
    public mutating func write(_ night: StoredNight) {
        for quantity in SignalTrack.NightQuantity.allCases {
            let key = SignalTrack.Key(
                address: night.sensor.address, quantity: .night(quantity, interval: night.interval))
            guard let place = places[key] else { continue }
            for (index, sample) in night.samples.enumerated() {
                let second = wholeSecond(night.start(of: index))
                guard second < hour.upperBound, second + Int64(night.interval) > hour.lowerBound,
                    let value = quantity.value(of: sample)
                else { continue }
                for held in second..<second + Int64(night.interval) { set(place, held, scales[place].code(value)) }
            }
        }
    }

    /// Writes a segment of a wave: each slot of its signal gets the sample nearest to its time.
    public mutating func write(_ recorded: RecordedWave) {
        let segment = recorded.segment
        let channels = segment.kind.traits.channels
        var start = Double(segment.start.wallMilliseconds.subtractingSaturated(hour.lowerBound.milliseconds)) * 1e6
        // The store has whole milliseconds: what continues begins where the segment before ends.
        if let end = ends[segment.stream], segment.isContinuing, abs(start - end) < Self.jitter { start = end }
        ends[segment.stream] = start + Double(segment.nanoseconds)
        let times = segment.offsets + [segment.nanoseconds]
        for channel in 0..<channels {
            let key = SignalTrack.Key(
                address: segment.sensor.address, quantity: .wave(segment.kind, channel: channel))
            guard let place = places[key] else { continue }
            let (slots, rate) = (samples[place].count, Double(tracks[place].rate))
            func slot(_ nanoseconds: Int64, before: Int64) -> Int {
                // The middle between two samples is where the later one begins to be the nearer.
                let middle = (start + Double(nanoseconds) - Double(before) / 2) / 1e9
                return Int(saturating: (middle * rate).rounded(.up))
            }
            var next = slot(times[0], before: times[1] - times[0])
            // No slot is left out between two segments, and none is taken back.
            if let end = covered[place] {
                next = max(segment.isContinuing && next == end.addingSaturated(1) ? end : next, end)
            }
            for index in 0..<segment.count {
                let interval = times[index + 1] - times[index]
                let end = max(next, slot(times[index + 1], before: interval))
                let value = segment.samples[index * channels + channel]
                let inside = (next..<end).clamped(to: 0..<slots)
                if SignalTrack.canHold(value), !inside.isEmpty {
                    let code = scales[place].code(Int(value))
                    for slot in inside { samples[place][slot] = code }
                }
                next = end
            }
            covered[place] = next
        }
    }

    /// Ends the hour: writes its data records.
    public mutating func endHour() {
        while nextLate < late.count, late[nextLate].second < hour.upperBound {
            let value = late[nextLate]
            nextLate += 1
            // What came at its time stands.
            guard let place = places[value.key], hour.contains(value.second),
                samples[place][Int(value.second - hour.lowerBound)] == scales[place].none
            else { continue }
            set(place, value.second, scales[place].code(value.value))
        }
        for second in hour where seconds.contains(second) {
            var lists: [UInt8] = []
            while nextNote < notes.count, notes[nextNote].second <= second {
                lists += Self.list(notes[nextNote].note, start)
                nextNote += 1
            }
            let index = Int(second - hour.lowerBound)
            header.appendRecord(
                at: (second - start).milliseconds,
                tracks.indices.map { place in
                    samples[place][index * tracks[place].rate..<(index + 1) * tracks[place].rate]
                }, lists: lists, to: &bytes)
        }
    }

    /// Empties the buffer and keeps its capacity.
    public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

extension Int64 {
    /// Seconds in milliseconds; a damaged store has moments beyond all that can be counted.
    fileprivate var milliseconds: Int64 { multipliedSaturated(by: 1000) }
}

extension DateTime {
    /// The date and time of a wall time in milliseconds since 1970; years 1 to 9999.
    init(wallMilliseconds: Int64) {
        let text = timestamp(ofWallMilliseconds: wallMilliseconds)
        let parts = text.split { !("0"..."9").contains($0) }.map { UInt16($0) ?? 0 }
        self.init(
            year: parts[0], month: UInt8(clamping: parts[1]), day: UInt8(clamping: parts[2]),
            hour: UInt8(clamping: parts[3]), minute: UInt8(clamping: parts[4]), second: UInt8(clamping: parts[5]))
    }
}
