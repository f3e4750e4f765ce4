import Formats
import Monitoring
import Nights
import TestSupport
import Testing
import Vitals

@Suite("A night as text and as JSON")
struct NightLinesTests {
    /// 2026-11-27 12:00 in UTC.
    private static let noon: Int64 = 1_795_780_800_000
    private static let night = ExampleNight.night(from: noon, hasOther: true)

    @Test("looks as it was approved")
    func text() throws {
        let lines = NightLines { _ in 0 }
        let table = lines.table([Self.night, ExampleNight.night(from: Self.noon + 86_400_000)])
        try expectGolden(
            lines.night(Self.night, heading: "SIMULATED SENSORS, bed-12") + "\n" + table, "night.txt")
    }

    @Test("has a line for each oximeter and fall, which are as they were approved")
    func json() throws {
        var encoder = WatchEncoder(isSimulated: true, patient: PatientName("bed-12"))
        encoder.write(Self.night, withFalls: true)
        let lines = encoder.takeLines { String(decoding: $0, as: UTF8.self) }.split(separator: "\n")
        #expect(lines.count { $0.contains("\"event\":\"night\"") } == 2)
        let falls = Self.night.parts.map(\.evaluation.falls.count).reduce(0, +)
        #expect(lines.count { $0.contains("\"event\":\"fall\"") } == falls && falls > 20)
        try expectGolden(lines.prefix(3).joined(separator: "\n") + "\n", "night.jsonl")
        encoder.write(Self.night, withFalls: false)
        #expect(encoder.takeLines { String(decoding: $0, as: UTF8.self) }.split(separator: "\n").count == 2)
    }

    @Test("of a hostile name has no control characters")
    func hostile() {
        var night = Self.night
        night.parts[0].course.sensor.name = "<b>\u{1B}[2J\u{202E}"
        night.parts[0].course.imports = ["\u{7}x"]
        let text = NightLines { _ in 0 }.night(night, heading: "")
        #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        #expect(!text.contains("\u{202E}"))
    }

    @Test("a calendar of nights begins at noon, has 25 hours when the clocks go back, and finds each night once")
    func calendar() {
        // Clocks go back an hour at 2026-10-25 01:00 UTC.
        let change: Int64 = 1_792_890_000_000
        let calendar = LocalDay(beginsAt: 12) { $0 < change ? 7200 : 3600 }
        let night = calendar.containing(change)
        #expect(night.upperBound - night.lowerBound == 25 * 3_600_000)
        #expect((night.lowerBound + 7_200_000) % 86_400_000 == 43_200_000)
        let times = [change..<change + 1, change + 10..<change + 20, change + 86_400_000..<change + 2 * 86_400_000]
        let all = calendar.all(of: times)
        #expect(all.count == 3 && all[0] == night)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(calendar.all(of: [.min..<(.max)]).count <= 3660)
    }
}
