import SensorDrivers
import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("The transfer of stored records")
struct RecordTransferTests {
    private typealias Answer = RecordTransfer.Answer
    private typealias Request = RecordTransfer.Request
    private typealias Step = RecordTransfer.Step

    /// What follows, in the order of the requests: new records, the last record, all records.
    private static let table: [Answer: [Step]] = [
        .success: [.finish, .finish, .finish],
        .noRecords: [.request(.lastRecord), .finish, .finish],
        .busy: [.again, .again, .again],
        .unsupported: [.request(.allRecords), .request(.allRecords), .refuse],
    ]

    @Test("follows one table, whatever is requested and answered")
    func steps() {
        for answer in Answer.allCases {
            for (request, step) in zip(Request.allCases, Self.table[answer] ?? []) {
                #expect(RecordTransfer.step(after: answer, to: request) == step, "\(answer) to \(request)")
            }
        }
        #expect(Self.table.count == Answer.allCases.count)
        #expect(
            RecordTransfer.step(after: .success, to: .lastRecord, countsAnew: true) == .request(.allRecords))
    }

    @Test("gives each code of a response one meaning")
    func codes() {
        let meanings = RecordAccessResponseCode.assigned.map { RecordTransfer.Answer($0.number) }
        #expect(
            meanings == [
                .success, .unsupported, .unsupported, .unsupported, .unsupported, .noRecords, .busy, .busy,
                .unsupported, .busy,
            ])
    }

    @Test(
        "is not changed by answers to other requests, by counts, or by requests that the sensor sends",
        arguments: [
            [6, 0, 2, 1], [6, 0, 3, 1], [6, 0, 4, 1], [6, 0, 7, 1], [6, 0, 0, 1], [6, 0, 255, 1], [5, 0, 9, 0],
            [8, 0, 0xFF, 0xFF], [1, 1], [3, 0], [0, 0], [0xFF, 0xFF, 1, 1],
        ] as [[UInt8]])
    func others(octets: [UInt8]) throws {
        var transfer = RecordTransfer(after: 4)
        #expect(transfer.answered(try RecordAccessMessage(octets)) == [])
        #expect(transfer.request == .newRecords)
    }

    @Test("is stopped when there are more records than can be recognised again, and uses none of the rest")
    func limit() throws {
        var transfer = RecordTransfer(after: nil)
        for _ in 0..<RecordTransfer.limit { #expect(transfer.received() == []) }
        #expect(!transfer.isAborted)
        let abort = DriverRequest.write([3, 0], to: RecordTransfer.control, isOptional: true)
        #expect(transfer.received() == [.request(abort)])
        #expect(transfer.isAborted)
        // Told once, whatever the sensor still sends.
        #expect(transfer.received() == [])
        #expect(transfer.answered(try RecordAccessMessage([6, 0, 1, 1])) == [])
        #expect(transfer.handled(.subscribe(RecordTransfer.control)) == [])
        #expect(transfer.handled(abort).last == .finish)
    }
}
