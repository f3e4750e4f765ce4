import SensorDrivers
import VitalDecoders
import Vitals

/// Frames of Viatom's newer protocols: `A5 command ~command flag number length16 data crc8`, split over notifications.
///
/// The flag is 0 in a request and 1 in an answer; others are errors. Source: public descriptions only.
struct ViatomFrames: Hashable, Sendable {
    private var assembler = FrameAssembler(limit: 2048)

    /// The longest data of a frame in octets; an answer with a wave has up to 282, a piece of a file 512.
    private static let longestData = 1024
    /// The octets around the data.
    fileprivate static let overhead = 8
    /// The flag of an answer by which the sensor did what was asked.
    static let success: UInt8 = 1

    /// A whole frame.
    struct Frame: Hashable, Sendable {
        /// The frame itself.
        var octets: [UInt8]
        var command: UInt8 { octets[1] }
        var flag: UInt8 { octets[3] }
        var data: [UInt8] { Array(octets[7..<octets.count - 1]) }
        /// Whether its checksum is right.
        var isSound: Bool { Checksum.crc8(octets.dropLast()) == octets.last }

        /// Why it is not believed, of at least so many octets of data; `nil` if it is.
        func error(atLeast length: Int = 0) -> MalformedValueError? {
            let last = octets.count - 1
            if !isSound { return MalformedValueError(offset: last, reason: "the CRC does not fit") }
            guard octets.count - ViatomFrames.overhead < length else { return nil }
            return MalformedValueError(
                offset: last, reason: "\(octets.count - ViatomFrames.overhead) of \(length) octets of data present")
        }
    }

    /// What was answered.
    enum Answer: Hashable, Sendable {
        /// The data of a sound answer, of at least the wanted length, and the whole frame.
        case data([UInt8], in: [UInt8])
        /// A frame that is not believed.
        case malformed([UInt8], MalformedValueError)
    }

    /// A request.
    static func request(_ command: UInt8, _ data: [UInt8] = [], number: UInt8 = 0) -> [UInt8] {
        let length = UInt16(truncatingIfNeeded: data.count)
        let octets = [0xA5, command, ~command, 0, number, UInt8(length & 255), UInt8(length >> 8)] + data
        return octets + [Checksum.crc8(octets)]
    }

    /// Drops what has come of a frame.
    mutating func clear() { assembler.clear() }

    /// The answers that a notification completes.
    ///
    /// - Parameters:
    ///   - octets: The notification.
    ///   - command: The command that is asked; answers to others, and errors, are left out.
    ///   - length: The least octets of data in an answer.
    ///   - now: When it came.
    mutating func answers(
        in octets: [UInt8], to command: UInt8, ofAtLeast length: Int, at now: Moment
    ) -> [Answer] {
        frames(in: octets, at: now).compactMap { frame in
            guard !frame.isSound || frame.command == command && frame.flag == Self.success else { return nil }
            if let error = frame.error(atLeast: length) { return .malformed(frame.octets, error) }
            return .data(frame.data, in: frame.octets)
        }
    }

    /// The frames that a notification completes, whatever their checksums.
    mutating func frames(in octets: [UInt8], at now: Moment) -> [Frame] {
        assembler.append(octets, at: now)
        var frames: [Frame] = []
        while let frame = next() { frames.append(Frame(octets: frame)) }
        return frames
    }

    /// Takes the next whole frame, whatever its checksum.
    private mutating func next() -> [UInt8]? {
        while let start = assembler.octets.firstIndex(of: 0xA5) {
            assembler.drop(start)
            guard assembler.octets.count >= Self.overhead else { return nil }
            let length = Int(assembler.octets[5]) | Int(assembler.octets[6]) << 8
            guard assembler.octets[1] ^ assembler.octets[2] == 0xFF, length <= Self.longestData else {
                assembler.drop(1)
                continue
            }
            guard assembler.octets.count >= Self.overhead + length else { return nil }
            let frame = Array(assembler.octets.prefix(Self.overhead + length))
            assembler.drop(frame.count)
            return frame
        }
        assembler.clear()
        return nil
    }
}
