import Testing
import Vitals

@testable import Monitoring

@Suite("Limits by the time of day")
struct ProfileTests {
    private func profile(_ start: Int, _ end: Int, low: Int? = nil) -> LimitProfile {
        var limits = MonitorSettings.Limits.off
        limits.heartRate.low.value = low.map { VitalValue(whole: $0) }
        return LimitProfile(name: "night", start: start, end: end, limits: limits)
    }

    @Test(
        "a profile holds from its first minute to the one before its last, also past midnight",
        arguments: [
            (22 * 60, 6 * 60, 22 * 60, true), (22 * 60, 6 * 60, 0, true), (22 * 60, 6 * 60, 6 * 60 - 1, true),
            (22 * 60, 6 * 60, 6 * 60, false), (22 * 60, 6 * 60, 22 * 60 - 1, false), (60, 120, 60, true),
            (60, 120, 120, false), (60, 60, 900, true),
        ])
    func contains(start: Int, end: Int, minute: Int, expected: Bool) {
        #expect(profile(start, end).contains(minute: minute) == expected)
    }

    @Test("the night's limits apply from its minute on, are reported, and evaluate the newest value")
    func night() throws {
        // The ward's clock begins at 15:06:40 UTC, and its patient lives two hours further east.
        var settings = MonitorSettings.withoutLimits
        settings.timeZoneOffset = 7200
        settings.profiles = [profile(17 * 60 + 8, 17 * 60 + 9, low: 60)]
        var ward = Ward(settings: settings)
        ward.measure(.heartRate, 5500, from: .strap, at: 78)
        #expect(ward.state.profile == nil)
        #expect(ward.wait(until: 80) == ["low active medium"])
        #expect(ward.state.profile?.name == "night")
        #expect(ward.state.currentLimits.heartRate.low.value == VitalValue(whole: 60))
        // The user's own limit stays above the profile's as long as they do not contradict each other.
        ward.act(.setLimit(.heartRate, .low, AlarmLimit(VitalValue(whole: 50), .medium)), at: 81)
        #expect(ward.wait(until: 140) == ["low ended medium"])
        #expect(ward.state.profile == nil)
        #expect(ward.state.currentLimits.heartRate.low.value == VitalValue(whole: 50))
        #expect(ward.actions == ["program profile_changed", "user limit_changed", "program profile_changed"])
    }

    @Test("a change that contradicts the new limits is discarded, with a report")
    func contradiction() {
        var settings = MonitorSettings()
        settings.profiles = [profile(15 * 60 + 8, 15 * 60 + 9, low: 60)]
        settings.profiles[0].limits.heartRate.high.value = VitalValue(whole: 100)
        var ward = Ward(settings: settings)
        ward.act(.setLimit(.heartRate, .low, AlarmLimit(VitalValue(whole: 110), .medium)), at: 1)
        _ = ward.wait(until: 80)
        #expect(ward.state.currentLimits.heartRate.low.value == VitalValue(whole: 60))
        #expect(ward.actions == ["user limit_changed", "program profile_changed", "program limit_changed"])
    }

    @Test("what the user has changed holds on by day although the night's limits said the same")
    func sameAsNight() {
        var settings = MonitorSettings.withoutLimits
        settings.profiles = [profile(15 * 60 + 8, 15 * 60 + 9, low: 60)]
        var ward = Ward(settings: settings)
        ward.act(.setLimit(.heartRate, .low, AlarmLimit(VitalValue(whole: 60), .medium)), at: 1)
        _ = ward.wait(until: 81)
        #expect(ward.state.profile != nil && !ward.state.isChanged(.low, of: .heartRate))
        _ = ward.wait(until: 141)
        #expect(ward.state.profile == nil && ward.state.isChanged(.low, of: .heartRate))
        #expect(ward.state.currentLimits.heartRate.low.value == VitalValue(whole: 60))
    }

    @Test("limits kept in the settings are no longer changes, and apply at once")
    func kept() {
        var ward = Ward(settings: MonitorSettings())
        ward.measure(.heartRate, 11000, from: .strap, at: 0)
        let limit = AlarmLimit(VitalValue(whole: 130), .medium)
        ward.act(.setLimit(.heartRate, .high, limit), at: 1)
        var settings = MonitorSettings()
        settings.limits.heartRate.high = limit
        #expect(ward.state.apply(settings: settings, change: nil, at: Ward.moment(2)).isEmpty)
        #expect(ward.state.memory.isEmpty && !ward.state.isChanged(.high, of: .heartRate))
        ward.act(.resetLimits, at: 3)
        #expect(ward.state.currentLimits == settings.limits)
        settings.limits.heartRate.high.value = VitalValue(whole: 100)
        let effects = ward.state.apply(settings: settings, change: nil, at: Ward.moment(4))
        #expect(effects.compactMap(\.summary) == ["high active medium"])
    }

    @Test("summer time moves the profiles with the wall clock")
    func offset() {
        var settings = MonitorSettings.withoutLimits
        settings.profiles = [profile(16 * 60, 17 * 60, low: 60)]
        var ward = Ward(settings: settings)
        #expect(ward.state.profile == nil)
        _ = ward.state.apply(timeZoneOffset: 3600, at: Ward.moment(1))
        #expect(ward.state.profile?.name == "night")
    }
}
