import Monitoring
import Testing
import Vitals

@testable import Formats

@Suite("What was recorded, in tables")
struct HistoryTextTests {
    private let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)
    /// 2026-01-02 03:04:05 UTC.
    private let start: Int64 = 1_767_323_045_000

    private func summary(hours: Int64, isOfSums: Bool = false) -> ReadingSummary {
        var builder = SummaryBuilder()
        if isOfSums {
            builder.add(count: 60, minimum: VitalValue(whole: 61), maximum: VitalValue(whole: 99))
        } else {
            builder.add(VitalValue(whole: 70), isOutside: false, at: start)
        }
        return builder.summary(of: (strap, .heartRate), from: start, to: start + hours * 3_600_000, wearing: 1)
    }

    @Test("say the date of the end where it is another one than that of the beginning")
    func dates() {
        var text = HistoryText { _ in 0 }
        let lines = text.table([summary(hours: 2), summary(hours: 30)]).split(separator: "\n")
        #expect(lines[1].hasPrefix("2026-01-02 03:04  05:04  "))
        #expect(lines[2].hasPrefix("2026-01-02 03:04  2026-01-03 09:04  "))
    }

    @Test("say which way and how far the clock was set, and no length that is less than nothing")
    func clock() {
        var text = HistoryText { _ in 0 }
        func length(_ milliseconds: Int64, _ reason: String) -> String {
            let gap = RecordedGap(from: start, to: start + milliseconds, reason: reason)
            let words = text.table([gap]).split(separator: "\n")[1].dropFirst(17 + 2 + 16)
            return words.split(separator: "  ").first?.trimmingPrefix(" ").description ?? ""
        }
        #expect(length(-7_200_000, "clock_set") == "2 h 0 min back")
        #expect(length(375_289_160_000, "clock_set") == "4343 d 14 h forward")
        #expect(length(-7_200_000, "program") == "-")
        #expect(length(245_000, "program") == "4 min 5 s")
        #expect(Duration.seconds(375_289_160).text == "4343 d 14 h")
        #expect(Duration.seconds(90).text == "90 s" && Duration.seconds(600).text == "10 min")
    }

    @Test("say of what only sums are left the lowest and the highest value, and no more than is known")
    func sums() {
        var text = HistoryText { _ in 0 }
        let lines = text.table([summary(hours: 2, isOfSums: true)]).split(separator: "\n")
        #expect(lines[1].split(separator: " ").suffix(6) == ["61", "-", "99", "/min", "-", "-"])
        #expect(lines.last?.hasPrefix("Where the median is missing") == true)
        var whole = HistoryText { _ in 0 }
        #expect(!whole.table([summary(hours: 2)]).contains("median is missing"))
        var encoder = WatchEncoder(isSimulated: false, patient: nil)
        encoder.write(summary(hours: 2, isOfSums: true))
        let json = encoder.takeLines { String(decoding: $0, as: UTF8.self) }
        #expect(json.contains("\"sums_only\":true") && !json.contains("covered") && !json.contains("median"))
        #expect(json.contains("\"minimum\":61") && json.contains("\"readings\":60"))
    }
}
