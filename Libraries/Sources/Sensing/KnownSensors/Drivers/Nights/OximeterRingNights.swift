import Base
import JSON
import SensorDrivers
import VitalDecoders
import Vitals

/// The stored nights of the older rings: commands 14 (what it is, as JSON, with the list of files), 03, 04 and 05.
///
/// A file is opened by its name with a zero behind it, and read by the numbers of its pieces. Of the other commands 18
/// erases everything, 19 and 1A are the factory's; none of them is ever sent. Source: as of ``OximeterRingDriver``.
enum OximeterRingNights: NightProtocol {
    static let generation = SensorNights.RingGeneration.older
    static let opening: [NightRequest] = [.list]
    static let needsOwnLink = false
    static let hasNumberedPieces = true

    private enum Command {
        static let open: UInt8 = 0x03
        static let piece: UInt8 = 0x04
        static let close: UInt8 = 0x05
        static let information: UInt8 = 0x14
    }

    /// The longest write; a request that is longer is sent in pieces.
    private static let longestWrite = 20
    /// The longest answer that is read, in octets of data: a piece of a file has 512 at most.
    static let longestData = 1024

    static func writes(_ request: NightRequest) -> [DriverRequest] {
        let octets =
            switch request {
            case .settings, .clock, .list: frame(Command.information)
            case .open(let name): frame(Command.open, Array(name.utf8) + [0])
            case .piece(let number, _): frame(Command.piece, number: number)
            case .close: frame(Command.close)
            }
        return stride(from: 0, to: octets.count, by: longestWrite).map {
            .write(Array(octets[$0..<min(octets.count, $0 + longestWrite)]), to: OximeterRingDriver.writing)
        }
    }

    private static func frame(_ command: UInt8, _ data: [UInt8] = [], number: Int = 0) -> [UInt8] {
        let octets =
            [
                0xAA, command, ~command, UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8),
                UInt8(truncatingIfNeeded: data.count), UInt8(truncatingIfNeeded: data.count >> 8),
            ] + data
        return octets + [Checksum.crc8(octets)]
    }

    static func answer(_ data: [UInt8], to request: NightRequest) -> NightAnswer? {
        switch request {
        case .settings, .clock, .list: information(data)
        case .open: data.count >= 4 ? .size(Int(littleEndian: data.prefix(4))) : nil
        case .piece: .piece(data)
        case .close: .done
        }
    }

    static func refusal(_ code: UInt8) -> NightRefusal { .refused("the ring refuses that (status \(code))") }

    /// The list of files and the clock: `"FileList":"20260921221320,20260922221005,"`, `"CurTIME":"2026-09-23,07:01:10"`.
    private static func information(_ data: [UInt8]) -> NightAnswer? {
        // Some fill the rest with zeros.
        guard let begin = data.firstIndex(of: UInt8(ascii: "{")), let end = data.lastIndex(of: UInt8(ascii: "}")),
            begin < end, let value = try? JSON5Parser.parse(data[begin...end].filter { $0 >= 0x20 }, .json)
        else { return nil }
        // Some write it as a list within the text.
        var list = Substring(value["FileList"]?.text ?? "")
        if list.first == "[", list.last == "]" { list = list.dropFirst().dropLast() }
        let names = list.split(separator: ",").map { withoutOuterSpaces($0) }
        let time = value["CurTIME"]?.text?.split(separator: ",").joined(separator: "T").split(separator: " ")
            .joined(separator: "T")
        return .names(
            names.filter { !$0.isEmpty }, clock: time.flatMap { DeviceTime($0) }.flatMap { DateTime($0) })
    }
}

extension Int {
    /// The number in up to four octets, the lowest first.
    init(littleEndian octets: some Collection<UInt8>) {
        self = octets.prefix(4).enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
    }
}

extension DateTime {
    /// A time with a date; `nil` where parts of it are unknown.
    fileprivate init?(_ time: DeviceTime) {
        guard let year = time.year, let month = time.month, let day = time.day else { return nil }
        self.init(
            year: UInt16(clamping: year), month: UInt8(clamping: month), day: UInt8(clamping: day),
            hour: UInt8(clamping: time.hour), minute: UInt8(clamping: time.minute), second: UInt8(clamping: time.second)
        )
    }
}
