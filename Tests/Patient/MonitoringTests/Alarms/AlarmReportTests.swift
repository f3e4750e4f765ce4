import Testing
import Vitals

@testable import Monitoring

@Suite("The report of an alarm")
struct AlarmReportTests {
    /// Each stored property of an alarm: the field of the report that has it, or why none has.
    private static let fields = [
        "id": "id", "key": "kindName", "priority": "priority", "sensor": "sensor", "vital": "vital", "site": "site",
        "phase": "state", "since": "sinceWallMilliseconds", "acknowledgedAt": "isAcknowledged",
        "heldUntil": "isHeld", "isLatched": "isLatched", "value": "value", "peak": "peak", "limit": "limit",
    ]
    private static let gaps = [
        "activeSince": "the moment of the line that says so", "endedAt": "the moment of the line that says so",
        "isInterrupted": "the text says it", "episodeCount": "each episode was reported",
        "valueAt": "the moment of the line that says so, or of its reading",
        "peakAt": "the moment of its reading", "peakSensor": "the sensor of its reading",
        "acknowledgedPeak": "only for the next alert", "boundaries": "only for rounding",
        "duration": "the text says it", "reason": "the text says it", "detail": "the text says it",
        "feverRisk": "the priority and the text say it", "feverRule": "the settings say it",
        "worstReason": "the text says it", "isNewlyBeyondRange": "only for the next alert",
        "confirmations": "the text says it", "due": "it has not happened yet", "delay": "it has not happened yet",
        "alertAgainAt": "it has not happened yet", "isUnconfirmed": "the text says it",
        "isValueLate": "the text says it",
    ]

    @Test("has everything that an alarm has, or there is a reason why not")
    func complete() throws {
        var ward = Ward(settings: MonitorSettings())
        ward.stream(.heartRate, 15_200, from: .strap, at: [1, 2])
        let alarm = try #require(ward.state.shownAlarms.first)
        let properties = Set(Mirror(reflecting: alarm).children.compactMap(\.label))
        #expect(properties == Set(Self.fields.keys).union(Self.gaps.keys))
        #expect(Set(Self.fields.keys).isDisjoint(with: Self.gaps.keys))
        // The class follows from the condition.
        let reported = Set(Mirror(reflecting: AlarmReport(alarm)).children.compactMap(\.label))
        #expect(reported == Set(Self.fields.values).union(["alarmClass", "text"]))
    }

    @Test("in the log has what the store keeps, for each state")
    func log() throws {
        var ward = Ward(settings: MonitorSettings())
        ward.stream(.heartRate, 15_200, from: .strap, at: [1, 2])
        let alarm = try #require(ward.state.shownAlarms.first)
        var report = AlarmReport(alarm)
        (report.isLatched, report.isHeld, report.isAcknowledged) = (true, true, true)
        for state in AlarmLogEntry.State.allCases {
            let change = AlarmLogEntry.Change(report, state)
            #expect(change.state == state && !change.isLatched && !change.isHeld)
            #expect(change.isAcknowledged == (state == .acknowledged))
            #expect(change == AlarmLogEntry.Change(change.report, state))
        }
    }
}
