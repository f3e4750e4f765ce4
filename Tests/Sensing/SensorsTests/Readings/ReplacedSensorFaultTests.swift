import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

/// Faults about sensors of the companion that Bedside replaces, by their numbers in its review.
@Suite("Faults about sensors of the replaced system, each avoided")
struct ReplacedSensorFaultTests {
    @Test("10: a temperature that no body has is no value, such as 11 912 °C")
    func implausible() {
        var maker = ReadingDecoder(identity: .example(.thermometer))
        // Mantissa 11912, exponent 0.
        let events = decode("00 88 2E 00 00", of: .temperatureMeasurement, by: &maker)
        #expect(events.outcome(of: .bodyTemperature) == .noMeasurement(.outOfRange))
    }

    @Test("13: the temperature that a CORE sends by the standard service is a body temperature, and not the skin's")
    func coreTemperature() {
        var maker = ReadingDecoder(identity: .example(.core))
        let events = decode("00 42 0E 00 FE", of: .temperatureMeasurement, by: &maker)
        #expect(events.outcome(of: .bodyTemperature) == .good(3650))
        #expect(events.outcome(of: .skinTemperature) == nil)
        #expect(events.readings.allSatisfy { $0.site != .skin })
    }

    @Test("16: a device is no sensor for having device information", arguments: ["Toothbrush", "CORE", nil])
    func deviceInformation(name: String?) {
        #expect(SupportedSensors.kind(services: ["180a", "180f"], name: name) == .other)
    }
}
