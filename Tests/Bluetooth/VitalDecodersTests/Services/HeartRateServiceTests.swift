import Testing
import VitalDecoders

@Suite("Heart Rate Service")
struct HeartRateServiceTests {
    @Test(
        "a measurement reads as documented",
        arguments: [
            ("00 48", 72, .notSupported, nil, nil),
            ("02 48", 72, .notSupported, nil, nil),
            ("01 80 80", 32_896, .notSupported, nil, nil),
            ("01 2C 01", 300, .notSupported, nil, nil),
            ("06 FF", 255, .detected, nil, nil),
            ("04 FF", 255, .notDetected, nil, nil),
            ("09 00 00 FF FF", 0, .notSupported, 65_535, nil),
            ("10 00 FF FF", 0, .notSupported, nil, [65_535]),
            ("16 4D 16 03", 77, .detected, nil, [790]),
            ("10 4D", 77, .notSupported, nil, []),
            ("1F 2C 01 0A 00 00 04 01 04", 300, .detected, 10, [1024, 1025]),
        ] as [(String, UInt16, SensorContact, UInt16?, [UInt16]?)])
    func vectors(
        value: String, heartRate: UInt16, contact: SensorContact, energy: UInt16?, intervals: [UInt16]?
    ) throws {
        let measurement = try HeartRateMeasurement(octets(value))
        #expect(measurement.heartRate == heartRate)
        #expect(measurement.contact == contact)
        #expect(measurement.energyExpended == energy)
        #expect(measurement.rrIntervals?.map(\.raw) == intervals)
        #expect(try HeartRateMeasurement(measurement.octets) == measurement)
    }

    @Test("an RR interval of 790/1024 s is exactly 771.484375 ms")
    func milliseconds() {
        #expect(RRInterval(raw: 790).milliseconds == DecimalNumber(771_484_375, exponent: -6))
        #expect(RRInterval(raw: 1024).milliseconds == DecimalNumber(1000, exponent: 0))
    }

    @Test("an odd octet after the last RR interval is ignored", arguments: 0...9)
    func oddTail(count: Int) throws {
        let intervals = (0..<count).map { UInt16(700 + $0) }
        let measurement = HeartRateMeasurement(heartRate: 72, rrIntervals: intervals.map(RRInterval.init))
        #expect(try HeartRateMeasurement(measurement.octets + [0xAA]) == measurement)
    }

    @Test(
        "a value that ends too early is malformed, with the place and the missing field",
        arguments: [
            ("", 0, "the value needs flags, 0 of 1 octet present"),
            ("00", 1, "flags announce an 8-bit heart rate, 0 of 1 octet present"),
            ("01 48", 1, "flags announce a 16-bit heart rate, 1 of 2 octets present"),
            ("08 48 01", 2, "flags announce an energy expended, 1 of 2 octets present"),
        ])
    func malformed(value: String, offset: Int, reason: String) {
        #expect(throws: MalformedValueError(offset: offset, reason: reason)) { try HeartRateMeasurement(octets(value)) }
    }

    @Test("a body sensor location is kept, named or reserved")
    func location() throws {
        #expect(try BodySensorLocation([1]).name == "chest")
        #expect(try BodySensorLocation([5]).name == "ear_lobe")
        #expect(try BodySensorLocation([7]).name == "reserved")
        #expect(try BodySensorLocation([7]).octets == [7])
    }
}
