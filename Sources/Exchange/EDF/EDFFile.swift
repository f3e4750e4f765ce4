import Base
import VitalDecoders

/// A whole EDF or EDF+ file: its header, the samples of its data records, and its annotations.
///
/// Source: EDF, "The data records", and EDF+, sections 2.1.4 and 2.2 (<https://www.edfplus.info>).
public struct EDFFile: Sendable {
    public let header: EDFHeader
    private let octets: [UInt8]
    /// Where the samples of each signal begin in a data record, in octets.
    private let places: [Int]

    /// Reads a file.
    ///
    /// - Parameter octets: The whole file.
    /// - Throws: `MalformedValueError` with the place for a file of another kind, one that is cut off or not finished,
    ///   or one that contradicts itself.
    public init(_ octets: [UInt8]) throws(MalformedValueError) {
        header = try EDFHeader(octets)
        var (places, place): ([Int], Int) = ([], 0)
        for signal in header.signals {
            places.append(place)
            place = place.addingSaturated(signal.samplesPerRecord.multipliedSaturated(by: 2))
        }
        self.places = places
        self.octets = octets
        let size = header.size.addingSaturated(header.recordSize.multipliedSaturated(by: header.recordCount))
        guard octets.count == size else {
            let present = header.recordSize > 0 ? (octets.count - header.size) / header.recordSize : 0
            let what =
                octets.count < size
                ? "it is cut off: it names \(header.recordCount) data records, \(present) are present"
                : "something follows its \(header.recordCount) data records"
            throw MalformedValueError(offset: min(octets.count, size), reason: what)
        }
        if header.kind == .discontinuous, !header.signals.contains(where: \.isAnnotations) {
            throw MalformedValueError(offset: 192, reason: "it has gaps, and no annotations that say where")
        }
    }

    private func place(_ record: Int, _ signal: Int) -> Int {
        header.size + record * header.recordSize + places[signal]
    }

    /// The samples of a signal in a data record, as they are in the file.
    public func samples(of signal: Int, in record: Int) -> [Int] {
        let start = place(record, signal)
        return (0..<header.signals[signal].samplesPerRecord).map { index in
            let low = octets[start + 2 * index]
            let high = octets[start + 2 * index + 1]
            return Int(Int16(bitPattern: UInt16(low) | UInt16(high) << 8))
        }
    }

    /// When a data record begins, in milliseconds after the start of the file; `nil` where a file with gaps does not say.
    public func start(of record: Int) -> Int64? {
        if header.kind == .discontinuous {
            guard let signal = header.signals.firstIndex(where: \.isAnnotations) else { return nil }
            return lists(of: signal, in: record).start
        }
        return Int64(saturating: (Double(record) * header.recordDuration * 1000).rounded())
    }

    /// All annotations in the order of the file.
    public func annotations() -> [EDFAnnotation] {
        let signals = header.signals.indices.filter { header.signals[$0].isAnnotations }
        return (0..<header.recordCount).flatMap { record in
            signals.flatMap { lists(of: $0, in: record).annotations }
        }
    }

    private func lists(of signal: Int, in record: Int) -> (start: Int64?, annotations: [EDFAnnotation]) {
        let start = place(record, signal)
        return EDFAnnotation.lists(in: octets[start..<start + 2 * header.signals[signal].samplesPerRecord])
    }
}

extension EDFHeader {
    /// Appends a data record as it is written: the samples of each signal, then the annotations, which are the last signal.
    ///
    /// - Parameters:
    ///   - onset: When it begins, in milliseconds after the start of the file.
    ///   - samples: The samples of each signal but the annotations, as many as the header names.
    ///   - lists: The lists of annotations beside the one that says when it begins; they must fit.
    ///   - octets: Where it is appended to.
    public func appendRecord(
        at onset: Int64, _ samples: [ArraySlice<Int16>], lists: [UInt8], to octets: inout [UInt8]
    ) {
        let end = octets.count + recordSize
        for signal in samples {
            for sample in signal {
                let word = UInt16(bitPattern: sample)
                octets.append(UInt8(truncatingIfNeeded: word))
                octets.append(UInt8(truncatingIfNeeded: word >> 8))
            }
        }
        octets += EDFAnnotation.timekeeping(onset)
        octets += lists
        precondition(octets.count <= end, "more than fits in a data record")
        // What is not used of the annotations is filled with 00h (EDF+, 2.2.2).
        octets += [UInt8](repeating: 0, count: end - octets.count)
    }
}
