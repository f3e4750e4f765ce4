import Dashboard
import Monitoring
import Status
import Testing
import Vitals

@testable import Engine

@Suite("The pace of the session bus")
struct BusPacerTests {
    private static let second: Int64 = 1_000_000_000

    private func summary(_ value: Int, _ state: StatusVital.State = .measured) -> StatusSummary {
        var summary = StatusSummary(wallMilliseconds: 0)
        var vital = StatusVital(.heartRate, state)
        vital.value = VitalValue(hundredths: value * 100)
        summary.vitals = [vital]
        return summary
    }

    @Test("numbers are sent every five seconds, and wait for no longer")
    func numbers() {
        var pacer = BusPacer()
        #expect(pacer.delay(summary(70), now: 0) == nil)
        #expect(pacer.delay(summary(71), now: Self.second) == 5 * Self.second)
        #expect(pacer.delay(summary(72), now: 5 * Self.second - 1) == 5 * Self.second)
        #expect(pacer.delay(summary(72), now: 5 * Self.second) == nil)
    }

    @Test("that there is no measurement any more is sent at once, and so is an alarm")
    func urgent() {
        var pacer = BusPacer()
        #expect(pacer.delay(summary(70), now: 0) == nil)
        #expect(pacer.delay(summary(70, .noMeasurement), now: 1) == nil)
        var alarming = summary(70, .noMeasurement)
        alarming.alarms = [
            StatusAlarm(
                AlarmReport(id: 1, kind: .silent, priority: .medium, text: "Sensor silent"), title: "SILENT")
        ]
        #expect(pacer.delay(alarming, now: 2) == nil)
        alarming.alarms[0].priority = .high
        #expect(pacer.delay(alarming, now: 3) == nil)
        #expect(pacer.delay(alarming, now: 4) != nil)
    }
}
