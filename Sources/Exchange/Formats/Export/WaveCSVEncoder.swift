import Vitals
import Waves

/// Writes a line of comma-separated values for each sample of a wave.
struct WaveCSVEncoder: ReadingEncoder {
    /// The columns, in their order.
    static let columns = [
        "time", "sensor", "address", "wave", "value", "unit", "after_gap", "lost", "beat", "run", "monotonic_ns",
        "simulated",
    ]

    private(set) var bytes: [UInt8] = []
    private let isSimulated: Bool
    private var time = TimestampText()
    /// The last run of each stream; a line of another run has a gap before it.
    private var runs: [WaveStream: Int64] = [:]

    init(isSimulated: Bool) {
        self.isSimulated = isSimulated
    }

    mutating func begin() {
        bytes += Self.columns.joined(separator: ",").utf8
        bytes += CSVField.lineEnd
    }

    mutating func write(_ recorded: RecordedWave) {
        let segment = recorded.segment
        let traits = segment.kind.traits
        let isFirst = !segment.isContinuing || runs[segment.stream] != recorded.run
        runs[segment.stream] = recorded.run
        var beginning: [UInt8] = [UInt8(ascii: ",")]
        CSVField.append(segment.sensor.name, to: &beginning)
        beginning.append(UInt8(ascii: ","))
        CSVField.append(segment.sensor.address, to: &beginning)
        beginning += ",\(segment.kind.rawValue),".utf8
        var ending = Array(",".utf8)
        CSVField.append(recorded.run, to: &ending)
        ending.append(UInt8(ascii: ","))
        let beats = Set(segment.beats)
        for (index, offset) in segment.offsets.enumerated() {
            time.append(segment.start.wallMilliseconds + offset / 1_000_000, to: &bytes)
            bytes += beginning
            let values = segment.samples[index * traits.channels..<(index + 1) * traits.channels]
            for (place, value) in values.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: " ")) }
                if value != WavePiece.missing { CSVField.append(Int64(value), to: &bytes) }
            }
            bytes += ",\(traits.unit.rawValue)".utf8
            bytes += (isFirst && index == 0 ? ",true," : ",false,").utf8
            if index == 0, segment.lost > 0 { CSVField.append(Int64(segment.lost), to: &bytes) }
            bytes += (beats.contains(index) ? ",true" : ",false").utf8
            bytes += ending
            CSVField.append(segment.start.monotonicNanoseconds + offset, to: &bytes)
            bytes += (isSimulated ? ",true" : ",false").utf8
            bytes += CSVField.lineEnd
        }
    }

    mutating func write(_ recorded: RecordedReading) {}

    mutating func write(_ recorded: RecordedEntry) {}

    mutating func end() {}

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }
}
