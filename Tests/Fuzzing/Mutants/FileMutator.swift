import TestSupport

/// Damages files the way disks, cables and hostile people do, the same way each time.
struct FileMutator {
    var generator: SeededGenerator

    init(seed: Int) {
        generator = SeededGenerator(seed: UInt64(seed))
    }

    /// A number from 0 on.
    mutating func below(_ limit: Int) -> Int {
        limit > 0 ? Int.random(in: 0..<limit, using: &generator) : 0
    }

    /// One of some.
    mutating func one<Element>(of elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// A number of 64 bits that something might not expect.
    mutating func extremeInteger() -> Int64 {
        let near = Int64(below(5)) - 2
        return switch below(8) {
        case 0: .max &- Int64(below(3))
        case 1: .min &+ Int64(below(3))
        case 2: near
        case 3: Int64(1) << Int64(below(63))
        case 4: -(Int64(1) << Int64(below(63)))
        case 5: Int64(Int32.max) &+ near
        case 6: 253_402_300_800_000 &+ near
        default: .random(in: .min ... .max, using: &generator)
        }
    }

    /// The bytes of a file with up to eight changes.
    mutating func damaged(_ file: [UInt8]) -> [UInt8] {
        var bytes = file
        for _ in 0...below(8) { damage(&bytes) }
        return bytes
    }

    private static let borders: [UInt8] = [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF]

    private mutating func damage(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        // What stands at the beginning of a file decides about the rest.
        let place = below(4) == 0 ? below(min(128, bytes.count)) : below(bytes.count)
        let end = min(bytes.count, place + 1 + below(64))
        switch below(9) {
        case 0, 1, 2: bytes[place] ^= 1 << UInt8(below(8))
        case 3: bytes[place] = one(of: Self.borders)
        case 4: for index in place..<end { bytes[index] = UInt8.random(in: .min ... .max, using: &generator) }
        case 5: for index in place..<end { bytes[index] = 0xFF }
        case 6: bytes.insert(contentsOf: bytes[place..<end], at: below(bytes.count))
        case 7: bytes.removeSubrange(place..<end)
        default: if below(4) == 0 { bytes.removeLast(below(bytes.count)) }
        }
    }
}
