import TestSupport
import Testing
import VitalDecoders

@Suite("Round trips")
struct RoundTripTests {
    /// Expects that values of a type, once encoded, decode to equal values.
    private func check<Value: CharacteristicValue & Generated>(_ type: Value.Type, count: Int = 1000) throws {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<count {
            let value: Value = generator.any()
            #expect(try Value(value.octets) == value)
        }
    }

    @Test("thermometers")
    func thermometers() throws {
        try check(TemperatureMeasurement.self)
        try check(TemperatureType.self)
        try check(MeasurementInterval.self)
        try check(CoreBodyTemperature.self)
        try check(CoreControlMessage.self)
        try check(CoreAdvertisement.self)
    }

    @Test("heart-rate sensors")
    func heartRateSensors() throws {
        try check(HeartRateMeasurement.self)
        try check(BodySensorLocation.self)
        try check(HeartRateCommand.self)
        try check(PolarAdvertisement.self)
    }

    @Test("streams of Polar sensors")
    func polarStreams() throws {
        try check(PolarMeasurementControl.self)
        try check(PolarMeasurementFrame.self, count: 300)
    }

    @Test("oximeters")
    func oximeters() throws {
        try check(PulseOximeterContinuousMeasurement.self)
        try check(PulseOximeterSpotCheckMeasurement.self)
        try check(PulseOximeterFeatures.self)
    }

    @Test("battery, device information and time")
    func common() throws {
        try check(BatteryLevel.self)
        try check(DeviceInformationText.self)
        try check(SystemIdentifier.self)
        try check(RegulatoryCertification.self)
        try check(PlugAndPlayIdentifier.self)
        try check(DateTime.self)
        try check(CurrentTime.self)
    }

    @Test("blood pressure and weight")
    func bloodPressureAndWeight() throws {
        try check(BloodPressureMeasurement.self)
        try check(IntermediateCuffPressure.self)
        try check(BloodPressureFeature.self)
        try check(WeightMeasurement.self)
        try check(WeightScaleFeature.self)
    }

    @Test("glucose and stored records")
    func glucose() throws {
        try check(GlucoseMeasurement.self)
        try check(GlucoseMeasurementContext.self)
        try check(GlucoseFeature.self)
        try check(ContinuousGlucoseFeature.self)
        try check(RecordAccessMessage.self)
    }

    @Test("continuous glucose, with and without an E2E-CRC", arguments: [true, false])
    func continuousGlucose(hasCRC: Bool) throws {
        let context = DecodingContext(endToEndCRC: hasCRC)
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<1000 {
            let measurement = ContinuousGlucoseMeasurement.random(using: &generator, hasEndToEndCRC: hasCRC)
            #expect(try ContinuousGlucoseMeasurement(measurement.octets, context: context) == measurement)
            let status = ContinuousGlucoseStatus(
                timeOffset: generator.any(), annunciation: generator.any(), hasEndToEndCRC: hasCRC)
            #expect(try ContinuousGlucoseStatus(status.octets, context: context) == status)
            #expect(try ContinuousGlucoseStatus(status.octets) == status)
            let start = ContinuousGlucoseSessionStart(
                sessionStart: generator.any(), rawTimeZone: generator.any(), rawDaylightSavingOffset: generator.any(),
                hasEndToEndCRC: hasCRC)
            #expect(try ContinuousGlucoseSessionStart(start.octets, context: context) == start)
            #expect(try ContinuousGlucoseSessionStart(start.octets) == start)
            let time = ContinuousGlucoseSessionRunTime(hours: generator.any(), hasEndToEndCRC: hasCRC)
            #expect(try ContinuousGlucoseSessionRunTime(time.octets, context: context) == time)
            #expect(try ContinuousGlucoseSessionRunTime(time.octets) == time)
        }
    }

    @Test("a decimal number is the one that its text says")
    func decimals() throws {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<1000 {
            let number: DecimalNumber = generator.any()
            #expect(try #require(Double(number.description)) == number.doubleValue, "\(number)")
        }
    }

    @Test("a status word keeps bits that are not assigned, and names those that are")
    func statusText() {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<1000 {
            let raw: UInt16 = generator.any()
            let status = PulseOximeterMeasurementStatus(rawValue: raw)
            #expect(status.rawValue == raw)
            #expect(status.names.count == (raw & 0xFFE0).nonzeroBitCount)
            #expect(status.readings.map(\.name) == status.names)
        }
    }
}
