import Testing
import VitalDecoders

@Suite("Blood Pressure Service and Weight Scale Service")
struct BloodPressureAndWeightTests {
    @Test("a blood pressure reads as documented, and is written with the same octets")
    func bloodPressure() throws {
        let value = octets("14 78 00 50 00 5D 00 48 00 04 00")
        let measurement = try BloodPressureMeasurement(value)
        #expect(measurement.systolic.hundredths == 12_000)
        #expect(measurement.diastolic.hundredths == 8000)
        #expect(measurement.meanArterialPressure.hundredths == 9300)
        #expect(measurement.circumstances.pulseRate?.hundredths == 7200)
        #expect(measurement.circumstances.measurementStatus == [.irregularPulse])
        #expect(measurement.octets == value)
    }

    @Test("the two unused pressures of a cuff pressure are written as NaN")
    func cuffPressure() throws {
        let pressure = IntermediateCuffPressure(cuffPressure: try #require(MedicalShortFloat(whole: 140)))
        #expect(pressure.octets == octets("00 8C 00 FF 07 FF 07"))
    }

    @Test("a weight is exact in both systems of units, and 0xFFFF is none")
    func weight() {
        #expect(WeightMeasurement(rawWeight: 14_000).weight == DecimalNumber(70, exponent: 0))
        #expect(WeightMeasurement(isImperial: true, rawWeight: 16_401).weight == DecimalNumber(16_401, exponent: -2))
        #expect(WeightMeasurement(rawWeight: 0xFFFF).weight == nil)
        let stature = WeightMeasurement.Stature(rawBodyMassIndex: 231, rawHeight: 1785)
        #expect(WeightMeasurement(rawWeight: 1, stature: stature).height == DecimalNumber(1785, exponent: -3))
        #expect(WeightMeasurement(rawWeight: 1, stature: stature).bodyMassIndex == DecimalNumber(231, exponent: -1))
    }
}
