import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("Readings of a heart-rate strap")
struct HeartRateReadingTests {
    @Test(
        "a rate is measured, or there is a reason for its absence",
        arguments: [
            ("00 48", Reading.Outcome.good(7200)),
            ("16 4D 16 03", .good(7700)),
            ("01 48 00", .good(7200)),
            // The greatest plausible rate, and one above.
            ("01 2C 01", .good(30000)),
            ("01 2D 01", .noMeasurement(.outOfRange)),
            ("01 80 80", .noMeasurement(.outOfRange)),
            // The lowest rate that a strap can measure, and one below.
            ("00 14", .good(2000)),
            ("00 13", .noMeasurement(.outOfRange)),
            ("16 01 16 03", .noMeasurement(.outOfRange)),
            // 255 is the end of one octet, but an ordinary number of two.
            ("06 FF", .noMeasurement(.outOfRange)),
            ("00 FF", .noMeasurement(.outOfRange)),
            ("01 FF 00", .good(25500)),
            ("00 FE", .good(25400)),
            // Without contact nothing else counts.
            ("04 FF", .noMeasurement(.noContact)),
            ("04 48", .noMeasurement(.noContact)),
            ("04 00", .noMeasurement(.noContact)),
            ("14 48 16 03", .noMeasurement(.noContact)),
            // A heart rate of 0 is no asystole.
            ("00 00", .noMeasurement(.searching)),
            ("06 00", .noMeasurement(.searching)),
            ("09 00 00 FF FF", .noMeasurement(.searching)),
            // Not supported (00 and 01) is no statement about contact.
            ("02 48", .good(7200)),
            ("10 48 FF FF", .good(7200)),
        ])
    func rate(text: String, outcome: Reading.Outcome) {
        var maker = ReadingDecoder(identity: .example(.heartRateStrap))
        let events = decode(text, of: .heartRateMeasurement, by: &maker)
        #expect(events.readings.count == 1)
        #expect(events.outcome(of: .heartRate) == outcome)
    }

    @Test("equal values are readings of their own")
    func equalValues() {
        var maker = ReadingDecoder(identity: .example(.heartRateStrap))
        for second in 0..<3 {
            let events = decode("00 48", of: .heartRateMeasurement, by: &maker, at: at(Double(second)))
            #expect(events.readings.map(\.moment) == [at(Double(second))])
        }
    }

    @Test(
        "every assigned sensor location is a site, and a reserved one is none",
        arguments: zip(
            0...7, [.other, .chest, .wrist, .finger, .hand, .earLobe, .foot, nil] as [BodySite?]))
    func site(number: Int, site: BodySite?) {
        var maker = ReadingDecoder(identity: .example(.heartRateStrap))
        #expect(decode("0\(number)", of: .bodySensorLocation, by: &maker).isEmpty)
        #expect(decode("00 48", of: .heartRateMeasurement, by: &maker).readings.first?.site == site)
    }

    @Test("missing octets are malformed", arguments: ["", "00", "01 48", "08 48 01"])
    func malformed(text: String) {
        var maker = ReadingDecoder(identity: .example(.heartRateStrap))
        let events = decode(text, of: .heartRateMeasurement, by: &maker)
        #expect(events.readings.isEmpty)
        #expect(events.count == 1)
    }

    @Test("a battery level is reported, and a reserved one is not")
    func battery() {
        var maker = ReadingDecoder(identity: .example(.heartRateStrap))
        #expect(
            decode("57", of: .batteryLevel, by: &maker) == [.battery(.example(.heartRateStrap), percent: 87)])
        #expect(decode("65", of: .batteryLevel, by: &maker).isEmpty)
    }

    @Test(
        "RR intervals follow the rate, the oldest first; none come without contact, or where there are none",
        arguments: [
            ("16 4D 16 03 08 03", [0x316, 0x308], 77), ("10 00 00 04", [0x400], nil), ("00 48", nil, nil),
            ("14 48 16 03", nil, nil), ("16 48", nil, nil), ("16 48 16", nil, nil),
        ] as [(String, [UInt16]?, UInt16?)])
    func intervals(text: String, intervals: [UInt16]?, rate: UInt16?) {
        var maker = ReadingDecoder(
            identity: SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap))
        let kinds = decode(text, of: .heartRateMeasurement, by: &maker)
        #expect(kinds.readings.count == 1)
        let expected = intervals.map {
            MonitorEvent.Kind.rrIntervals(
                RRIntervals(sensor: maker.identity, intervals: $0, heartRate: rate, moment: at(0)))
        }
        #expect(kinds.last == expected ?? kinds.first)
        #expect(kinds.count == (intervals == nil ? 1 : 2))
    }
}
