import Testing
import VitalDecoders

@Suite("Values as the values of declared characteristics")
struct GATTConformanceTests {
    /// Decodes and encodes through the protocols that declared characteristics want.
    private func roundTrip<Value: GATTValue>(_ type: Value.Type, _ octets: [UInt8]) throws(GATTDecodingError) -> [UInt8]
    {
        try type.init(gatt: octets).gattOctets
    }

    @Test("decode and encode as by their own means")
    func sameOctets() throws {
        #expect(try HeartRateMeasurement(gatt: [0x06, 72]).heartRate == 72)
        #expect(try roundTrip(HeartRateMeasurement.self, [0x06, 72]) == [0x06, 72])
        #expect(try roundTrip(BatteryLevel.self, [41]) == [41])
        #expect(try roundTrip(DeviceInformationText.self, Array("H10".utf8)) == Array("H10".utf8))
    }

    @Test("give the reason why octets are malformed")
    func malformed() {
        let error = #expect(throws: GATTDecodingError.self) { try roundTrip(HeartRateMeasurement.self, [0x06]) }
        let reason = #expect(throws: MalformedValueError.self) { try HeartRateMeasurement([0x06]) }
        #expect(error?.description == reason.map { "\($0)" })
        #expect(error?.description.contains("heart rate") == true)
    }
}
