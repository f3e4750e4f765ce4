import Foundation

/// What happened on the simulated machine, in its order.
struct Tape {
    /// Something that happened, and when: in seconds since the machine was first switched on, its sleep counted.
    struct Entry {
        var kind: Kind
        var time: Double
        var octets: ArraySlice<UInt8>

        /// The octets as text.
        var text: String { String(decoding: octets, as: UTF8.self) }
    }

    /// What can happen.
    enum Kind: UInt8 {
        /// The terminal has another size.
        case resize = 0x72
        /// The program has written to the terminal.
        case output = 0x6F
        /// Somebody has typed.
        case key = 0x6B
        /// The broker has a message: its topic, a line feed, the payload.
        case message = 0x77
        /// A program that follows the status has got a line; an empty one where its connection has ended.
        case status = 0x73
        /// A step of the plan.
        case fault = 0x66
        /// Another program was to be started.
        case program = 0x70
        /// The power has failed, and what is left of the disk.
        case disk = 0x64
        /// The program has ended by itself.
        case end = 0x65
        /// The machine cannot go on.
        case failure = 0x21
    }

    private let octets: [UInt8]
    private var place = 0

    /// Reads a tape from a file.
    init(path: String) throws {
        octets = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// A number that stands for all of it (FNV-1a).
    var hash: UInt64 {
        octets.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// The next entry; `nil` at the end.
    mutating func next() -> Entry? {
        guard let end = octets[place...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let words = octets[place..<end].split(separator: UInt8(ascii: " "))
        guard words.count == 3, let first = words[0].first, let kind = Kind(rawValue: first),
            let time = Int64(String(decoding: words[1], as: UTF8.self)),
            let count = Int(String(decoding: words[2], as: UTF8.self)), end + 1 + count <= octets.count
        else { return nil }
        place = end + count + 2
        return Entry(
            kind: kind, time: Double(time) / 1e9, octets: octets[(end + 1)..<(end + 1 + count)])
    }
}
