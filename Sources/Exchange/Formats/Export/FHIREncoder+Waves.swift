import Base
import JSON
import Vitals
import Waves

/// Samples of one stream at equal distances, as an Observation has them.
struct SampledPiece {
    /// The first segment, with its run and number.
    private let first: RecordedWave
    private(set) var samples: [Int32]
    /// The samples and nanoseconds from the beginning to the end of each span.
    private var bounds: [WaveSegment.Span] = []

    /// How long a piece becomes before it is complete, in nanoseconds: some kilobytes.
    private static let length: Int64 = 10_000_000_000

    init(_ recorded: RecordedWave) {
        (first, samples) = (recorded, recorded.segment.samples)
        bounds = Self.bounds(of: recorded.segment, after: nil)
    }

    var segment: WaveSegment { first.segment }

    /// The run, and what identifies it there.
    var identity: [Int64] {
        let start = first.segment.start
        return [start.wallMilliseconds, first.number, first.run, start.monotonicNanoseconds, 2]
    }

    /// The number of samples.
    var count: Int { bounds.last?.count ?? 0 }

    /// The time to where the sample after the last one is due, in nanoseconds.
    var nanoseconds: Int64 { bounds.last?.nanoseconds ?? 0 }

    /// The time from one sample to the next, in nanoseconds.
    var period: Int64 { (nanoseconds + Int64(count / 2)) / Int64(max(1, count)) }

    /// Appends a segment, if the piece stays short and no sample is moved by more than half the distance to the next.
    ///
    /// - Returns: Whether it did.
    mutating func append(_ recorded: RecordedWave) -> Bool {
        let segment = recorded.segment
        guard segment.isContinuing, segment.lost == 0, recorded.run == first.run, nanoseconds < Self.length else {
            return false
        }
        let longer = bounds + Self.bounds(of: segment, after: bounds.last)
        guard let end = longer.last, end.nanoseconds > 0 else { return false }
        let interval = Double(end.nanoseconds) / Double(end.count)
        let isEven = longer.allSatisfy { bound in
            abs(Double(bound.count) * interval - Double(bound.nanoseconds)) <= interval / 2
        }
        guard isEven else { return false }
        bounds = longer
        samples += segment.samples
        return true
    }

    private static func bounds(of segment: WaveSegment, after last: WaveSegment.Span?) -> [WaveSegment.Span] {
        var bound = last ?? WaveSegment.Span(count: 0, nanoseconds: 0)
        return segment.spans.map { span in
            bound.count += span.count
            bound.nanoseconds = bound.nanoseconds.addingSaturated(span.nanoseconds)
            return bound
        }
    }
}

// Waves are Observations of some seconds each, whose value is SampledData.
extension FHIREncoder {
    mutating func write(_ recorded: RecordedWave) {
        let stream = recorded.segment.stream
        if pieces[stream]?.append(recorded) == true { return }
        if let complete = pieces.updateValue(SampledPiece(recorded), forKey: stream) { write(complete) }
    }

    /// Writes the pieces that wait for more of their samples.
    mutating func finishWaves() {
        let rest = pieces.values.sorted { ($0.segment.start, $0.identity[1]) < ($1.segment.start, $1.identity[1]) }
        pieces = [:]
        for piece in rest { write(piece) }
    }

    /// Writes the Observation of a piece.
    ///
    /// Source: <https://hl7.org/fhir/R4/datatypes.html#SampledData>. `E` stands for a sample that was invalid; where samples
    /// did not come at all, a new Observation begins.
    private mutating func write(_ piece: SampledPiece) {
        separate()
        let (segment, traits) = (piece.segment, piece.segment.kind.traits)
        var json = JSONWriter(capacity: 8192)
        json.beginObject()
        json.member("fullUrl", "urn:uuid:\(FHIRIdentifier.text(FHIRIdentifier.mixed(piece.identity)))")
        json.key("resource")
        json.beginObject()
        json.member("resourceType", "Observation")
        if isSimulated { json.simulatedMeta(profile: nil) }
        json.member("status", "final")
        json.category("procedure", "Procedure")
        json.key("code")
        json.beginObject()
        if let code = segment.kind.nomenclatureCode {
            json.codings([Vital.Coding(system: "urn:iso:std:iso:11073:10101", code: code.code, display: code.name)])
        }
        json.member("text", traits.text)
        json.endObject()
        writeSubject(&json)
        json.key("effectivePeriod")
        json.beginObject()
        let last = piece.nanoseconds.subtractingSaturated(piece.period) / 1_000_000
        for (key, wall) in [("start", segment.start.wallMilliseconds), ("end", segment.start.wallMilliseconds + last)] {
            json.key(key)
            json.verbatimString { time.append(wall, to: &$0) }
        }
        json.endObject()
        json.key("valueSampledData")
        json.beginObject()
        json.key("origin")
        json.beginObject()
        json.key("value")
        json.integer(0)
        json.member("unit", traits.unit.rawValue)
        json.member("system", "http://unitsofmeasure.org")
        json.member("code", traits.unit.rawValue)
        json.endObject()
        json.key("period")
        json.verbatimNumber { Self.append(milliseconds: piece.period, to: &$0) }
        json.key("dimensions")
        json.integer(traits.channels)
        json.key("data")
        json.verbatimString { bytes in
            for (place, value) in piece.samples.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: " ")) }
                if value == WavePiece.missing {
                    bytes.append(UInt8(ascii: "E"))
                } else {
                    CSVField.append(Int64(value), to: &bytes)
                }
            }
        }
        json.endObject()
        if segment.lost > 0 {
            json.list("note") { json in json.member("text", "\(segment.lost) samples before these did not come") }
        }
        json.key("device")
        json.beginObject()
        json.member("reference", "urn:uuid:\(FHIRIdentifier.text(of: segment.sensor))")
        json.endObject()
        json.endObject()
        json.endObject()
        append(json.bytes)
    }

    /// Writes nanoseconds as milliseconds, without trailing zeros.
    private static func append(milliseconds nanoseconds: Int64, to bytes: inout [UInt8]) {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        CSVField.append(whole, to: &bytes)
        guard rest > 0 else { return }
        var digits = String(rest)
        digits = String(repeating: "0", count: 6 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        bytes += ".\(digits)".utf8
    }
}
