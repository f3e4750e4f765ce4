import TestSupport

/// Changes inputs the way fuzzers do, the same way each time.
struct Mutator {
    private var generator: SeededGenerator

    /// Octets that often lie on a border.
    private static let borders: [UInt8] = [0x00, 0x01, 0x7E, 0x7F, 0x80, 0x81, 0xFE, 0xFF, 0x07, 0x08, 0x0A, 0x20]

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// An input for the same decoder with up to four changes to its plan and its value.
    mutating func changed(_ seed: [UInt8]) -> [UInt8] {
        var octets = seed
        for _ in 0...below(4) {
            change(&octets)
        }
        return octets
    }

    private mutating func change(_ octets: inout [UInt8]) {
        let place = 1 + below(octets.count - 1)
        switch below(8) {
        case 0: octets[place] ^= 1 << UInt8(below(8))
        case 1: octets[place] = UInt8.random(in: .min ... .max, using: &generator)
        case 2: octets[place] = Self.borders[below(Self.borders.count)]
        case 3: octets[place] &+= below(2) == 0 ? 1 : .max
        case 4: octets.insert(UInt8.random(in: .min ... .max, using: &generator), at: place + 1)
        case 5 where octets.count > 2: octets.remove(at: max(2, place))
        case 6: octets.removeLast(below(octets.count - 1))
        default: octets += octets[place...].prefix(64)
        }
    }

    private mutating func below(_ limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &generator)
    }
}
