import Testing

@testable import DBus

@Suite("The numbers of a peer's messages")
struct SerialSequenceTests {
    @Test(
        "a number left out is a gap, one after another is none, also past the greatest",
        arguments: [
            ([5, 6, 7], 0), ([5, 7], 1), ([5, 9, 10, 12], 2), ([.max - 1, .max, 1, 2], 0), ([.max, 2], 1), ([], 0),
        ] as [([UInt32], Int)])
    func gaps(serials: [UInt32], gaps: Int) {
        var sequence = SerialSequence(sender: ":1.2")
        for serial in serials { sequence.record(serial: serial) }
        #expect(sequence.gaps == gaps)
    }
}
