import DeviceLists
import Testing
import VitalDecoders

@Suite("Measurements of single use")
struct HealthMeasurementTests {
    @Test("each is decoded from its characteristic, and gives its octets back")
    func octets() throws {
        for measurement in Example.all {
            let uuid = measurement.characteristic.uuid
            #expect(try HealthMeasurement(measurement.octets, from: uuid) == measurement)
            #expect(measurement.hasResult && measurement.isDistinguishable)
            #expect(throws: GATTDecodingError.self) { try HealthMeasurement([], from: uuid) }
        }
        #expect(Set(Example.all.map(\.characteristic.uuid)).count == 5)
        #expect(throws: GATTDecodingError.self) { try HealthMeasurement([6, 72], from: "2A37") }
    }

    @Test("a measurement that failed has no result, and a meter's HI and LO are one")
    func results() {
        let pressure = BloodPressureMeasurement(systolic: .nan, diastolic: .nan, meanArterialPressure: .nan)
        #expect(!HealthMeasurement.bloodPressure(pressure).hasResult)
        #expect(!HealthMeasurement.weight(WeightMeasurement(rawWeight: 0xFFFF)).hasResult)
        #expect(!HealthMeasurement.temperature(TemperatureMeasurement(temperature: .nan)).hasResult)
        let check = PulseOximeterSpotCheckMeasurement(
            normal: OxygenSaturationAndPulseRate(oxygenSaturation: .nan, pulseRate: .notAtThisResolution))
        #expect(!HealthMeasurement.oxygenSaturation(check).hasResult)

        var glucose = GlucoseMeasurement(sequenceNumber: 1, baseTime: Example.time())
        #expect(!HealthMeasurement.glucose(glucose).hasResult)
        glucose.sensorStatus = .resultTooHigh
        #expect(HealthMeasurement.glucose(glucose).hasResult)
        glucose.sensorStatus = .resultTooLow
        #expect(HealthMeasurement.glucose(glucose).hasResult)
    }

    @Test("the mean pressure alone is a result")
    func meanPressure() throws {
        let mean = try #require(MedicalShortFloat(whole: 93))
        let pressure = BloodPressureMeasurement(systolic: .nan, diastolic: .nan, meanArterialPressure: mean)
        #expect(HealthMeasurement.bloodPressure(pressure).hasResult)
    }

    @Test("without a date of the device, equal measurements may be two")
    func distinguishable() {
        let noDate = DateTime(year: nil, month: nil, day: nil, hour: 0, minute: 0, second: 0)
        let impossible = DateTime(year: 2026, month: 13, day: 1, hour: 0, minute: 0, second: 0)
        for time in [nil, noDate, impossible] {
            #expect(!Example.pressure(120, time: time).isDistinguishable)
            #expect(!Example.weight(70, time: time).isDistinguishable)
            #expect(!Example.temperature(3700, time: time).isDistinguishable)
            #expect(!Example.saturation(97, time: time).isDistinguishable)
        }
        var check = PulseOximeterSpotCheckMeasurement(
            normal: OxygenSaturationAndPulseRate(oxygenSaturation: .nan, pulseRate: .nan), timestamp: Example.time())
        #expect(HealthMeasurement.oxygenSaturation(check).isDistinguishable)
        check.isDeviceClockNotSet = true
        #expect(!HealthMeasurement.oxygenSaturation(check).isDistinguishable)
    }
}

/// Measurements of devices with a clock.
enum Example {
    static func time(minute: UInt8 = 0) -> DateTime {
        DateTime(year: 2026, month: 11, day: 29, hour: 7, minute: minute, second: 30)
    }

    static let all = [pressure(120), weight(70), glucose(9), temperature(3712), saturation(97)]

    static func pressure(_ systolic: Int, time: DateTime? = time()) -> HealthMeasurement {
        .bloodPressure(
            BloodPressureMeasurement(
                systolic: MedicalShortFloat(whole: systolic) ?? .nan, diastolic: MedicalShortFloat(whole: 80) ?? .nan,
                meanArterialPressure: .nan, circumstances: BloodPressureCircumstances(timestamp: time)))
    }

    static func weight(_ kilograms: UInt16, time: DateTime? = time()) -> HealthMeasurement {
        .weight(WeightMeasurement(rawWeight: kilograms * 200, timestamp: time))
    }

    static func glucose(_ number: UInt16, minute: UInt8 = 0) -> HealthMeasurement {
        .glucose(
            GlucoseMeasurement(
                sequenceNumber: number, baseTime: time(minute: minute),
                sample: GlucoseSample(
                    concentration: MedicalShortFloat(DecimalNumber(55, exponent: -4)) ?? .nan, unit: .molesPerLitre,
                    source: GlucoseSampleSource(rawValue: 0x11))))
    }

    static func temperature(_ hundredths: Int, time: DateTime? = time()) -> HealthMeasurement {
        .temperature(
            TemperatureMeasurement(temperature: MedicalFloat(hundredths: hundredths) ?? .nan, timestamp: time))
    }

    static func saturation(_ percent: Int, time: DateTime? = time()) -> HealthMeasurement {
        .oxygenSaturation(
            PulseOximeterSpotCheckMeasurement(
                normal: OxygenSaturationAndPulseRate(
                    oxygenSaturation: MedicalShortFloat(whole: percent) ?? .nan,
                    pulseRate: MedicalShortFloat(whole: 61) ?? .nan),
                timestamp: time))
    }
}
