import VitalDecoders

/// The protocol of a ring that stores nights: its characteristics, and its frames.
///
/// A request is `marker command ~command`, two octets, the length of the data in two octets, the data and a CRC-8. Source:
/// public descriptions (the projects `wellue-o2ring-web-ui` and `o2ring-s-protocol`).
enum RingProtocol: Hashable, Sendable {
    /// The older rings: O2Ring, Checkme O2, SleepU.
    case viatom
    /// The newer rings: O2Ring S and its relatives.
    case oxyII

    /// The protocol of a kind of sensor; `nil` for one that is no ring.
    init?(_ kind: SensorDescription.Kind) {
        switch kind {
        case .oximeterRing: self = .viatom
        case .oximeterRingS: self = .oxyII
        default: return nil
        }
    }

    /// What is written to.
    var requests: BluetoothUUID {
        switch self {
        case .viatom: BluetoothUUID(high: 0x8B00ACE7_EB0B49B0, low: 0xBBE99AEE_0A26E1A3)
        case .oxyII: BluetoothUUID(high: 0xE8FB0002_A14B98F9, low: 0x831B4E29_41D01248)
        }
    }

    /// What answers.
    var answers: BluetoothUUID {
        switch self {
        case .viatom: BluetoothUUID(high: 0x0734594A_A8E74B1A, low: 0xA6B1CD52_43059A57)
        case .oxyII: BluetoothUUID(high: 0xE8FB0003_A14B98F9, low: 0x831B4E29_41D01248)
        }
    }

    /// The most octets of a notification.
    var piece: Int { self == .viatom ? 20 : 244 }

    /// The seconds from one sample to the next if nothing is said.
    var interval: Int { self == .viatom ? 4 : 1 }

    /// The seconds after the end of a night until its file has its end; an older ring has no file before the end.
    var finishing: Double { self == .viatom ? 0 : 120 }

    /// The commands that erase nights or make a ring useless; nobody may send them.
    var forbidden: Set<UInt8> {
        switch self {
        case .viatom: [0x18, 0x19, 0x1A]
        case .oxyII: [0xE2, 0xE3, 0xE5, 0xE6, 0xE7, 0xEA, 0xEB, 0xEE, 0xF5, 0xF6, 0xF7, 0xF8, 0xFA]
        }
    }

    private var marker: UInt8 { self == .viatom ? 0xAA : 0xA5 }

    private static let overhead = 8
    private static let longestData = 1024

    /// A sound request.
    struct Request: Hashable {
        var octets: [UInt8]

        var command: UInt8 { octets[1] }
        /// The number of the block that is asked for, with an older ring.
        var block: UInt16 { UInt16(octets[3]) | UInt16(octets[4]) << 8 }
        /// The number of the request, with a newer ring.
        var number: UInt8 { octets[4] }
        var data: [UInt8] { Array(octets[7..<octets.count - 1]) }
    }

    /// Takes the whole requests from what was written; what is no request is dropped.
    func requests(from octets: inout [UInt8]) -> [Request] {
        var requests: [Request] = []
        while let start = octets.firstIndex(of: marker) {
            octets.removeFirst(start)
            guard octets.count >= Self.overhead else { return requests }
            let length = Int(octets[5]) | Int(octets[6]) << 8
            guard octets[1] ^ octets[2] == 0xFF, length <= Self.longestData else {
                octets.removeFirst()
                continue
            }
            let end = Self.overhead + length
            guard octets.count >= end else { return requests }
            guard Checksum.crc8(octets[..<(end - 1)]) == octets[end - 1] else {
                octets.removeFirst()
                continue
            }
            requests.append(Request(octets: Array(octets[..<end])))
            octets.removeFirst(end)
        }
        octets = []
        return requests
    }

    /// An answer of an older ring, which does not say to which command.
    static func viatomAnswer(status: UInt8 = 0, block: UInt16 = 0, _ data: [UInt8] = []) -> [UInt8] {
        ended([0x55, status, ~status] + OctetChecksum.lowestFirst(block), data)
    }

    /// An answer of a newer ring.
    static func oxyIIAnswer(_ request: Request, flag: UInt8, _ data: [UInt8] = []) -> [UInt8] {
        ended([0xA5, request.command, ~request.command, flag, request.number], data)
    }

    private static func ended(_ head: [UInt8], _ data: [UInt8]) -> [UInt8] {
        let octets = head + OctetChecksum.lowestFirst(UInt16(clamping: data.count)) + data
        return octets + [Checksum.crc8(octets)]
    }
}
