import Testing
import VitalDecoders

@Suite("Pulse Oximeter Service")
struct PulseOximeterServiceTests {
    @Test(
        "a continuous measurement reads as documented, and is written with the same octets",
        arguments: [
            ("00 64 00 5A 00", "100 90", nil, nil, nil),
            ("00 E8 F3 84 F3", "100 90", nil, nil, nil),
            ("1C 62 00 40 00 20 00 20 00 00 22 F0", "98 64", 0x20, 0x20, "3.4"),
            ("1C 60 00 49 00 20 00 24 00 00 23 F0", "96 73", 0x20, 0x24, "3.5"),
            ("1C 5F 00 5A 00 20 00 00 00 00 57 F0", "95 90", 0x20, 0x00, "8.7"),
            ("1C 00 00 00 00 00 00 20 08 00 00 F0", "0 0", 0x00, 0x820, "0"),
            ("1C 61 00 00 00 00 00 20 08 00 00 F0", "97 0", 0x00, 0x820, "0"),
            ("00 FF 07 FF 07", "NaN NaN", nil, nil, nil),
        ] as [(String, String, UInt16?, UInt32?, String?)])
    func continuous(value: String, normal: String, status: UInt16?, device: UInt32?, index: String?) throws {
        let measurement = try PulseOximeterContinuousMeasurement(octets(value))
        #expect("\(measurement.normal.oxygenSaturation) \(measurement.normal.pulseRate)" == normal)
        #expect(measurement.measurementStatus?.rawValue == status)
        #expect(measurement.deviceAndSensorStatus?.rawValue == device)
        #expect(measurement.pulseAmplitudeIndex?.description == index)
        #expect(measurement.octets == octets(value))
    }

    @Test("a continuous measurement with every field reads them in their order")
    func everyField() throws {
        let value = octets("1F DE F3 CA F3 CA F3 5A F5 D4 F3 B2 F2 20 01 00 00 00 7A E3")
        let measurement = try PulseOximeterContinuousMeasurement(value)
        #expect("\(measurement.normal.oxygenSaturation) \(measurement.normal.pulseRate)" == "99 97")
        #expect(measurement.fast.map { "\($0.oxygenSaturation) \($0.pulseRate)" } == "97 137")
        #expect(measurement.slow.map { "\($0.oxygenSaturation) \($0.pulseRate)" } == "98 69")
        #expect(measurement.measurementStatus == [.measurementOngoing, .fullyQualified])
        #expect(measurement.deviceAndSensorStatus == [])
        #expect(measurement.pulseAmplitudeIndex?.description == "8.9")
        #expect(measurement.octets == value)
    }

    @Test("a spot-check measurement reads as documented, and is written with the same octets")
    func spotCheck() throws {
        let value = octets("0F AC F3 BE F5 E8 07 0B 1D 17 08 39 20 40 22 00 00 66 E3")
        let measurement = try PulseOximeterSpotCheckMeasurement(value)
        #expect("\(measurement.normal.oxygenSaturation) \(measurement.normal.pulseRate)" == "94 147")
        #expect(measurement.timestamp?.description == "2024-11-29 23:08:57")
        #expect(measurement.measurementStatus == [.measurementOngoing, .questionable])
        #expect(measurement.deviceAndSensorStatus == [.equipmentMalfunction, .lowPerfusion])
        #expect(measurement.pulseAmplitudeIndex?.description == "8.7")
        #expect(!measurement.isDeviceClockNotSet)
        #expect(measurement.octets == value)
        #expect(try PulseOximeterSpotCheckMeasurement(octets("10 62 00 40 00")).isDeviceClockNotSet)
    }

    @Test("features read as documented, and are written with the same octets")
    func features() throws {
        let value = octets("A3 00 40 10 80 01 00")
        let features = try PulseOximeterFeatures(value)
        #expect(
            features.supported.names == [
                "measurement status", "device and sensor status", "SpO2PR-Slow", "multiple bonds",
            ])
        #expect(features.measurementStatusSupport == [.earlyEstimate, .calibrationOngoing])
        #expect(features.deviceAndSensorStatusSupport == [.nonPulsatileSignal, .questionablePulse])
        #expect(features.octets == value)
        #expect(try PulseOximeterFeatures(octets("04 00")).supported == [.spotCheckStorage])
    }

    @Test(
        "a value that ends too early is malformed, with the place and the missing field",
        arguments: [
            ("00 64 00 5A", 3, "the value needs an SpO2PR-Normal pulse rate, 1 of 2 octets present"),
            ("01 64 00 5A 00 64", 5, "flags announce an SpO2PR-Fast SpO2, 1 of 2 octets present"),
            ("08 64 00 5A 00 64 00", 5, "flags announce a device and sensor status, 2 of 3 octets present"),
        ])
    func malformed(value: String, offset: Int, reason: String) {
        #expect(throws: MalformedValueError(offset: offset, reason: reason)) {
            try PulseOximeterContinuousMeasurement(octets(value))
        }
    }

    @Test("the worst of the status bits decides how far a value may be used")
    func usability() {
        #expect(PulseOximeterMeasurementStatus([.measurementOngoing, .validated]).usability == .usable)
        #expect(PulseOximeterMeasurementStatus([.measurementOngoing, .questionable]).usability == .questionable)
        #expect(PulseOximeterMeasurementStatus([.earlyEstimate, .invalid]).usability == .unusable)
        let off: PulseOximeterDeviceAndSensorStatus = [.lowPerfusion, .sensorUnconnectedToUser]
        #expect(off.usability == .unusable)
        #expect(off.hasCause(.offBody))
        #expect(PulseOximeterDeviceAndSensorStatus(rawValue: 0xFF_0000).usability == .usable)
    }
}
