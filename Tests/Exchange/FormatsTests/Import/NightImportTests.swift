import EDF
import Nights
import TestSupport
import Testing
import VitalDecoders
import Vitals

@testable import Formats

@Suite("An import of a night")
struct NightImportTests {
    private typealias Example = SignalExample

    /// Local time is that of the computer; its offset at the example's time.
    private static let offset: Int = {
        let local = PointInTime.wallMilliseconds("2026-01-02 03:04:05", now: 0, as: .end) ?? 0
        return Int(Example.start - local / 1000)
    }()

    /// The moment of the same numbers in local time, in milliseconds since 1970.
    private static let localStart = (Example.start - Int64(offset)) * 1000

    private static let context = ImportContext(
        now: Moment(monotonicNanoseconds: 0, wallMilliseconds: 1_790_000_000_000), temperatureUnit: .celsius)

    private static let night = StoredNight(
        sensor: Example.ring, name: "20260102030405", start: Example.start * 1000, interval: 4,
        samples: [
            NightSample(saturation: nil, pulseRate: nil, movement: 1),
            NightSample(saturation: 97, pulseRate: 60, movement: 3),
            NightSample(saturation: nil, pulseRate: nil, movement: 0),
            NightSample(saturation: 88, pulseRate: 71, movement: 0),
            NightSample(saturation: nil, pulseRate: nil, movement: 0),
        ])

    private func table(
        _ nights: [StoredNight] = [night], _ readings: [RecordedReading] = [], offset: Int = offset
    ) -> String {
        var encoder = RingCSVEncoder { _ in offset }
        encoder.begin()
        for night in nights { encoder.write(night) }
        for reading in readings { encoder.write(reading) }
        encoder.end()
        return String(decoding: encoder.bytes, as: UTF8.self)
    }

    private func nights(_ text: String) throws -> [StoredNight] {
        try ImportFormat.csv.read(Array(text.utf8), Self.context).nights.map(\.night)
    }

    private static let header = "Time,Oxygen Level,Pulse Rate,Motion,O2 Reminder,PR Reminder\n"

    @Test("the maker's table has the night as the maker writes it")
    func maker() {
        #expect(
            table(offset: 0).split(separator: "\r\n").joined(separator: "\n") == """
                Time,Oxygen Level,Pulse Rate,Motion,O2 Reminder,PR Reminder
                03:04:05 Jan 02 2026,255,65535,1,0,0
                03:04:09 Jan 02 2026,97,60,3,0,0
                03:04:13 Jan 02 2026,255,65535,0,0,0
                03:04:17 Jan 02 2026,88,71,0,0,0
                03:04:21 Jan 02 2026,255,65535,0,0,0
                """)
        #expect(table().hasSuffix("\r\n"))
        #expect(
            table(
                [],
                [
                    Example.reading(0, .oxygenSaturation, Example.value(9650)),
                    Example.reading(0, .pulseRate, Example.value(6100)),
                    Example.reading(1000, .oxygenSaturation, .noMeasurement(.offBody)),
                    Example.reading(1000, .pulseRate, .noMeasurement(.offBody)),
                    Example.reading(1000, .perfusionIndex, Example.value(100)),
                ], offset: 0
            ).hasSuffix("03:04:05 Jan 02 2026,97,61,0,0,0\r\n03:04:06 Jan 02 2026,255,65535,0,0,0\r\n"))
    }

    @Test("the maker's table is read as the night that it was written of, without what the ring counted down")
    func roundTrip() throws {
        let found = try #require(try nights(table()).first)
        #expect(found.start == Self.night.start + 4000 && found.interval == 4)
        #expect(found.samples == Array(Self.night.samples[1...3]))
        #expect(found.contentKey == Self.night.contentKey)
    }

    @Test(
        "every way in which the maker's programs write times is read",
        arguments: [
            "03:04:05 Jan 02 2026,", "\"03:04:05AM Jan 02, 2026\",", "\"03:04:05 AM January 2, 2026\",",
            "03:04:05 02/01/2026,", "02/01/2026 03:04:05,", "2026-01-02 03:04:05,", "2026-01-02T03:04:05,",
        ])
    func times(time: String) throws {
        let all = try nights(Self.header + pair(time))
        #expect(all.map(\.start) == [Self.localStart] && all.first?.samples.count == 2)
    }

    private func pair(_ time: String) -> String {
        "\(time)97,60,0,0,0\n" + time.exchanging("03:04:05", for: "03:04:06") + "96,--,0,0,0\n"
    }

    @Test(
        "columns are found by every name that the maker's programs give them",
        arguments: [
            "Time,Oxygen Level,Pulse Rate,Motion", "Time,SpO2(%),Pulse Rate(bpm),Motion,SpO2 Reminder,PR Reminder,",
            "Time,Oxygen Level(%),Pulse Rate(bpm),Motion,Oxygen Level Reminder,PR Reminder,",
        ])
    func columns(header: String) throws {
        let all = try nights("\(header)\n" + pair("03:04:05 Jan 02 2026,"))
        #expect(all.first?.samples.first == NightSample(saturation: 97, pulseRate: 60, movement: 0))
    }

    @Test("after a gap of more than an hour another night begins")
    func twoNights() throws {
        let later = Self.night.start + 7_300_000
        var second = Self.night
        second.start = later
        #expect(try nights(table([Self.night, second])).map(\.start) == [Self.night.start + 4000, later + 4000])
    }

    @Test("a table whose gaps would become millions of samples is refused")
    func hugeGaps() {
        var (rows, second): ([ImportedNights.Timed], Int64) = ([], 1_700_000_000)
        for index in 0..<2000 {
            rows.append(
                ImportedNights.Timed(second: second, sample: NightSample(saturation: 97, pulseRate: 60)))
            second += index % 150 == 149 ? 4000 : 3600 - Int64(index % 3)
        }
        #expect(throws: ImportError("its nights have more than 4000000 samples; divide the file")) {
            try ImportedNights.nights(rows, of: ImportedNights.sensor("")) { _ in 1 }
        }
    }

    @Test("oximeters of one file are never one sensor")
    func twoSensors() {
        let addresses = [("", ""), ("Nonin", ""), ("Nonin", "2"), ("", "2")].map {
            ImportedNights.sensor($0, $1).address
        }
        #expect(Set(addresses).count == 4)
    }

    @Test(
        "a damaged table is refused with its line, and nothing of it is imported",
        arguments: [
            ("03:04:05 Jan 02 2026,97,60,0,0,0\n03:04:06 Jan 02 20", "line 3"),
            (
                "03:04:05 Jan 02 2026,97,60,0,0,0\n03:04:05 Jan 02 2026,97,60,0,0,0\n",
                "not after that of the line before"
            ),
            ("03:04:05 Jan 02 2026,197,60,0,0,0\n", "197 is not from 1 to 100"),
            ("03:04:05 Jan 02 2026,97,six,0,0,0\n", "“six” is no whole number"),
            ("03:04:05 Feb 30 2026,97,60,0,0,0\n", "line 2"),
            ("03:04:05 Jan 02 2126,97,60,0,0,0\n", "is yet to come"),
            ("03:04:05 Jan 02 2026,97,60,0,0,0\n", "no two samples"),
            ("03:04:05 Jan 02 2026,97,60,0,0,0\n03:14:05 Jan 02 2026,97,60,0,0,0\n", "600 s apart"),
            ("\"03:04:05 Jan 02 2026,97,60\n", "line 2"),
        ])
    func damagedTable(rows: String, reason: String) {
        do throws(ImportError) {
            let file = try ImportFormat.csv.read(Array((Self.header + rows).utf8), Self.context)
            Issue.record("\(file)")
        } catch {
            #expect(error.description.contains(reason), "\(error)")
        }
    }

    @Test("blood pressures that omblepy read are entries, with what the cuff remarked")
    func cuff() throws {
        let text = """
            datetime,dia,sys,bpm,mov,ihb
            2026-01-02 03:04:05,80,120,65,0,1
            2026-01-02 04:04:05,85,130,,1,0
            2026-01-03 04:04:05,130,85,60,0,0

            """
        let file = try ImportFormat.csv.read(Array(text.utf8), Self.context)
        #expect(file.entries.map(\.facts.remark) == ["irregular pulse detected", "body movement detected"])
        #expect(
            file.entries.map(\.content) == [
                .bloodPressure(BloodPressure(systolic: 120, diastolic: 80, pulse: 65)),
                .bloodPressure(BloodPressure(systolic: 130, diastolic: 85)),
            ])
        #expect(file.refusals.map(\.place) == ["line 4"])
    }

    private func read(_ octets: [UInt8], _ format: ImportFormat = .edf, isSimulated: Bool = false) throws
        -> [StoredNight]
    {
        var context = Self.context
        context.isSimulated = isSimulated
        return try format.read(octets, context).nights.map(\.night)
    }

    private func edf(_ readings: [RecordedReading], nights: [StoredNight] = []) -> [UInt8] {
        var survey = SignalSurvey(in: .min..<(.max))
        for reading in readings { survey.add(reading) }
        for night in nights { survey.add(night) }
        var encoder = SignalEncoder(survey, isSimulated: false) { _ in Self.offset }
        encoder.begin()
        for hour in encoder.hours {
            encoder.begin(hour: hour)
            for reading in readings { encoder.write(reading) }
            for night in nights { encoder.write(night) }
            encoder.endHour()
        }
        return encoder.bytes
    }

    @Test("of an own EDF file is the night that was stored, and the one that was recorded")
    func ownFile() throws {
        let stored = try read(edf([], nights: [Self.night]))
        #expect(stored.map(\.contentKey) == [Self.night.contentKey] && stored.first?.samples[0].movement == 3)
        let recorded = try read(
            edf([
                Example.reading(0, .oxygenSaturation, Example.value(9700)),
                Example.reading(0, .pulseRate, Example.value(6000)),
                Example.reading(60_000, .oxygenSaturation, Example.value(9600)),
            ]))
        #expect(recorded.map(\.samples.count) == [61] && recorded.first?.interval == 1)
        #expect(recorded.first?.samples.first == NightSample(saturation: 97, pulseRate: 60))
        #expect(recorded.first?.samples.last == NightSample(saturation: 96, pulseRate: nil))
        #expect(recorded.first?.start == Example.start * 1000)
    }

    @Test("of another program's EDF file takes −1 and 0 for none, and one sample of each second")
    func otherFile() throws {
        let local = DateTime(wallMilliseconds: (Example.start + Int64(Self.offset)) * 1000)
        let signals = [
            EDFSignal("SpO2.1s", dimension: "%", physical: -1...100, digital: -1...100, samplesPerRecord: 4),
            EDFSignal("Pulse.1s", dimension: "bpm", physical: 0...500, digital: 0...500, samplesPerRecord: 2),
        ]
        var header = EDFHeader(start: local, kind: .plain, recordCount: 2, recordDuration: 2, signals: signals)
        var octets = header.octets()
        for _ in 0..<2 {
            for value in [97, 50, -1, 50, 61, 0] as [Int16] {
                octets += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
            }
        }
        let found = try #require(try read(octets).first)
        #expect(
            found.samples == [
                NightSample(saturation: 97, pulseRate: 61), NightSample(saturation: nil, pulseRate: nil),
                NightSample(saturation: 97, pulseRate: 61),
            ])
        header.signals[0].label = "Flow"
        header.signals[1].label = "PrIceless"
        octets.replaceSubrange(0..<header.size, with: header.octets())
        #expect(
            throws: ImportError(
                "no signal is a saturation (SpO2, SaO2), it has Flow, PrIceless; choose the file of the oximeter")
        ) {
            try read(octets)
        }
    }

    @Test("of simulated sensors is taken only into such a record")
    func simulated() throws {
        let octets = Example.octets(
            readings: (0..<3).map { Example.reading($0 * 1000, .oxygenSaturation, Example.value(9700)) },
            isSimulated: true)
        #expect(throws: ImportError.self) { try read(octets) }
        #expect(try read(octets, isSimulated: true).count == 1)
    }

    /// A file of the older rings.
    private static func ringFile(_ count: Int = 3) -> [UInt8] {
        let size = UInt8(40 + 5 * count)
        let head: [UInt8] = [3, 0, 0xEA, 0x07, 1, 2, 3, 4, 5, size, 0, 0, 0, UInt8(4 * count), 0]
        let samples = (0..<count).flatMap { index -> [UInt8] in [UInt8(97 - index), 60, 0, 0, 0] }
        return head + [UInt8](repeating: 0, count: 25) + samples
    }

    @Test("of a ring's own file is the night in it, and a damaged one is refused with the place")
    func ring() throws {
        let found = try #require(try read(Self.ringFile(), .ringFile).first)
        #expect(found.samples.map(\.saturation) == [97, 96, 95] && found.interval == 4)
        #expect(found.start == Self.localStart)
        for octets in [
            Array(Self.ringFile().dropLast()), Self.ringFile() + Self.ringFile(),
            [1, 3] + [UInt8](repeating: 0, count: 30),
            Array("Time,Oxygen Level\n".utf8), [],
        ] {
            #expect(throws: ImportError.self) { try read(octets, .ringFile) }
        }
    }

    @Test("twice is one night, whatever the file, and the plan says so")
    func twice() throws {
        let file = try ImportFormat.csv.read(Array(table().utf8), Self.context)
        func plan(_ nights: Set<String>) -> ImportPlan {
            ImportPlan(
                file, into: [], nights: nights, now: Self.context.now, source: "night.csv (csv)", acceptsRare: false)
        }
        let first = plan([])
        #expect(first.nights.map(\.night.importedFrom) == ["night.csv (csv)"])
        #expect(first.text(isDryRun: false) == "1 night imported.\n")
        #expect(
            first.text(isDryRun: true).hasPrefix(
                "its night: night from 2026-01-02T03:04:09.000Z, 0 min, a sample every 4 s"))
        let second = plan([Self.night.contentKey])
        #expect(second.nights.isEmpty)
        #expect(second.text(isDryRun: false) == "0 nights imported, 1 in the record already.\n")
    }
}
