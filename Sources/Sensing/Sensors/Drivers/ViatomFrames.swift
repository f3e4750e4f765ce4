import SensorDrivers
import VitalDecoders
import Vitals

/// Frames of Viatom's newer protocols: `A5 command ~command flag number length16 data crc8`, split over notifications.
///
/// The flag is 0 in a request and 1 in an answer; others are errors. Source: public descriptions only.
struct ViatomFrames: Hashable, Sendable {
    private var assembler = FrameAssembler(limit: 1024)

    /// The longest data of a frame in octets; an answer with a wave has up to 282.
    private static let longestData = 512
    /// The octets around the data.
    private static let overhead = 8
    /// The flag of an answer by which the sensor did what was asked.
    private static let success: UInt8 = 1

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
        assembler.append(octets, at: now)
        var answers: [Answer] = []
        while let frame = next() {
            let last = frame.count - 1
            if Checksum.crc8(frame.dropLast()) != frame[last] {
                let error = MalformedValueError(offset: last, reason: "the CRC does not fit")
                answers.append(.malformed(frame, error))
            } else if frame[1] == command, frame[3] == Self.success {
                let data = Array(frame[7..<last])
                let error = MalformedValueError(
                    offset: last, reason: "\(data.count) of \(length) octets of data present")
                answers.append(data.count < length ? .malformed(frame, error) : .data(data, in: frame))
            }
        }
        return answers
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
