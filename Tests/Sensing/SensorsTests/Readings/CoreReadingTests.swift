import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("Readings of a CORE")
struct CoreReadingTests {
    @Test(
        "core and skin temperature come from CORE's own characteristic",
        arguments: [
            // The maker's example: quality poor.
            ("37 19 0F A4 0D 2F 00 11 00 27", Reading.Outcome.questionable(3865), Reading.Outcome.good(3492)),
            // The core temperature is not available, the skin's is.
            ("05 FF 7F A4 0D 01", .noMeasurement(.notANumber), .good(3492)),
            // Neither is.
            ("05 FF 7F FF 7F 00", .noMeasurement(.notANumber), .noMeasurement(.notANumber)),
            // Quality invalid, fair, good, excellent, not available.
            ("04 19 0F 00", .noMeasurement(.searching), nil),
            ("04 19 0F 02", .good(3865), nil),
            ("04 19 0F 03", .good(3865), nil),
            ("04 19 0F 04", .good(3865), nil),
            ("04 19 0F 07", .good(3865), nil),
            // No quality is said.
            ("00 19 0F", .good(3865), nil),
            // Degrees Fahrenheit: 100.94.
            ("08 6E 27", .good(3830), nil),
            // Off the body the skin sensor measures the ambient temperature: 21.50 °C.
            ("01 19 0F 66 08", .good(3865), .noMeasurement(.outOfRange)),
            ("00 00 00", .noMeasurement(.outOfRange), nil),
            ("00 00 80", .noMeasurement(.outOfRange), nil),
        ] as [(String, Reading.Outcome, Reading.Outcome?)])
    func temperatures(text: String, body: Reading.Outcome, skin: Reading.Outcome?) {
        var maker = ReadingDecoder(identity: .example(.core))
        let events = decode(text, of: .coreBodyTemperature, by: &maker)
        #expect(events.outcome(of: .bodyTemperature) == body)
        #expect(events.outcome(of: .skinTemperature) == skin)
        #expect(events.readings.first?.site == .core)
        #expect(events.readings.dropFirst().allSatisfy { $0.site == .skin })
    }

    @Test("the heart rate that CORE relays from a strap is not counted as another one")
    func relayedHeartRate() {
        var maker = ReadingDecoder(identity: .example(.core))
        let events = decode("37 19 0F A4 0D 2F 00 23 48 27", of: .coreBodyTemperature, by: &maker)
        #expect(events.outcome(of: .heartRate) == nil)
        #expect(events.count == 2)
    }

    @Test(
        "a thermometer that has only its name in common with CORE is one, with the site that it sends",
        arguments: [("01", BodySite.armpit), ("03", .ear), ("06", .mouth), ("09", .tympanum)])
    func nameOnly(type: String, site: BodySite) {
        let named = SensorIdentity(
            recognising: "C0:52:49:00:00:02", name: "CORE-like thermometer", services: [BluetoothUUID(0x1809)])
        #expect(named.kind == .core)
        for isReadOnce in [false, true] {
            var maker = ReadingDecoder(identity: named)
            if isReadOnce { _ = decode(type, of: .temperatureType, by: &maker) }
            let octets = isReadOnce ? "00 42 0E 00 FE" : "04 42 0E 00 FE \(type)"
            let reading = decode(octets, of: .temperatureMeasurement, by: &maker).readings.first
            #expect(reading?.site == site)
            #expect(reading?.sensor.kind == .thermometer)
            // Recognised again, it is still one.
            maker.identity = named
            #expect(maker.identity.kind == .thermometer)
        }
    }

    @Test("a sensor with CORE's own characteristic stays a CORE, and says the site that it sends")
    func ownCharacteristic() {
        var maker = ReadingDecoder(identity: .example(.core))
        maker.expectCoreValues(from: at(0))
        let reading = decode("04 42 0E 00 FE 01", of: .temperatureMeasurement, by: &maker, at: at(20)).readings.first
        #expect(reading?.site == .armpit)
        #expect(reading?.sensor.kind == .core)
    }

    @Test("2A1C of a CORE carries the core temperature, though its type says only \"body\"")
    func healthThermometer() {
        var maker = ReadingDecoder(identity: .example(.core))
        let events = decode("04 42 0E 00 FE 02", of: .temperatureMeasurement, by: &maker)
        #expect(events.outcome(of: .bodyTemperature) == .good(3650))
        #expect(events.readings.first?.site == .core)
        #expect(events.outcome(of: .skinTemperature) == nil)
    }

    @Test("a temperature that comes by both characteristics is counted once")
    func countedOnce() {
        var maker = ReadingDecoder(identity: .example(.core))
        let measurement = "04 42 0E 00 FE 02"
        #expect(decode("00 19 0F", of: .coreBodyTemperature, by: &maker, at: at(0)).count == 1)
        #expect(decode(measurement, of: .temperatureMeasurement, by: &maker, at: at(1)).isEmpty)
        #expect(decode("00 19 0F", of: .coreBodyTemperature, by: &maker, at: at(10)).count == 1)
        #expect(decode(measurement, of: .temperatureMeasurement, by: &maker, at: at(24.9)).isEmpty)
        // Its own characteristic has fallen silent.
        #expect(decode(measurement, of: .temperatureMeasurement, by: &maker, at: at(25)).count == 1)
    }

    @Test("2A1C waits for CORE's own characteristic once that is subscribed to")
    func waits() {
        var maker = ReadingDecoder(identity: .example(.core))
        maker.expectCoreValues(from: at(0))
        #expect(decode("04 42 0E 00 FE 02", of: .temperatureMeasurement, by: &maker, at: at(1)).isEmpty)
        #expect(decode("04 42 0E 00 FE 02", of: .temperatureMeasurement, by: &maker, at: at(15)).count == 1)
    }

    @Test("malformed octets of CORE's own characteristic do not silence 2A1C")
    func malformedIsNoValue() throws {
        var maker = ReadingDecoder(identity: .example(.core))
        let events = decode("00 19", of: .coreBodyTemperature, by: &maker, at: at(0))
        guard case .malformed(_, let malformed) = try #require(events.first) else {
            Issue.record("not reported as malformed")
            return
        }
        #expect(malformed.characteristic == "00002101-5B1E-4347-B07C-97B514DAE121")
        #expect(decode("04 42 0E 00 FE 02", of: .temperatureMeasurement, by: &maker, at: at(1)).count == 1)
    }
}
