import Testing
import Vitals

@testable import Monitoring

@Suite("Settings that are changed while it runs")
struct SettingsChangeTests {
    private func change(_ ward: inout Ward, at seconds: Double, _ body: (inout MonitorSettings) -> Void) -> [Effect] {
        var settings = ward.state.settings
        body(&settings)
        return ward.state.apply(settings: settings, change: ("some.setting", "7"), at: Ward.moment(seconds))
    }

    @Test("a new limit evaluates the newest value at once, and the log reports the change")
    func limits() {
        var ward = Ward(settings: .withoutLimits)
        ward.measure(.heartRate, 5500, from: .strap, at: 1)
        let effects = change(&ward, at: 2) { $0.limits.heartRate.low.value = VitalValue(whole: 60) }
        #expect(ward.state.currentLimits.heartRate.low.value == VitalValue(whole: 60))
        let actions = effects.compactMap { effect in
            if case .action(let record) = effect { record.kind.text } else { nil }
        }
        #expect(actions == ["setting some.setting changed to 7"])
        #expect(ward.state.alarms.map(\.kind) == [.low])
    }

    @Test("a limit that the user changed for now stays above it")
    func ownLimits() {
        var ward = Ward(settings: .withoutLimits)
        ward.act(.setLimit(.heartRate, .low, AlarmLimit(VitalValue(whole: 50), .medium)), at: 1)
        _ = change(&ward, at: 2) { $0.limits.heartRate.low.value = VitalValue(whole: 60) }
        #expect(ward.state.currentLimits.heartRate.low.value == VitalValue(whole: 50))
    }

    @Test("a night that is switched on holds at once, and ends at once when it is switched off")
    func night() {
        var ward = Ward(settings: .withoutLimits)
        ward.measure(.heartRate, 5500, from: .strap, at: 1)
        var limits = MonitorSettings.Limits.off
        limits.heartRate.low.value = VitalValue(whole: 60)
        _ = change(&ward, at: 2) { $0.schedule = [ScheduleEntry(name: "night", start: 0, end: 0, limits: limits)] }
        #expect(ward.state.scheduleEntry?.name == "night")
        #expect(ward.state.alarms.map(\.kind) == [.low])
        _ = change(&ward, at: 3) { $0.schedule = [] }
        #expect(ward.state.scheduleEntry == nil)
    }

    @Test("changed freshness applies to the present age of values")
    func freshness() {
        var ward = Ward(settings: .withoutLimits)
        ward.measure(.heartRate, 7000, from: .strap, at: 1)
        ward.measure(.heartRate, 7000, from: .strap, at: 2)
        ward.tick(at: 4)
        #expect(ward.condition(.heartRate) == "measured 7000")
        _ = change(&ward, at: 4.5) { $0.freshness.staleFactor = 1 }
        #expect(ward.condition(.heartRate) == "stale 7000")
    }

    @Test("the same settings again are no change")
    func same() {
        var ward = Ward(settings: .withoutLimits)
        #expect(change(&ward, at: 1) { _ in }.isEmpty)
    }
}
