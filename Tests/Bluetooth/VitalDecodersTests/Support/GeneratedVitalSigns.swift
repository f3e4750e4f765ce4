import TestSupport
import VitalDecoders

extension TemperatureType: Generated {}
extension BodySensorLocation: Generated {}
extension HeartRateCommand: Generated {}
extension PulseOximeterMeasurementStatus: Generated {}
extension PulseOximeterDeviceAndSensorStatus: Generated {}
extension PulseOximeterFeatures.Supported: Generated {}

extension TemperatureMeasurement: Generated {
    static func random(using generator: inout SeededGenerator) -> TemperatureMeasurement {
        TemperatureMeasurement(
            temperature: generator.any(), unit: generator.any(), timestamp: generator.maybe(), type: generator.maybe())
    }
}

extension MeasurementInterval: Generated {
    static func random(using generator: inout SeededGenerator) -> MeasurementInterval {
        MeasurementInterval(seconds: generator.any())
    }
}

extension RRInterval: Generated {
    static func random(using generator: inout SeededGenerator) -> RRInterval { RRInterval(raw: generator.any()) }
}

extension HeartRateMeasurement: Generated {
    static func random(using generator: inout SeededGenerator) -> HeartRateMeasurement {
        HeartRateMeasurement(
            heartRate: generator.any(),
            contact: SensorContact.allCases.randomElement(using: &generator) ?? .detected,
            energyExpended: generator.maybe(), rrIntervals: generator.any() ? generator.list(upTo: 12) : nil)
    }
}

extension OxygenSaturationAndPulseRate: Generated {
    static func random(using generator: inout SeededGenerator) -> OxygenSaturationAndPulseRate {
        OxygenSaturationAndPulseRate(oxygenSaturation: generator.any(), pulseRate: generator.any())
    }
}

extension PulseOximeterContinuousMeasurement: Generated {
    static func random(using generator: inout SeededGenerator) -> PulseOximeterContinuousMeasurement {
        PulseOximeterContinuousMeasurement(
            normal: generator.any(), fast: generator.maybe(), slow: generator.maybe(),
            measurementStatus: generator.maybe(), deviceAndSensorStatus: generator.maybe(),
            pulseAmplitudeIndex: generator.maybe())
    }
}

extension PulseOximeterSpotCheckMeasurement: Generated {
    static func random(using generator: inout SeededGenerator) -> PulseOximeterSpotCheckMeasurement {
        PulseOximeterSpotCheckMeasurement(
            normal: generator.any(), timestamp: generator.maybe(), measurementStatus: generator.maybe(),
            deviceAndSensorStatus: generator.maybe(), pulseAmplitudeIndex: generator.maybe(),
            isDeviceClockNotSet: generator.any())
    }
}

extension PulseOximeterFeatures: Generated {
    static func random(using generator: inout SeededGenerator) -> PulseOximeterFeatures {
        PulseOximeterFeatures(
            supported: generator.any(), measurementStatusSupport: generator.maybe(),
            deviceAndSensorStatusSupport: generator.maybe())
    }
}

extension BatteryLevel: Generated {
    static func random(using generator: inout SeededGenerator) -> BatteryLevel {
        BatteryLevel(rawValue: generator.any())
    }
}

extension DeviceInformationText: Generated {
    static func random(using generator: inout SeededGenerator) -> DeviceInformationText {
        let numbers = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
            UInt32.random(in: 0...(generator.any() ? 0x7F : 0x10_FFFF), using: &generator)
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: numbers.compactMap(Unicode.Scalar.init))
        return DeviceInformationText(String(text))
    }
}

extension SystemIdentifier: Generated {
    static func random(using generator: inout SeededGenerator) -> SystemIdentifier {
        SystemIdentifier(manufacturerIdentifier: generator.any(), organizationallyUniqueIdentifier: generator.any())
    }
}

extension RegulatoryCertification: Generated {
    static func random(using generator: inout SeededGenerator) -> RegulatoryCertification {
        RegulatoryCertification(data: generator.list(upTo: 40))
    }
}

extension PlugAndPlayIdentifier.VendorSource: Generated {}

extension PlugAndPlayIdentifier: Generated {
    static func random(using generator: inout SeededGenerator) -> PlugAndPlayIdentifier {
        PlugAndPlayIdentifier(
            vendorSource: generator.any(), vendor: generator.any(), product: generator.any(), version: generator.any())
    }
}

extension CoreTemperature: Generated {
    static func random(using generator: inout SeededGenerator) -> CoreTemperature {
        CoreTemperature(rawValue: generator.any())
    }
}

extension CoreQualityAndState: Generated {
    static func random(using generator: inout SeededGenerator) -> CoreQualityAndState {
        CoreQualityAndState(rawValue: generator.any())
    }
}

extension CoreBodyTemperature: Generated {
    static func random(using generator: inout SeededGenerator) -> CoreBodyTemperature {
        CoreBodyTemperature(
            unit: generator.any(), coreTemperature: generator.any(), skinTemperature: generator.maybe(),
            coreReserved: generator.maybe(), qualityAndState: generator.maybe(), heartRate: generator.maybe(),
            heatStrainIndexTenths: generator.maybe())
    }
}

extension CoreControlOpcode: Generated {}
extension CoreControlResult: Generated {}

extension CoreControlMessage: Generated {
    static func random(using generator: inout SeededGenerator) -> CoreControlMessage {
        if generator.any() {
            return .answer(generator.any(), generator.any(), parameters: generator.list(upTo: 17))
        }
        // The number with which answers begin is no command.
        let opcode: UInt8 = generator.any()
        return .command(CoreControlOpcode(rawValue: opcode == 0x80 ? 0 : opcode), parameters: generator.list(upTo: 6))
    }
}

extension CoreAdvertisement: Generated {
    static func random(using generator: inout SeededGenerator) -> CoreAdvertisement {
        CoreAdvertisement(status: generator.any(), coreTemperatureMillidegrees: generator.any())
    }
}

extension PolarAdvertisement: Generated {
    static func random(using generator: inout SeededGenerator) -> PolarAdvertisement {
        PolarAdvertisement(
            status: generator.any(), code: generator.any(), fastHeartRate: generator.any(),
            slowHeartRate: generator.maybe())
    }
}
