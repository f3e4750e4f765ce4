import Base
import TestSupport
import Testing

@Suite("Compact numbers")
struct CompactNumbersTests {
    @Test("come back as they were, small ones in one octet")
    func roundTrip() {
        var random = SeededGenerator(seed: 1)
        var numbers: [Int64] = [0, 63, -64, 64, -65, .max, .min]
        for shift in 0..<63 { numbers.append(Int64.random(in: .min...(.max), using: &random) >> shift) }
        var octets: [UInt8] = []
        for number in numbers { octets.appendCompact(number) }
        var reader = CompactNumbers(octets)
        #expect(numbers.map { _ in reader.next() } == numbers)
        #expect(reader.isAtEnd)
        var small: [UInt8] = []
        for number: Int64 in -64...63 { small.appendCompact(number) }
        #expect(small.count == 128)
    }

    @Test("that were cut off, or are too long, are none")
    func malformed() {
        var cut = CompactNumbers([0x80])
        #expect(cut.next() == nil)
        var empty = CompactNumbers([])
        #expect(empty.next() == nil)
        var long = CompactNumbers([UInt8](repeating: 0xFF, count: 20))
        #expect(long.next() == nil)
    }
}
