import Monitoring
import Testing
import Vitals
@testable import Wording

@Suite("The lines of a monitor in the background")
struct JournalReportTests {
    private var state = MonitorState(start: moment(0))
    private var report = JournalReport(SessionContext(provenance: .real, patient: nil, timeZoneOffset: 0))
    private static let strap = SensorIdentity(
        address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)

    private static func moment(_ second: Int64) -> Moment {
        Moment(monotonicNanoseconds: second * 1_000_000_000, wallMilliseconds: 1_772_373_000_000 + second * 1000)
    }

    private mutating func receive(_ kind: MonitorEvent.Kind, at second: Int64) -> [JournalReport.Line] {
        let event = MonitorEvent(moment: Self.moment(second), kind: kind)
        let effects = state.apply(event)
        return report.lines(event, effects, state)
    }

    private func reading(_ rate: Int, at second: Int64) -> MonitorEvent.Kind {
        .reading(
            Reading(
                sensor: Self.strap, vital: .heartRate, outcome: .measured(VitalValue(whole: rate), .good),
                moment: Self.moment(second)))
    }

    @Test("report a connection once, alarms with their urgency, actions, and no value")
    mutating func lines() {
        let ready = MonitorEvent.Kind.connection(Self.strap, ConnectionState(phase: .ready))
        #expect(receive(ready, at: 1) == [JournalReport.Line(level: .information, text: "Polar H10 connected")])
        #expect(receive(ready, at: 2) == [])
        #expect(receive(reading(70, at: 3), at: 3) == [])
        var alarms: [JournalReport.Line] = []
        for second in Int64(4)..<40 { alarms += receive(reading(170, at: second), at: second) }
        #expect(alarms.first?.level == .error || alarms.first?.level == .critical)
        #expect(alarms.contains { $0.level == .critical && $0.text.hasPrefix("ALARM, high priority: ") })
        let effects = state.apply(.acknowledgeAll, at: Self.moment(40))
        let answers = report.lines(nil, effects, state)
        #expect(answers.contains { $0.text.hasPrefix("by a user: ") })
        #expect(answers.allSatisfy { $0.level == .notice })
    }

    @Test("report lost and returned Bluetooth, with the remedy")
    mutating func bluetooth() {
        _ = receive(.bus(.connected), at: 0)
        let gone = receive(.daemon(.gone), at: 1)
        #expect(gone.count == 1 && gone[0].level == .warning && gone[0].text.contains("Try: "))
        #expect(receive(.daemon(.gone), at: 2) == [])
        _ = receive(.daemon(.running), at: 3)
        let adapter = AdapterStatus(identifier: "hci0", address: nil, power: .ready, isScanning: true)
        #expect(receive(.adapter(adapter), at: 4).map(\.text) == ["Bluetooth works, hci0"])
    }

    @Test("are one line each, whatever a stranger's sensor is called")
    mutating func hostile() {
        var sensor = Self.strap
        sensor.name = "a\n<0>PANIC\u{1B}[2J"
        let lines = receive(.connection(sensor, ConnectionState(phase: .ready)), at: 1)
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { !$0.text.contains("\n") && !$0.text.contains("\u{1B}") })
    }

    @Test("have a summary for the service manager")
    mutating func status() {
        #expect(JournalReport.status(state) == "0 sensors connected, no alarm")
        _ = receive(.connection(Self.strap, ConnectionState(phase: .ready)), at: 1)
        #expect(JournalReport.status(state) == "1 sensor connected, no alarm")
        for second in Int64(4)..<40 { _ = receive(reading(170, at: second), at: second) }
        #expect(JournalReport.status(state).hasPrefix("1 sensor connected, 1 alarm: "))
        #expect(report.timeStamp(Self.moment(0)) == "2026-03-01 13:50:00")
    }
}
