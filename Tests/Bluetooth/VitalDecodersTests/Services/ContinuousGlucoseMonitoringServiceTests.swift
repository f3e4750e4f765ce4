import Testing
import VitalDecoders

@Suite("Continuous Glucose Monitoring Service")
struct ContinuousGlucoseMonitoringServiceTests {
    @Test(
        "a record is written with the octets that were read",
        arguments: [
            "06 00 78 00 0A 00", "08 00 78 00 0A 00 C5 6B", "09 80 78 00 0A 00 02 AF 28",
            "0A 01 78 00 0A 00 F1 FF D5 97",
            "06 00 78 00 0A 00 09 80 78 00 0A 00 02 AF 28", "07 00 78 00 0A 00 FF",
            "0D E3 78 00 0A 00 01 02 03 F1 FF 62 00",
        ])
    func records(value: String) throws {
        #expect(try ContinuousGlucoseMeasurement(octets(value)).octets == octets(value))
    }

    @Test("what the feature says about the E2E-CRC comes before the length")
    func context() throws {
        let value = octets("08 00 78 00 0A 00 C5 6B")
        let with = try ContinuousGlucoseMeasurement(value, context: DecodingContext(endToEndCRC: true))
        #expect(with.records.first?.hasEndToEndCRC == true)
        let without = try ContinuousGlucoseMeasurement(value, context: DecodingContext(endToEndCRC: false))
        #expect(without.records.first?.hasEndToEndCRC == false)
        #expect(without.records.first?.unknownOctets == [0xC5, 0x6B])
        #expect(throws: MalformedValueError(offset: 6, reason: "the record needs an E2E-CRC, 0 of 2 octets present")) {
            try ContinuousGlucoseMeasurement(octets("06 00 78 00 0A 00"), context: DecodingContext(endToEndCRC: true))
        }
        #expect(throws: MalformedValueError(offset: 2, reason: "the value needs an E2E-CRC, 0 of 2 octets present")) {
            try ContinuousGlucoseSessionRunTime(octets("68 01"), context: DecodingContext(endToEndCRC: true))
        }
    }

    @Test("every octet of a value with an E2E-CRC, changed, is noticed")
    func everyChangeIsNoticed() throws {
        let context = DecodingContext(endToEndCRC: true)
        let status = ContinuousGlucoseStatus(
            timeOffset: 10, annunciation: ContinuousGlucoseAnnunciation(rawValue: 2), hasEndToEndCRC: true)
        for index in status.octets.indices {
            for bit in 0..<8 {
                var changed = status.octets
                changed[index] ^= 1 << bit
                #expect(throws: MalformedValueError.self) { try ContinuousGlucoseStatus(changed, context: context) }
            }
        }
    }

    @Test("the octets of the annunciation are one word")
    func annunciation() throws {
        let record = try #require(
            try ContinuousGlucoseMeasurement(octets("09 E0 78 00 0A 00 01 02 80")).records.first)
        #expect(record.annunciation.rawValue == 0x80_0201)
        #expect(
            record.annunciation.names == [
                "session stopped", "calibration not allowed", "result above the device range",
            ])
    }

    @Test("time zone and daylight-saving offset are minutes, or unknown, or reserved")
    func sessionStart() throws {
        func start(_ zone: Int8, _ offset: UInt8) -> ContinuousGlucoseSessionStart {
            ContinuousGlucoseSessionStart(
                sessionStart: DateTime(year: 2025, month: 3, day: 10, hour: 14, minute: 30, second: 45),
                rawTimeZone: zone, rawDaylightSavingOffset: offset)
        }
        #expect(start(-20, 8).timeZoneMinutes == -300)
        #expect(start(-20, 8).daylightSavingMinutes == 120)
        #expect(start(-128, 255).timeZoneMinutes == nil)
        #expect(start(-128, 255).daylightSavingMinutes == nil)
        #expect(start(0, 3).daylightSavingMinutes == nil)
        #expect(start(-48, 0).timeZoneMinutes == -720)
        #expect(start(56, 0).timeZoneMinutes == 840)
        #expect(start(-49, 0).timeZoneMinutes == nil)
        #expect(start(57, 0).timeZoneMinutes == nil)
    }

    @Test("a feature without E2E-CRC keeps what stands in its place, or that nothing does")
    func feature() throws {
        #expect(try ContinuousGlucoseFeature(octets("00 80 01 59 FF FF")).unusedCRC == 0xFFFF)
        #expect(try ContinuousGlucoseFeature(octets("00 80 01 59")).unusedCRC == nil)
        #expect(try ContinuousGlucoseFeature(octets("00 80 01 59 34 12")).octets == octets("00 80 01 59 34 12"))
        #expect(throws: MalformedValueError.self) { try ContinuousGlucoseFeature(octets("00 10 00 59")) }
    }
}
