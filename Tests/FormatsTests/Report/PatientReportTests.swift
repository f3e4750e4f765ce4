import Formats
import Monitoring
import Testing
import Vitals

@Suite("The report of a patient")
struct PatientReportTests {
    private static let day: Int64 = 86_400_000
    private static let start: Int64 = 1_767_312_000_000

    private static func moment(_ hours: Int64) -> Moment {
        Moment(
            monotonicNanoseconds: (1000 + hours) * 3_600_000_000_000, wallMilliseconds: start + hours * 3_600_000)
    }

    private static func entry(_ content: RecordEntry.Content, at hours: Int64) -> RecordedEntry {
        RecordedEntry(RecordEntry(content, enteredAt: moment(hours)), run: 1)
    }

    private static func report(now hours: Int64) -> PatientReport {
        let core = SensorIdentity(address: "C0:52:49:00:00:04", name: "CORE", kind: .core)
        var summary = SummaryBuilder()
        summary.add(VitalValue(hundredths: 3830), isOutside: true, at: start)
        summary.add(VitalValue(hundredths: 3700), isOutside: false, at: start + 10_000)
        var report = PatientReport(
            range: start..<start + 2 * day, patient: nil, isSimulated: true,
            summaries: [summary.summary(of: (core, .bodyTemperature), from: start, to: start + day)], now: moment(hours)
        )
        var mistake = entry(.vital(.bodyTemperature, VitalValue(hundredths: 4100), site: .mouth), at: 3)
        mistake.entry.retract(at: moment(4), reason: "misread")
        report.entries = [
            entry(
                .lab(
                    LabResult([
                        .init(.whiteCells, VitalValue(whole: 1200)), .init(.neutrophils, VitalValue(whole: 35)),
                    ])), at: 1),
            entry(.medication(Medication("paracetamol <b>\u{1B}[2J")), at: 2), mistake,
            entry(.vital(.bodyTemperature, VitalValue(hundredths: 3860), site: .mouth), at: 5),
        ]
        return report
    }

    @Test("answers what is asked on the phone first, and counts no mistake")
    func answers() {
        var text = HistoryText { _ in 0 }
        let report = text.report(Self.report(now: 20), unit: TemperatureText(isFahrenheit: false))
        #expect(report.hasPrefix("SIMULATED SENSORS\nFrom 2026-01-02 00:00 to 2026-01-03 23:59\n"))
        #expect(report.contains("Highest temperature: 38.6 °C\n"))
        #expect(report.contains("Neutrophils: 420/µL of 2026-01-02 01:00, severe neutropenia\n"))
        #expect(report.contains("taken back at 2026-01-02 04:00 as a mistake"))
        #expect(!report.contains("\u{1B}"))
    }

    @Test("is correct in degrees Fahrenheit (fault 18: an axis in °F with values in °C)")
    func fahrenheit() {
        var text = HistoryText { _ in 0 }
        let report = text.report(Self.report(now: 20), unit: TemperatureText(isFahrenheit: true))
        #expect(report.contains("Highest temperature: 101.48 °F"))
        #expect(report.contains("98.6    98.6   100.94  °F"))
    }

    @Test("a count older than seven days is unknown now, and says so")
    func old() {
        var text = HistoryText { _ in 0 }
        let report = text.report(Self.report(now: 1 + 7 * 24 + 1), unit: TemperatureText(isFahrenheit: false))
        #expect(report.contains("older than 7 days, so unknown now"))
    }
}
