import Testing
import Vitals

@testable import Monitoring

@Suite("The reminder of a blood count")
struct LabReminderTests {
    /// The ward begins at 15:06:40 UTC; it is 09:00 this many seconds later.
    private static let nine = 64_400.0
    private static let day = 86_400.0
    /// The first 09:00 after a week.
    private static let due = 7 * day + nine

    private static func lab(at seconds: Double, hundredths: Int = 120_000) -> RecordEntry {
        RecordEntry(
            .lab(LabResult([.init(.whiteCells, VitalValue(hundredths: hundredths))])), enteredAt: Ward.moment(seconds))
    }

    @Test("comes at 09:00 once the last blood count is a week old, as a technical line of low priority")
    func due() {
        var ward = Ward()
        ward.act(.enter(Self.lab(at: 0)), at: 0)
        #expect(ward.wait(until: Self.due - 1).isEmpty)
        #expect(ward.wait(until: Self.due) == ["lab_due active low"])
        let alarm = ward.state.alarms.first
        #expect(alarm?.alarmClass == .technical)
        #expect(alarm?.text == "Blood count due: the last blood sample was taken 7 days ago")
    }

    @Test("follows the local time, also when the clocks are changed meanwhile")
    func localTime() {
        var settings = MonitorSettings.withoutLimits
        settings.timeZoneOffset = 7200
        var ward = Ward(settings: settings)
        ward.act(.enter(Self.lab(at: 0)), at: 0)
        #expect(ward.wait(until: Self.day).isEmpty)
        // The clocks are set back by an hour, so that it is 09:00 an hour later.
        _ = ward.state.apply(timeZoneOffset: 3600, at: Ward.moment(2 * Self.day))
        #expect(ward.wait(until: Self.due - 3601).isEmpty)
        #expect(ward.wait(until: Self.due - 3600) == ["lab_due active low"])
    }

    @Test("is deferred to the next 09:00 by the key that snoozes")
    func deferred() throws {
        var ward = Ward()
        ward.act(.enter(Self.lab(at: 0)), at: 0)
        ward.wait(until: Self.due)
        let id = try #require(ward.state.alarms.first?.id)
        #expect(ward.state.nextLabReminder == Ward.moment(Self.due + Self.day))
        let heard = ward.sounds.count
        // It stays an alarm, so the log does not call it ended.
        ward.act(.snooze(id, nil), at: Self.due + 800)
        #expect(ward.actions.last == "user snoozed")
        let key = SnoozeKey(kind: .labDue, vital: nil)
        let end = Ward.moment(Self.due + Self.day)
        #expect(ward.state.signal.snoozes == [AlarmSignal.Snooze(key: key, until: end)])
        #expect(ward.wait(until: Self.due + Self.day - 1).isEmpty)
        #expect(ward.state.shownAlarms.map(\.id) == [id] && ward.sounds.count == heard)
        ward.wait(until: Self.due + Self.day)
        #expect(ward.state.shownAlarms.map(\.id) == [id] && ward.state.signal.snoozes.isEmpty)
        #expect(ward.sounds.count == heard + 1)
    }

    @Test("is heard again when the user ends the deferral, and stays deferred after a restart")
    func deferredAgain() throws {
        var ward = Ward()
        ward.act(.enter(Self.lab(at: 0)), at: 0)
        ward.wait(until: Self.due)
        let id = try #require(ward.state.alarms.first?.id)
        ward.act(.snooze(id, nil), at: Self.due + 800)
        var next = Ward()
        _ = next.state.resume(ward.state.memory, at: Ward.moment(Self.due + 900))
        next.act(.enter(Self.lab(at: 0)), at: Self.due + 901, expecting: ["lab_due active low"])
        #expect(next.state.signal.snoozes.map(\.until) == [Ward.moment(Self.due + Self.day)])
        #expect(next.sounds.isEmpty)
        let key = SnoozeKey(kind: .labDue, vital: nil)
        next.act(.endSnooze(key), at: Self.due + 950)
        #expect(next.state.signal.snoozes.isEmpty && next.sounds.count == 1)
        #expect(next.state.memory.labDeferredAt == nil)
    }

    @Test("is deferred no more when a count is entered")
    func deferredAndDone() throws {
        var ward = Ward()
        ward.act(.enter(Self.lab(at: 0)), at: 0)
        ward.wait(until: Self.due)
        ward.act(.snooze(try #require(ward.state.alarms.first?.id), nil), at: Self.due + 800)
        ward.act(.enter(Self.lab(at: Self.due + 900)), at: Self.due + 900, expecting: ["lab_due ended low"])
        #expect(ward.state.signal.snoozes.isEmpty)
    }

    @Test("is done for the week when a count is entered, and comes back when that is taken back")
    func done() {
        var ward = Ward()
        ward.act(.enter(Self.lab(at: 0)), at: 0)
        ward.wait(until: Self.due)
        let new = Self.lab(at: Self.due + 10)
        ward.act(.enter(new), at: Self.due + 10, expecting: ["lab_due ended low"])
        ward.act(.retract(new.id), at: Self.due + 20, expecting: ["lab_due active low"])
        ward.act(.enter(Self.lab(at: Self.due + 30)), at: Self.due + 30, expecting: ["lab_due ended low"])
        #expect(ward.wait(until: Self.due + 7 * Self.day).isEmpty)
        // Taken at 09:00:30, so that the same time a week later is too early by half a minute.
        #expect(ward.wait(until: Self.due + 8 * Self.day) == ["lab_due active low"])
    }

    @Test("never comes where no count is known, nor for another patient")
    func unknown() {
        var ward = Ward()
        #expect(ward.wait(until: 30 * Self.day).isEmpty)
        ward.act(.enter(Self.lab(at: 30 * Self.day)), at: 30 * Self.day)
        ward.wait(until: 39 * Self.day)
        #expect(ward.alarms == ["lab_due active low"])
        ward.act(.newPatient, at: 39 * Self.day + 1, expecting: ["lab_due ended low"])
        #expect(ward.wait(until: 60 * Self.day).isEmpty)
    }

    @Test("counts from a neutrophil count of the settings, too, and does not trap at the ends of time")
    func extremes() {
        var reminder = LabReminder()
        for sampledAt in [Int64.min, -1, 0, .max] {
            reminder.follow(sampledAt: sampledAt, offset: 86_400)
            reminder.postpone(at: Moment(monotonicNanoseconds: .max, wallMilliseconds: .max))
            _ = reminder.deadline(after: Moment(monotonicNanoseconds: .max, wallMilliseconds: .min))
        }
        var settings = MonitorSettings.withoutLimits
        settings.fever.neutrophils = NeutrophilCount(
            perMicrolitre: 450, sampledAt: Ward.moment(-6 * Self.day).wallMilliseconds)
        var ward = Ward(settings: settings)
        ward.tick(at: 1)
        #expect(ward.wait(until: Self.day + Self.nine) == ["lab_due active low"])
    }
}
