import CommandLineInterface
import Monitoring
import Testing
import TestSupport
import Vitals

@testable import Formats

@Suite("The lines of the alarm log")
struct AlarmLogTests {
    private static let moment = WatchEncoderTests.moment

    private static func change(
        _ kind: AlarmKind, _ priority: AlarmPriority, _ state: AlarmLogEntry.State, sensor: SensorIdentity?,
        text: String
    ) -> AlarmLogEntry {
        AlarmLogEntry(
            moment: moment, run: 7,
            content: .change(
                AlarmLogEntry.Change(
                    AlarmReport(
                        id: 3, kind: kind, priority: priority, sensor: sensor,
                        vital: sensor == nil ? nil : .bodyTemperature, site: sensor == nil ? nil : .core,
                        value: sensor == nil ? nil : VitalValue(hundredths: 3861),
                        peak: sensor == nil ? nil : VitalValue(hundredths: 3910),
                        limit: sensor == nil ? nil : VitalValue(hundredths: 3830),
                        sinceWallMilliseconds: moment.wallMilliseconds - 15_000, text: text), state)))
    }

    private static func action(
        _ actor: ActionRecord.Actor, _ word: String, _ text: String, episodes: [Int] = [], until: Int64? = nil
    ) -> AlarmLogEntry {
        AlarmLogEntry(
            moment: moment, run: 8,
            content: .action(
                AlarmLogEntry.Action(
                    actor: actor, word: word, text: text, episodes: episodes, untilWallMilliseconds: until)))
    }

    static let entries: [AlarmLogEntry] =
        AlarmLogEntry.State.allCases.map {
            change(.feverSingle, .high, $0, sensor: WatchEncoderTests.core, text: "Fever 38.6 °C ≥ 38.3 · CORE [1A]")
        } + [
            change(.high, .medium, .active, sensor: WatchEncoderTests.core, text: "Temp 38.6 > 38.0"),
            change(.storage, .low, .active, sensor: nil, text: "Recording full"),
            change(.linkLost, .low, .ended, sensor: nil, text: "\u{1B}]0;owned\u{7}\r\u{202E}evil\nsecond line"),
            action(.user, "acknowledged", "2 alarms acknowledged", episodes: [3, 4]),
            action(.user, "audio_paused", "sound paused", until: moment.wallMilliseconds + 120_000),
            action(.program, "restarted", "program restarted"),
        ]

    @Test("are one JSON object each, with the fields of watch and some more")
    func json() throws {
        var encoder = WatchEncoder(isSimulated: false)
        for entry in Self.entries { encoder.write(entry) }
        encoder.context.provenance = .simulated
        encoder.write(Self.entries[0])
        try expectGolden(encoder.takeLines { String(decoding: $0, as: UTF8.self) }, "alarms.jsonl")
    }

    @Test("say for people when, how urgent, what became of it, and what it was; in local time")
    func text() throws {
        var plain = AlarmLogText(isColored: false, isSimulated: false) { _ in 5400 }
        try expectGolden(Self.entries.map { plain.line($0) }.joined(), "alarms.txt")
    }

    @Test("are coloured by priority while somebody ought to look, and only when that is wanted")
    func color() throws {
        var colored = AlarmLogText(isColored: true, isSimulated: false) { _ in 0 }
        for entry in Self.entries {
            let line = colored.line(entry)
            guard case .change(let change) = entry.content, [.active, .alertedAgain].contains(change.state) else {
                #expect(!line.contains("\u{1B}"), "\(line)")
                continue
            }
            let color = [AlarmPriority.high: 31, .medium: 33, .low: 36][change.priority] ?? 0
            #expect(line.hasPrefix("\u{1B}[\(color)m") && line.hasSuffix("\u{1B}[0m\n"), "\(line)")
        }
    }
}

@Suite("A point in time on the command line")
struct PointInTimeTests {
    /// 2026-01-02 03:04:05.678 UTC.
    private let now = WatchEncoderTests.moment.wallMilliseconds

    @Test(
        "is so long ago, or a date, with a time of day or without",
        arguments: [
            ("30m", 1_767_321_245_678), ("8h", 1_767_294_245_678), ("2026-01-02Z", 1_767_312_000_000),
            ("2026-01-02T03:04Z", 1_767_323_040_000), ("2026-01-02 03:04:05Z", 1_767_323_045_000),
            ("2024-02-29Z", 1_709_164_800_000), ("1969-12-31T23:59:59Z", -1000),
            ("1d", 1_767_236_645_678), ("2026-01-02T03:04:05.678Z", 1_767_323_045_678),
            ("2026-01-02T03:04:05.6Z", 1_767_323_045_600), ("2026-01-02T04:04:05+01:00", 1_767_323_045_000),
            ("2026-01-01 21:34:05 -0530", 1_767_323_045_000), ("2026-01-02T04:04+01", 1_767_323_040_000),
            ("2026-01-02+01:00", 1_767_308_400_000),
        ])
    func valid(text: String, milliseconds: Int64) {
        #expect(PointInTime.wallMilliseconds(text, now: now) == milliseconds)
    }

    @Test("is local without a Z")
    func local() throws {
        let local = try #require(PointInTime.wallMilliseconds("2026-01-02T03:04", now: now))
        // No place on Earth is further from UTC than 14 hours.
        #expect(abs(local - 1_767_323_040_000) <= 14 * 3_600_000)
        #expect(local % 900_000 == 1_767_323_040_000 % 900_000)
    }

    @Test("may be any that the program itself prints")
    func printed() throws {
        var bytes: [UInt8] = []
        var time = TimestampText()
        time.append(now, to: &bytes)
        #expect(PointInTime.wallMilliseconds(String(decoding: bytes, as: UTF8.self), now: 0) == now)
        var log = AlarmLogText(isColored: false, isSimulated: false) { _ in 0 }
        let action = ActionRecord(
            moment: Moment(monotonicNanoseconds: 0, wallMilliseconds: now), actor: .user, kind: .limitsReset)
        let line = log.line(try #require(AlarmLogEntry(.action(action))))
        #expect(PointInTime.wallMilliseconds("\(line.prefix(19))Z", now: 0) == now / 1000 * 1000)
        #expect(PointInTime.wallMilliseconds(String(line.prefix(19)), now: 0) != nil)
    }

    @Test("of a day alone is the last one, today or yesterday")
    func timeOfDay() throws {
        let present = now / 60_000 * 60_000
        for minutes in [0, 1, 59, 600, 1439] {
            let moment = present - Int64(minutes) * 60_000
            let seconds = moment / 1000
            let zone = LocalTimeZone.ofSystem(from: seconds - 86_400, to: seconds)
            let local = (seconds + Int64(zone.offset)) / 60 % 1440
            let text = "\(local / 60):\(local % 60 < 10 ? "0" : "")\(local % 60)"
            #expect(PointInTime.wallMilliseconds(text, now: now) == moment)
        }
        #expect(PointInTime.wallMilliseconds("24:00", now: now) == nil)
    }

    @Test(
        "is refused when it is no such thing",
        arguments: [
            "", "yesterday", "2026-02-30", "2026-13-01", "2026-01-02T24:00", "2026-01-02T03:60", "2026-1-2", "-30m",
            "2026-01-02T", "2026-01-02T03:04:05:06", "9999999999h", "ZZ", "2026-01-02T03:04+24:00",
            "2026-01-02T03:04+01:60", "2026-01-02T03:04:05.Z", "2026-01-02T03:04ZZ", "1w", "3:4",
        ])
    func invalid(text: String) {
        #expect(PointInTime.wallMilliseconds(text, now: now) == nil)
    }
}
