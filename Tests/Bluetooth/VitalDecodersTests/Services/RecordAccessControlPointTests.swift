import Testing
import VitalDecoders

@Suite("Record Access Control Point")
struct RecordAccessControlPointTests {
    @Test("requests are written as documented")
    func requests() {
        #expect(RecordAccessMessage.reportAllRecords.octets == octets("01 01"))
        #expect(RecordAccessMessage.reportLastRecord.octets == octets("01 06"))
        #expect(RecordAccessMessage.reportRecords(from: 5).octets == octets("01 03 01 05 00"))
        #expect(RecordAccessMessage.reportNumberOfRecords.octets == octets("04 01"))
        #expect(RecordAccessMessage.abort.octets == octets("03 00"))
    }

    @Test("answers are written and read as documented")
    func answers() throws {
        #expect(RecordAccessMessage.numberOfRecords(3).octets == octets("05 00 03 00"))
        #expect(RecordAccessMessage.response(to: .reportStoredRecords, .noRecordsFound).octets == octets("06 00 01 06"))
        let count = try RecordAccessMessage(octets("05 00 03 01"))
        #expect(count.recordCount == 259)
        #expect(count.result == nil)
        let response = try RecordAccessMessage(octets("06 00 01 01"))
        #expect(response.recordCount == nil)
        #expect(response.result?.request == .reportStoredRecords)
        #expect(response.result?.code == .success)
    }
}
