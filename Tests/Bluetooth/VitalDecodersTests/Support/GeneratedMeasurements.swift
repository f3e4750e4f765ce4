import TestSupport
import VitalDecoders

extension CurrentTime.AdjustReason: Generated {}
extension BloodPressureStatus: Generated {}
extension BloodPressureFeature: Generated {}
extension GlucoseSensorStatus: Generated {}
extension GlucoseFeature: Generated {}
extension GlucoseCarbohydrateOccasion: Generated {}
extension GlucoseMeal: Generated {}
extension GlucoseMedicationKind: Generated {}
extension ContinuousGlucoseAnnunciation: Generated {}
extension ContinuousGlucoseFeature.Supported: Generated {}
extension RecordAccessOpcode: Generated {}
extension RecordAccessOperator: Generated {}

extension CurrentTime: Generated {
    static func random(using generator: inout SeededGenerator) -> CurrentTime {
        CurrentTime(
            dateTime: generator.any(), dayOfWeek: generator.any(), fractions: generator.any(),
            adjustReason: generator.any())
    }
}

extension PressureUnit: Generated {
    static func random(using generator: inout SeededGenerator) -> PressureUnit {
        generator.any() ? .millimetresOfMercury : .kilopascals
    }
}

extension BloodPressureCircumstances: Generated {
    static func random(using generator: inout SeededGenerator) -> BloodPressureCircumstances {
        BloodPressureCircumstances(
            timestamp: generator.maybe(), pulseRate: generator.maybe(), userIdentifier: generator.maybe(),
            measurementStatus: generator.maybe())
    }
}

extension BloodPressureMeasurement: Generated {
    static func random(using generator: inout SeededGenerator) -> BloodPressureMeasurement {
        BloodPressureMeasurement(
            unit: generator.any(), systolic: generator.any(), diastolic: generator.any(),
            meanArterialPressure: generator.any(), circumstances: generator.any())
    }
}

extension IntermediateCuffPressure: Generated {
    static func random(using generator: inout SeededGenerator) -> IntermediateCuffPressure {
        IntermediateCuffPressure(
            unit: generator.any(), cuffPressure: generator.any(), circumstances: generator.any())
    }
}

extension WeightMeasurement.Stature: Generated {
    static func random(using generator: inout SeededGenerator) -> WeightMeasurement.Stature {
        WeightMeasurement.Stature(rawBodyMassIndex: generator.any(), rawHeight: generator.any())
    }
}

extension WeightMeasurement: Generated {
    static func random(using generator: inout SeededGenerator) -> WeightMeasurement {
        WeightMeasurement(
            isImperial: generator.any(), rawWeight: generator.any(), timestamp: generator.maybe(),
            userIdentifier: generator.maybe(), stature: generator.maybe(), reservedFlags: generator.any())
    }
}

extension WeightScaleFeature: Generated {
    static func random(using generator: inout SeededGenerator) -> WeightScaleFeature {
        WeightScaleFeature(rawValue: generator.any())
    }
}

extension GlucoseSampleSource: Generated {
    static func random(using generator: inout SeededGenerator) -> GlucoseSampleSource {
        GlucoseSampleSource(rawValue: generator.any())
    }
}

extension GlucoseSample: Generated {
    static func random(using generator: inout SeededGenerator) -> GlucoseSample {
        GlucoseSample(
            concentration: generator.any(), unit: generator.any() ? .kilogramsPerLitre : .molesPerLitre,
            source: generator.any())
    }
}

extension GlucoseMeasurement: Generated {
    static func random(using generator: inout SeededGenerator) -> GlucoseMeasurement {
        GlucoseMeasurement(
            sequenceNumber: generator.any(), baseTime: generator.any(), timeOffset: generator.maybe(),
            sample: generator.maybe(), sensorStatus: generator.maybe(), contextFollows: generator.any())
    }
}

extension GlucoseTesterAndHealth: Generated {
    static func random(using generator: inout SeededGenerator) -> GlucoseTesterAndHealth {
        GlucoseTesterAndHealth(rawValue: generator.any())
    }
}

extension GlucoseMeasurementContext: Generated {
    static func random(using generator: inout SeededGenerator) -> GlucoseMeasurementContext {
        GlucoseMeasurementContext(
            sequenceNumber: generator.any(), extendedFlags: generator.maybe(),
            carbohydrate: generator.any() ? nil : Carbohydrate(occasion: generator.any(), kilograms: generator.any()),
            meal: generator.maybe(), testerAndHealth: generator.maybe(),
            exercise: generator.any() ? nil : Exercise(rawDuration: generator.any(), intensity: generator.any()),
            medication: generator.any()
                ? nil : Medication(kind: generator.any(), amount: generator.any(), isInLitres: generator.any()),
            hba1c: generator.maybe())
    }
}

extension ContinuousGlucoseRecord {
    static func random(using generator: inout SeededGenerator, hasEndToEndCRC: Bool) -> ContinuousGlucoseRecord {
        ContinuousGlucoseRecord(
            glucose: generator.any(), timeOffset: generator.any(), statusOctet: generator.maybe(),
            calibrationTemperatureOctet: generator.maybe(), warningOctet: generator.maybe(), trend: generator.maybe(),
            quality: generator.maybe(), unknownOctets: generator.list(upTo: 9), hasEndToEndCRC: hasEndToEndCRC)
    }
}

extension ContinuousGlucoseMeasurement {
    static func random(using generator: inout SeededGenerator, hasEndToEndCRC: Bool) -> ContinuousGlucoseMeasurement {
        ContinuousGlucoseMeasurement(
            records: (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                .random(using: &generator, hasEndToEndCRC: hasEndToEndCRC)
            })
    }
}

extension ContinuousGlucoseFeature: Generated {
    static func random(using generator: inout SeededGenerator) -> ContinuousGlucoseFeature {
        ContinuousGlucoseFeature(features: generator.any(), source: generator.any(), unusedCRC: generator.maybe())
    }
}

extension RecordAccessMessage: Generated {
    static func random(using generator: inout SeededGenerator) -> RecordAccessMessage {
        RecordAccessMessage(
            opcode: generator.any(), recordOperator: generator.any(),
            operand: [generator.any(), generator.any()] + generator.list(upTo: 15))
    }
}
