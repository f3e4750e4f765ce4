import Base
import VitalDecoders

/// The header of an EDF or EDF+ file.
///
/// Source: EDF, "The header record", and EDF+, section 2.1.3 "The EDF+ header" (<https://www.edfplus.info>). Numbers and
/// texts are printable ASCII in fields of fixed length, left-justified and filled with blanks.
public struct EDFHeader: Hashable, Sendable {
    /// The patient (EDF+, 2.1.3.3): code, sex, birthday and name, each `X` where it is not known.
    public var patient = "X X X X"
    /// The recording (EDF+, 2.1.3.4): `Startdate`, its date, administration code, technician, equipment.
    public var recording = ""
    /// When it begins, by the clock on the wall of the patient.
    public var start: DateTime
    /// Which kind of file it is.
    public var kind: Kind
    /// The number of data records.
    public var recordCount: Int
    /// The length of a data record, in seconds; 0 in a file of annotations alone.
    public var recordDuration: Double
    /// The signals in their order.
    public var signals: [EDFSignal]

    /// The kinds of files.
    public enum Kind: Hashable, Sendable {
        /// EDF without annotations, of one piece.
        case plain
        /// EDF+ of one piece.
        case continuous
        /// EDF+ with gaps: each data record says when it begins.
        case discontinuous

        /// What the reserved field of the header begins with.
        var mark: String {
            switch self {
            case .plain: ""
            case .continuous: "EDF+C"
            case .discontinuous: "EDF+D"
            }
        }
    }

    public init(
        start: DateTime, kind: Kind, recordCount: Int, recordDuration: Double, signals: [EDFSignal]
    ) {
        (self.start, self.kind, self.recordCount) = (start, kind, recordCount)
        (self.recordDuration, self.signals) = (recordDuration, signals)
    }

    /// The greatest number of data records that the header can name.
    public static let mostRecords = 99_999_999
    /// The size of a data record that EDF recommends as the greatest, in octets.
    public static let recommendedRecordSize = 61_440

    /// The most signals of a file.
    public static let mostSignals = 512

    static let fixedSize = 256

    /// The size of the header, in octets.
    public var size: Int { Self.fixedSize * (signals.count + 1) }

    /// The size of a data record, in octets.
    public var recordSize: Int {
        signals.reduce(0) { $0.addingSaturated($1.samplesPerRecord.multipliedSaturated(by: 2)) }
    }

    /// The names of the months as EDF+ prints them (2.1.3.3).
    static let months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]

    /// The date of a recording as its subfields print it: `28-NOV-2026`.
    public static func date(_ time: DateTime) -> String {
        let place = Int(time.month ?? 0) - 1
        let month = months.indices.contains(place) ? months[place] : "X"
        return "\(padded(Int(time.day ?? 0), to: 2))-\(month)-\(padded(Int(time.year ?? 0), to: 4))"
    }

    static func padded(_ number: Int, to width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// A text as a subfield of the patient or the recording: without blanks; `X` for none.
    public static func subfield(_ text: String) -> String {
        let text = text.split(separator: " ").joined(separator: "_")
        return text.isEmpty ? "X" : text
    }
}

extension EDFHeader {
    /// The header as it is written.
    public func octets() -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(size)
        func append(_ text: String, _ width: Int) { Self.append(text, width, to: &octets) }
        append("0", 8)
        append(patient, 80)
        append(recording, 80)
        let date = [Int(start.day ?? 0), Int(start.month ?? 0), Int(start.year ?? 0) % 100]
        append(date.map { Self.padded($0, to: 2) }.joined(separator: "."), 8)
        let time = [start.hour, start.minute, start.second].map { Self.padded(Int($0), to: 2) }
        append(time.joined(separator: "."), 8)
        append("\(size)", 8)
        append(kind.mark, 44)
        append("\(recordCount)", 8)
        append(Self.text(recordDuration), 8)
        append("\(signals.count)", 4)
        for signal in signals { append(signal.label, 16) }
        for signal in signals { append(signal.transducer, 80) }
        for signal in signals { append(signal.dimension, 8) }
        for signal in signals { append(Self.text(signal.physicalMinimum), 8) }
        for signal in signals { append(Self.text(signal.physicalMaximum), 8) }
        for signal in signals { append("\(signal.digitalMinimum)", 8) }
        for signal in signals { append("\(signal.digitalMaximum)", 8) }
        for signal in signals { append(signal.prefilter, 80) }
        for signal in signals { append("\(signal.samplesPerRecord)", 8) }
        for _ in signals { append("", 32) }
        return octets
    }

    /// A number in at most 8 characters.
    private static func text(_ number: Double) -> String {
        if let whole = Int(exactly: number) { return "\(whole)" }
        return String("\(number)".prefix(8))
    }

    private static func append(_ text: String, _ width: Int, to octets: inout [UInt8]) {
        let end = octets.count + width
        for scalar in text.unicodeScalars.prefix(width) {
            octets.append((0x20...0x7E).contains(scalar.value) ? UInt8(scalar.value) : UInt8(ascii: "?"))
        }
        while octets.count < end { octets.append(UInt8(ascii: " ")) }
    }
}
