import SensorDrivers
import VitalDecoders
import Vitals

/// The stored nights of the newer rings: commands F1 (names), F2, F3 and F4, after the settings (00) and the clock (E1).
///
/// A file is opened by its name in 16 octets, and read by offsets. It is not opened where the settings were not asked
/// for, and not after present values were (04) until the link ends. Among the other commands some reset the ring (E2,
/// EE), erase its nights (E3, F8), write its files or its program (E5 to E7, EA, EB, F5 to F7) or end its radio (FA);
/// none of them is ever sent. Source: as of ``OxyIIDriver``.
enum OxyIINights: NightProtocol {
    static let generation = SensorNights.RingGeneration.oxyII
    // A file that an earlier program has left open keeps others from being opened.
    static let opening: [NightRequest] = [.settings, .clock, .close, .list]
    static let needsOwnLink = true
    static let hasNumberedPieces = false

    /// The octets of a name in the list, and in the request for a file.
    private static let nameLength = 16

    /// The command of a request, which its answer repeats.
    static func command(_ request: NightRequest) -> UInt8 {
        switch request {
        case .settings: 0x00
        case .clock: 0xE1
        case .list: 0xF1
        case .open: 0xF2
        case .piece: 0xF3
        case .close: 0xF4
        }
    }

    static func writes(_ request: NightRequest) -> [DriverRequest] {
        let data: [UInt8] =
            switch request {
            case .settings, .clock, .list, .close: []
            case .open(let name):
                name.utf8.prefix(nameLength) + Array(repeating: 0, count: max(0, nameLength - name.utf8.count) + 4)
            case .piece(_, let offset): (0..<4).map { UInt8(truncatingIfNeeded: offset >> (8 * $0)) }
            }
        return [.writeWithoutResponse(ViatomFrames.request(command(request), data), to: OxyIIDriver.writing)]
    }

    static func answer(_ data: [UInt8], to request: NightRequest) -> NightAnswer? {
        switch request {
        case .settings, .close: return .done
        case .clock:
            guard data.count >= 31 else { return nil }
            let time = DateTime(
                year: UInt16(data[24]) | UInt16(data[25]) << 8, month: data[26], day: data[27], hour: data[28],
                minute: data[29], second: data[30])
            return .clock(time.isCalendarDate ? time : nil)
        case .list:
            guard let count = data.first, data.count > Int(count) * nameLength else { return nil }
            return .names(
                (0..<Int(count)).map { index in
                    let place = 1 + index * nameLength
                    return String(decoding: data[place..<place + nameLength].prefix { $0 != 0 }, as: UTF8.self)
                }, clock: nil)
        case .open: return data.count >= 4 ? .size(Int(littleEndian: data.prefix(4))) : nil
        case .piece: return .piece(data)
        }
    }

    static func refusal(_ code: UInt8) -> NightRefusal {
        switch code {
        case 0xE0: .refused("the ring has it no longer")
        case 0xF2: .refused("the ring refuses to open it")
        case 0xFB: .busy
        case 0xFD: .refused("the ring does not know how to hand it over")
        default: .refused("the ring answers with error \(Hexadecimal.text([code]))")
        }
    }
}
