import Foundation
import Testing
import TestSupport
import Vitals

@testable import Formats

@Suite("An export")
struct ExportTests {
    /// A name as a stranger's radio may send it: a formula for a spreadsheet, quotes, a comma, an escape sequence.
    private static let hostile = SensorIdentity(
        address: "C0:52:49:00:00:03", name: "=HYPERLINK(\"x\",1)\u{1B}[2J\r\n", kind: .oximeter)
    private static let core = SensorIdentity(address: "C0:52:49:00:00:01", name: "CORE 1A2B", kind: .core)
    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "-Polar, H10", kind: .heartRateStrap)

    private static let sources = [
        RecordedSource(sensor: strap, vital: .heartRate, sensorNumbers: [2]),
        RecordedSource(sensor: hostile, vital: .pulseRate, sensorNumbers: [3]),
        RecordedSource(sensor: hostile, vital: .oxygenSaturation, sensorNumbers: [3]),
        RecordedSource(sensor: core, vital: .bodyTemperature, sensorNumbers: [1, 4]),
        RecordedSource(sensor: core, vital: .skinTemperature, sensorNumbers: [1]),
    ]

    private static func recorded(
        _ millisecond: Int64, _ sensor: SensorIdentity, _ vital: Vital, _ outcome: Reading.Outcome,
        number: Int64, site: BodySite? = nil, time: DeviceTime? = nil
    ) -> RecordedReading {
        let moment = Moment(
            monotonicNanoseconds: 5_000_000_000 + millisecond * 1_000_000,
            wallMilliseconds: 1_767_323_045_000 + millisecond)
        return RecordedReading(
            Reading(sensor: sensor, vital: vital, outcome: outcome, moment: moment, site: site, deviceTime: time),
            run: 7, number: vital == .pulseRate || vital == .skinTemperature ? 1 : 0, sensorNumber: number)
    }

    private static let readings: [RecordedReading] = {
        func value(_ hundredths: Int, _ quality: Reading.Quality = .good) -> Reading.Outcome {
            .measured(VitalValue(hundredths: hundredths), quality)
        }
        let time = DeviceTime(year: 2026, month: 1, day: 2, hour: 4, minute: 4, second: 5)
        var readings = [
            recorded(0, core, .bodyTemperature, value(3861), number: 1, site: .core, time: time),
            recorded(0, core, .skinTemperature, value(3410), number: 1, site: .skin),
            recorded(250, strap, .heartRate, value(7200), number: 2),
            recorded(400, hostile, .oxygenSaturation, value(9750, .questionable), number: 3),
            recorded(400, hostile, .pulseRate, value(7100), number: 3, site: .earLobe),
            recorded(700, hostile, .oxygenSaturation, value(9700, .malfunction), number: 3),
            recorded(1100, core, .bodyTemperature, value(-5), number: 4),
        ]
        var calibrated = recorded(1400, core, .glucose, value(14_200, .calibrated), number: 4)
        calibrated.reading.calibration = AppliedCalibration(
            glucose: VitalValue(whole: 110), wallMilliseconds: 1_767_319_200_000)
        readings.append(calibrated)
        for (place, reason) in AbsenceReason.allCases.enumerated() {
            readings.append(
                recorded(2000 + Int64(place) * 300, strap, .heartRate, .noMeasurement(reason), number: 2))
        }
        return readings
    }()

    @Test("late values have their time of measurement, as a period or as the sensor's own time")
    func late() {
        var waited = Self.recorded(
            60_000, Self.core, .bodyTemperature, .measured(VitalValue(hundredths: 3850), .good), number: 1)
        let moment = waited.reading.moment
        waited.reading.late = LateInterval(
            waitedFrom: moment.advanced(by: .seconds(-60)), to: moment, place: 0, of: 10)
        var stored = waited
        stored.reading.late = LateInterval(sensorTime: moment.advanced(by: .seconds(-28_800)))
        let fhir = text(.fhir, [waited, stored])
        #expect(
            fhir.contains(
                #""effectivePeriod":{"start":"2026-01-02T03:04:05.000Z","end":"2026-01-02T03:05:05.000Z"},"issued":"2026-01-02T03:05:05.000Z""#
            ))
        #expect(fhir.contains(#""effectiveDateTime":"2026-01-01T19:05:05.000Z","issued":"2026-01-02T03:05:05.000Z""#))
        #expect(!fhir.contains(#""effectiveDateTime":"2026-01-02T03:05:05.000Z""#))
        #expect(
            text(.jsonLines, [stored]).contains(
                #""late":"sensor_clock","measured_from":"2026-01-01T19:05:05.000Z","measured_to":"2026-01-01T19:05:05.000Z""#
            ))
        let lines = text(.csv, [waited]).split(separator: "\r\n")
        #expect(lines.last?.hasSuffix(",waited,2026-01-02T03:04:05.000Z,2026-01-02T03:05:05.000Z,,,,,,,,,,,,,") == true)
        #expect(text(.csvWide, [waited, stored]).split(separator: "\r\n").count == 1)
    }

    private func text(
        _ format: ExportFormat, isSimulated: Bool = false, patient: String? = nil,
        _ readings: [RecordedReading] = readings, _ sources: [RecordedSource] = sources
    ) -> String {
        var encoder = format.encoder(sources: sources, isSimulated: isSimulated, patient: patient)
        encoder.begin()
        for reading in readings { encoder.write(reading) }
        encoder.end()
        return String(decoding: encoder.bytes, as: UTF8.self)
    }

    @Test("is the same as ever, in every format")
    func golden() throws {
        let files = ExportFormat.allCases.filter { $0.content.isStream && $0.content != .waves }.map { format in
            let text = text(format, isSimulated: format == .csvWide, patient: format == .fhir ? "Patient/123" : nil)
            #expect(!text.unicodeScalars.contains("\u{1B}"))
            return ("\(format.rawValue).txt", text.replacingOccurrences(of: "\r\n", with: "␍\n"))
        }
        try expectGoldenFolder(files, "Export")
    }

    @Test("to line protocol has a time of its own for each value, and a late one has that of its measurement")
    func pointsInTime() {
        let value = Reading.Outcome.measured(VitalValue(hundredths: 7200), .good)
        var late = Self.recorded(10_000, Self.strap, .heartRate, value, number: 2)
        late.reading.late = LateInterval(
            waitedFrom: late.reading.moment.advanced(by: .seconds(-10)), to: late.reading.moment, place: 0, of: 10)
        let readings = [
            Self.recorded(250, Self.strap, .heartRate, value, number: 2),
            Self.recorded(250, Self.strap, .heartRate, value, number: 2),
            Self.recorded(250, Self.core, .bodyTemperature, value, number: 1),
            Self.recorded(250, Self.strap, .heartRate, value, number: 2),
            Self.recorded(251, Self.strap, .heartRate, value, number: 2), late,
        ]
        let times = text(.influx, readings).split(separator: "\n").map {
            $0.split(separator: " ").last.map(String.init)
        }
        #expect(
            times == [
                "1767323045250000000", "1767323045250000001", "1767323045250000000", "1767323045250000002",
                "1767323045251000000", "1767323046000000000",
            ])
    }

    @Test(
        "to line protocol lets no name become another tag, field or point",
        arguments: [
            ("a,b=c d", "a\\,b\\=c\\ d", "\"a,b=c d\""), ("end\\", "end＼", "\"end\\\\\""),
            ("say \"x\"", "say\\ \"x\"", "\"say \\\"x\\\"\""), ("a\nb", "a\u{FFFD}b", "\"a\u{FFFD}b\""),
            ("", "", "\"\""),
        ])
    func points(name: String, tag: String, field: String) {
        #expect(InfluxText.tag(name) == tag)
        #expect(InfluxText.quoted(name) == field)
    }

    @Test("of RR intervals has a line for each with its time, and says where beats are missing")
    func intervals() throws {
        let gap = RecordedGap(from: 1_767_323_048_100, to: 1_767_323_048_900, reason: "asleep")
        let set = RecordedGap(from: 1_767_323_045_500, to: 1_767_323_045_500, reason: "clock_set")
        var encoder = ExportFormat.rr.encoder(sources: [], gaps: [set, gap], isSimulated: true, patient: nil)
        encoder.begin()
        func write(_ sensor: SensorIdentity, _ millisecond: Int64, _ intervals: [UInt16], run: Int64 = 7) {
            let moment = Moment(
                monotonicNanoseconds: 5_000_000_000 + millisecond * 1_000_000,
                wallMilliseconds: 1_767_323_045_000 + millisecond)
            encoder.write(
                RecordedRRIntervals(RRIntervals(sensor: sensor, intervals: intervals, moment: moment), run: run))
        }
        write(Self.strap, 0, [1024, 513])
        write(Self.hostile, 500, [768])
        write(Self.strap, 1000, [1024])
        write(Self.strap, 2000, [1023])
        write(Self.strap, 3000, [1024])
        // The computer slept, though no beat is missing by the time.
        write(Self.strap, 4000, [1024])
        // Notifications are missing.
        write(Self.strap, 9000, [1, 65_535])
        write(Self.strap, 9500, [512], run: 8)
        encoder.end()
        let text = String(decoding: encoder.bytes, as: UTF8.self)
        try expectGolden(text.replacingOccurrences(of: "\r\n", with: "␍\n"), "rr-intervals.txt")
    }

    @Test("of nothing is still a right one", arguments: ExportFormat.allCases)
    func nothing(format: ExportFormat) throws {
        let text = text(format, [], [])
        switch format {
        case .csv, .csvWide, .rr, .waves: #expect(text.hasPrefix("time") && text.hasSuffix("\r\n"))
        case .jsonLines, .influx, .edf, .viatomCSV, .ringFile: #expect(text.isEmpty)
        case .fhir, .fhirWaves:
            let bundle = try #require(
                try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            #expect(bundle["entry"] == nil)
        }
    }

    @Test(
        "lets no name become a formula or another field",
        arguments: [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), (" =1", "' =1"),
            ("a,b", "\"a,b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""), ("a\r\nb", "a\u{FFFD}\u{FFFD}b"), ("Polar H10", "Polar H10"), ("", ""),
            ("\t=1", "\u{FFFD}=1"), ("＝1", "'＝1"),
        ])
    func fields(name: String, field: String) {
        var bytes: [UInt8] = []
        CSVField.append(name, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == field)
    }

    @Test("writes values exactly, without decimals that say nothing")
    func values() {
        for (hundredths, text) in [
            (0, "0"), (7200, "72"), (3861, "38.61"), (3860, "38.6"), (5, "0.05"), (-5, "-0.05"), (-3860, "-38.6"),
        ] {
            var bytes: [UInt8] = []
            CSVField.append(VitalValue(hundredths: hundredths), to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == text)
        }
    }

    @Test("to FHIR has an identifier of its own for every resource, the same each time")
    func identifiers() throws {
        let bundle = text(.fhir)
        #expect(bundle == text(.fhir))
        let identifiers = bundle.matches(of: /"fullUrl":"urn:uuid:([0-9a-f-]{36})"/).map { String($0.1) }
        #expect(identifiers.count == Self.readings.count + 3)
        #expect(Set(identifiers).count == identifiers.count)
        for identifier in identifiers {
            #expect(identifier.wholeMatch(of: /.{8}-.{4}-8.{3}-[89ab].{3}-.{12}/) != nil)
        }
        for reference in bundle.matches(of: /"reference":"urn:uuid:([^"]*)"/) {
            #expect(identifiers.contains(String(reference.1)))
        }
    }
}
