import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("Readings of a thermometer")
struct TemperatureReadingTests {
    @Test(
        "a temperature is exact, or there is a reason for its absence",
        arguments: [
            ("00 42 0E 00 FE", Reading.Outcome.good(3650)),
            ("01 DA 03 00 FF", .good(3700)),
            ("02 88 0E 00 FE E9 07 03 0A 0E 1E 2D", .good(3720)),
            ("04 42 0E 00 FE 02", .good(3650)),
            ("00 FF FF 7F 00", .noMeasurement(.notANumber)),
            ("04 FF FF 7F 00 02", .noMeasurement(.notANumber)),
            ("00 00 00 80 00", .noMeasurement(.notANumber)),
            ("00 01 00 80 00", .noMeasurement(.notANumber)),
            ("00 FE FF 7F 00", .noMeasurement(.aboveRange)),
            ("00 02 00 80 00", .noMeasurement(.belowRange)),
            ("00 00 00 00 00", .noMeasurement(.outOfRange)),
            // 25.00 and 45.00 °C are the last plausible ones; 24.99 and 45.01 are not.
            ("00 C4 09 00 FE", .good(2500)),
            ("00 94 11 00 FE", .good(4500)),
            ("00 C3 09 00 FE", .noMeasurement(.outOfRange)),
            ("00 95 11 00 FE", .noMeasurement(.outOfRange)),
            // 98.6 in degrees Celsius is a wrong unit.
            ("00 DA 03 00 FF", .noMeasurement(.outOfRange)),
            // 100.94 °F is exactly 38.30 °C.
            ("01 6E 27 00 FE", .good(3830)),
            // The greatest numbers that can be written do not trap.
            ("00 FD FF 7F 7F", .noMeasurement(.outOfRange)),
            ("01 03 00 80 7F", .noMeasurement(.outOfRange)),
            ("00 FF FF FF FF", .noMeasurement(.outOfRange)),
        ])
    func temperature(text: String, outcome: Reading.Outcome) {
        var maker = ReadingDecoder(identity: .example(.thermometer))
        let events = decode(text, of: .temperatureMeasurement, by: &maker)
        #expect(events.count == 1)
        #expect(events.outcome(of: .bodyTemperature) == outcome)
    }

    @Test("an intermediate temperature is an estimate")
    func intermediate() {
        var maker = ReadingDecoder(identity: .example(.thermometer))
        let events = decode("00 42 0E 00 FE", of: .intermediateTemperature, by: &maker)
        #expect(events.outcome(of: .bodyTemperature) == .questionable(3650))
    }

    @Test("the interval is announced as it was read, with whether it can be set; one of a wrong length is malformed")
    func interval() {
        var maker = ReadingDecoder(identity: .example(.thermometer))
        func announced(_ seconds: Int, isSettable: Bool) -> MonitorEvent.Kind {
            .announcedInterval(maker.identity, AnnouncedInterval(seconds: seconds, isSettable: isSettable))
        }
        #expect(decode("2C 01", of: .measurementInterval, by: &maker) == [announced(300, isSettable: false)])
        maker.isIntervalSettable = true
        #expect(decode("00 00", of: .measurementInterval, by: &maker) == [announced(0, isSettable: true)])
        guard case .malformed? = decode("3C", of: .measurementInterval, by: &maker).first else {
            Issue.record("One octet was taken for an interval.")
            return
        }
    }

    @Test("the site is the measurement's own, else the one that the sensor reported once")
    func site() {
        var maker = ReadingDecoder(identity: .example(.thermometer))
        #expect(decode("00 42 0E 00 FE", of: .temperatureMeasurement, by: &maker).readings.first?.site == nil)
        #expect(decode("03", of: .temperatureType, by: &maker).isEmpty)
        #expect(decode("00 42 0E 00 FE", of: .temperatureMeasurement, by: &maker).readings.first?.site == .ear)
        #expect(decode("04 42 0E 00 FE 06", of: .temperatureMeasurement, by: &maker).readings.first?.site == .mouth)
    }

    @Test(
        "every assigned temperature type is a site, and a reserved one is none",
        arguments: zip(
            0...10,
            [nil, .armpit, .body, .ear, .finger, .gastrointestinalTract, .mouth, .rectum, .toe, .tympanum, nil]
                as [BodySite?]))
    func types(number: Int, site: BodySite?) {
        var maker = ReadingDecoder(identity: .example(.thermometer))
        let text = "04 42 0E 00 FE 0\(String(number, radix: 16))"
        #expect(decode(text, of: .temperatureMeasurement, by: &maker).readings.first?.site == site)
    }

    @Test("the sensor's own time is kept, unknown parts of it are unknown, and one that no calendar has is none")
    func time() {
        var maker = ReadingDecoder(identity: .example(.thermometer))
        let known = decode("02 88 0E 00 FE E9 07 03 0A 0E 1E 2D", of: .temperatureMeasurement, by: &maker)
        #expect(
            known.readings.first?.deviceTime
                == DeviceTime(year: 2025, month: 3, day: 10, hour: 14, minute: 30, second: 45))
        let unknown = decode("02 88 0E 00 FE 00 00 00 00 0E 1E 2D", of: .temperatureMeasurement, by: &maker)
        #expect(
            unknown.readings.first?.deviceTime
                == DeviceTime(year: nil, month: nil, day: nil, hour: 14, minute: 30, second: 45))
        // No calendar has a thirteenth month, a 30 February or the year 1581.
        for date in ["E9 07 0D 0A", "E9 07 02 1E", "2D 06 03 0A"] {
            let impossible = decode("02 88 0E 00 FE \(date) 0E 1E 2D", of: .temperatureMeasurement, by: &maker)
            #expect(impossible.readings.first?.deviceTime == nil)
            #expect(impossible.outcome(of: .bodyTemperature) == .good(3720))
        }
        let noTime = decode("02 88 0E 00 FE E9 07 03 0A 19 1E 2D", of: .temperatureMeasurement, by: &maker)
        #expect(noTime.readings.first?.deviceTime == nil)
        #expect(noTime.outcome(of: .bodyTemperature) == .good(3720))
    }

    @Test("truncated octets are malformed, neither a value nor an absence")
    func malformed() throws {
        var maker = ReadingDecoder(identity: .example(.thermometer))
        let events = decode("04 42 0E 00 FE", of: .temperatureMeasurement, by: &maker)
        #expect(events.count == 1)
        guard case .malformed(let identity, let malformed) = try #require(events.first) else {
            Issue.record("not reported as malformed")
            return
        }
        #expect(identity == .example(.thermometer))
        #expect(malformed.characteristic == "2A1C")
        #expect(malformed.octets == octets("04 42 0E 00 FE"))
        #expect(malformed.offset == 5)
        #expect(!malformed.reason.isEmpty)
    }
}
