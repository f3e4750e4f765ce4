import Testing
import VitalDecoders

@testable import BlueZSimulator

@Suite("Stored records")
struct StoredRecordsTests {
    private static func records(_ count: Int, first: Int = 1, isContinued: Bool = false) -> StoredRecords {
        var description = RecordsDescription(characteristic: BluetoothUUID(0x2A18), octets: OctetTemplate(octets: []))
        (description.count, description.firstSequence, description.isContinued) = (count, first, isContinued)
        description.interval = 60
        return StoredRecords(description)
    }

    @Test(
        "a request selects by operator and number, or is refused with the code of the specification",
        arguments: [
            ([1, 1], Array(1...5)), ([1, 3, 1, 4, 0], [4, 5]), ([1, 2, 1, 2, 0], [1, 2]), ([1, 5], [1]), ([1, 6], [5]),
            ([1, 4, 1, 2, 0, 3, 0], [2, 3]),
        ] as [([UInt8], [Int])])
    func selections(request: [UInt8], numbers: [Int]) {
        guard case .report(let records) = Self.records(5).answer(request) else {
            Issue.record("\(request) reports nothing")
            return
        }
        #expect(records.map(\.sequence) == numbers)
    }

    @Test(
        "other requests are answered with a number or a code",
        arguments: [
            ([4, 1], [5, 0, 5, 0]), ([3, 0], [6, 0, 3, 1]), ([2, 1], [6, 0, 2, 2]), ([1, 3, 1, 6, 0], [6, 0, 1, 6]),
            ([1, 0], [6, 0, 1, 3]), ([1, 9], [6, 0, 1, 4]), ([1, 3, 2, 1, 0], [6, 0, 1, 9]),
            ([1, 3, 1], [6, 0, 1, 5]), ([1, 4, 1, 3, 0, 2, 0], [6, 0, 1, 5]), ([1], [6, 0, 1, 3]), ([], [6, 0, 0, 2]),
        ] as [([UInt8], [UInt8])])
    func codes(request: [UInt8], answer: [UInt8]) {
        #expect(Self.records(5).answer(request) == .indicate(answer))
    }

    @Test("while records are reported, only an abort is not told to come back")
    func busy() {
        var records = Self.records(5)
        records.isReporting = true
        #expect(records.answer([1, 1]) == .indicate([6, 0, 1, 10]))
        #expect(records.answer([3, 0]) == .indicate([6, 0, 3, 1]))
    }

    @Test("what was handed over is not handed over again, and measurements go on where the sensor stores by itself")
    func handingOver() {
        var records = Self.records(2)
        #expect(records.handOver().map(\.sequence) == [1, 2])
        records.add(at: 9)
        #expect(records.handOver() == [StoredRecords.Record(sequence: 3, seconds: 9)])
        #expect(records.handOver().isEmpty)
        var continued = Self.records(2, first: 40, isContinued: true)
        continued.advance(to: 61)
        #expect(continued.all.map(\.sequence) == [40, 41, 42, 43])
        #expect(continued.all.map(\.seconds) == [-120, -60, 0, 60])
    }
}
