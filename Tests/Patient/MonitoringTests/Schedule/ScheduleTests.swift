import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("Limits and sounds by the time of day")
struct ScheduleTests {
    private func entry(_ start: Int, _ end: Int, low: Int? = nil) -> ScheduleEntry {
        var limits = MonitorSettings.Limits.off
        limits.heartRate.low.value = low.map { VitalValue(whole: $0) }
        return ScheduleEntry(name: "night", start: start, end: end, limits: limits)
    }

    @Test(
        "an entry holds from its first minute to the one before its last, also past midnight",
        arguments: [
            (22 * 60, 6 * 60, 22 * 60, true), (22 * 60, 6 * 60, 0, true), (22 * 60, 6 * 60, 6 * 60 - 1, true),
            (22 * 60, 6 * 60, 6 * 60, false), (22 * 60, 6 * 60, 22 * 60 - 1, false), (60, 120, 60, true),
            (60, 120, 120, false), (60, 60, 900, true),
        ])
    func contains(start: Int, end: Int, minute: Int, expected: Bool) {
        #expect(entry(start, end).contains(minuteOfWeek: 1440 + minute) == expected)
    }

    @Test("the night's limits apply from its minute on, are reported, and evaluate the newest value")
    func night() throws {
        // The ward's clock begins at 15:06:40 UTC, and its patient lives two hours further east.
        var settings = MonitorSettings.withoutLimits
        settings.timeZoneOffset = 7200
        settings.schedule = [entry(17 * 60 + 8, 17 * 60 + 9, low: 60)]
        var ward = Ward(settings: settings)
        ward.measure(.heartRate, 5500, from: .strap, at: 78)
        #expect(ward.state.scheduleEntry == nil)
        #expect(ward.wait(until: 80) == ["low active medium"])
        #expect(ward.state.scheduleEntry?.name == "night")
        #expect(ward.state.currentLimits.heartRate.low.value == VitalValue(whole: 60))
        // The user's own limit stays above the entry's as long as they do not contradict each other.
        ward.act(.setLimit(.heartRate, .low, AlarmLimit(VitalValue(whole: 50), .medium)), at: 81)
        #expect(ward.wait(until: 140) == ["low ended medium"])
        #expect(ward.state.scheduleEntry == nil)
        #expect(ward.state.currentLimits.heartRate.low.value == VitalValue(whole: 50))
        #expect(ward.actions == ["program schedule_changed", "user limit_changed", "program schedule_changed"])
    }

    @Test("a change that contradicts the new limits is discarded, with a report")
    func contradiction() {
        var settings = MonitorSettings()
        settings.schedule = [entry(15 * 60 + 8, 15 * 60 + 9, low: 60)]
        settings.schedule[0].limits.heartRate.high.value = VitalValue(whole: 100)
        var ward = Ward(settings: settings)
        ward.act(.setLimit(.heartRate, .low, AlarmLimit(VitalValue(whole: 110), .medium)), at: 1)
        _ = ward.wait(until: 80)
        #expect(ward.state.currentLimits.heartRate.low.value == VitalValue(whole: 60))
        #expect(ward.actions == ["user limit_changed", "program schedule_changed", "program limit_changed"])
    }

    @Test("what the user has changed holds on by day although the night's limits said the same")
    func sameAsNight() {
        var settings = MonitorSettings.withoutLimits
        settings.schedule = [entry(15 * 60 + 8, 15 * 60 + 9, low: 60)]
        var ward = Ward(settings: settings)
        ward.act(.setLimit(.heartRate, .low, AlarmLimit(VitalValue(whole: 60), .medium)), at: 1)
        _ = ward.wait(until: 81)
        #expect(ward.state.scheduleEntry != nil && !ward.state.isChanged(.low, of: .heartRate))
        _ = ward.wait(until: 141)
        #expect(ward.state.scheduleEntry == nil && ward.state.isChanged(.low, of: .heartRate))
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

    @Test("summer time moves the entries with the wall clock")
    func offset() {
        var settings = MonitorSettings.withoutLimits
        settings.schedule = [entry(16 * 60, 17 * 60, low: 60)]
        var ward = Ward(settings: settings)
        #expect(ward.state.scheduleEntry == nil)
        _ = ward.state.apply(timeZoneOffset: 3600, at: Ward.moment(1))
        #expect(ward.state.scheduleEntry?.name == "night")
    }

    @Test("an entry holds on its days, and past midnight into the next one")
    func days() {
        var night = entry(22 * 60, 7 * 60)
        night.days = Weekdays([.friday, .sunday])
        let hours = { (day: Int, hour: Int) in night.contains(minuteOfWeek: day * 1440 + hour * 60) }
        #expect(!hours(4, 6) && hours(4, 22) && hours(5, 6) && !hours(5, 7) && !hours(5, 22))
        #expect(hours(6, 23) && hours(0, 6) && !hours(0, 22))
        var whole = entry(8 * 60, 8 * 60)
        whole.days = Weekdays([.monday])
        #expect(whole.contains(minuteOfWeek: 8 * 60) && whole.contains(minuteOfWeek: 1440 + 479))
        #expect(!whole.contains(minuteOfWeek: 479) && !whole.contains(minuteOfWeek: 1440 + 480))
    }

    @Test("a span ends at the first minute at which another entry is in force", .computing)
    func spans() {
        var random = SeededGenerator(seed: 51)
        var changes = 0
        for _ in 0..<300 {
            let schedule = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                var entry = entry(
                    Int.random(in: 0..<1440, using: &random), Int.random(in: 0..<1440, using: &random))
                entry.days = Weekdays(rawValue: UInt8.random(in: 0...0x7F, using: &random))
                return entry
            }
            // Before 1970, too.
            let local = Int64.random(in: -10_000_000_000...1_800_000_000_000, using: &random)
            let span = schedule.span(atLocal: local)
            #expect(span.local.contains(local) && span.entry == schedule.inForce(atLocal: local))
            let end = min(span.local.upperBound, span.local.lowerBound + 7 * 86_400_000)
            for time in stride(from: span.local.lowerBound, to: end, by: 60_000) {
                guard schedule.inForce(atLocal: time) != span.entry else { continue }
                Issue.record("an entry changes within a span")
                break
            }
            if span.local.upperBound == .max { continue }
            changes += 1
            #expect(schedule.inForce(atLocal: span.local.upperBound) != span.entry)
        }
        #expect(changes > 100)
    }

    @Test("a week begins on Monday at midnight of the local time")
    func week() {
        // 2025-06-15 was a Sunday.
        let sunday: Int64 = 1_749_945_600_000
        var monday = entry(0, 60)
        monday.days = Weekdays([.monday])
        #expect([monday].inForce(atLocal: sunday + 86_400_000) == 0)
        #expect([monday].inForce(atLocal: sunday + 86_399_999) == nil)
        #expect([monday].inForce(atLocal: sunday) == nil)
    }

    @Test("two entries overlap where both are in force at a minute of the week")
    func overlap() throws {
        var weekend = entry(6 * 60, 10 * 60)
        weekend.days = Weekdays([.saturday, .sunday])
        let night = entry(22 * 60, 7 * 60)
        let found = try #require([night, weekend].overlap)
        #expect(found == (0, 1, 5 * 1440 + 360))
        weekend.start = 7 * 60
        #expect([night, weekend].overlap == nil)
        #expect([night, night].overlap != nil)
    }

    @Test("a value out of the new limits is an alarm at their first moment, which names the limit in force")
    func atOnce() throws {
        var settings = MonitorSettings.withoutLimits
        settings.schedule = [entry(15 * 60 + 8, 15 * 60 + 9, low: 60)]
        var ward = Ward(settings: settings)
        ward.measure(.heartRate, 5500, from: .strap, at: 79)
        #expect(ward.wait(until: 79.999).isEmpty)
        #expect(ward.wait(until: 80) == ["low active medium"])
        let alarm = try #require(ward.state.alarms.first)
        #expect(alarm.limit == VitalValue(whole: 60) && alarm.text.contains("60"))
        #expect(ward.sounds == ["medium 80.0"])
    }

    @Test("a clock that is set leads to the entry of the new time, forward and back")
    func clockSet() {
        var settings = MonitorSettings.withoutLimits
        settings.schedule = [entry(22 * 60, 7 * 60, low: 60)]
        var ward = Ward(settings: settings)
        ward.tick(at: 1)
        #expect(ward.state.scheduleEntry == nil)
        let forward = Ward.moment(2)
        let evening = Moment(
            monotonicNanoseconds: forward.monotonicNanoseconds,
            wallMilliseconds: forward.wallMilliseconds + 8 * 3_600_000)
        _ = ward.state.apply(MonitorEvent(moment: evening, kind: .tick))
        #expect(ward.state.scheduleEntry?.name == "night")
        ward.tick(at: 3)
        #expect(ward.state.scheduleEntry == nil)
    }

    @Test("the end of summer time keeps the night in force for an hour more, and its beginning for an hour less")
    func summerTime() throws {
        var settings = MonitorSettings.withoutLimits
        settings.timeZoneOffset = 7200
        settings.schedule = [entry(16 * 60, 19 * 60)]
        var ward = Ward(settings: settings)
        ward.tick(at: 0)
        let before = try #require(ward.state.scheduleChange?.at)
        _ = ward.state.apply(timeZoneOffset: 3600, at: Ward.moment(1))
        #expect(ward.state.scheduleEntry != nil)
        #expect(try #require(ward.state.scheduleChange?.at) == before.advanced(by: .seconds(3600)))
        _ = ward.state.apply(timeZoneOffset: 7200, at: Ward.moment(2))
        #expect(try #require(ward.state.scheduleChange?.at) == before)
    }

    @Test("an entry's repetition holds from its first moment on, without a burst of its own")
    func repetition() {
        var settings = MonitorSettings.withoutLimits
        settings.limits.heartRate.low.value = VitalValue(whole: 60)
        var slow = SoundPattern()
        slow.mediumGap = .seconds(30)
        settings.schedule = [
            ScheduleEntry(name: "night", start: 15 * 60 + 7, end: 15 * 60 + 8, limits: settings.limits, pattern: slow)
        ]
        var ward = Ward(settings: settings)
        ward.stream(.heartRate, 5500, from: .strap, at: [1])
        for second in 2..<90 {
            ward.wait(until: Double(second))
            ward.stream(.heartRate, 5500, from: .strap, at: [Double(second)])
        }
        // The entry is in force from 20 s to 80 s; after it the usual 15 s are long over.
        #expect(ward.sounds == ["medium 1.0", "medium 16.0", "medium 46.0", "medium 76.0"])
        #expect(ward.state.alarms.count == 1 && ward.state.alarms[0].id == 1)
    }

    @Test("a kind of alarm has its own repetition, within the range of its priority")
    func ownRepetition() throws {
        var pattern = SoundPattern()
        pattern.repetitions = [.lostSensor: .seconds(600), .heartLow: .seconds(4), .fever: .seconds(600)]
        func alarm(_ kind: AlarmKind, _ vital: Vital?, _ priority: AlarmPriority) -> Alarm {
            Alarm(
                id: 1, key: AlarmKey(.computer, vital: vital, kind: kind),
                evidence: AlarmEvidence(priority: priority, vital: vital), since: Ward.moment(0))
        }
        #expect(pattern.gap(of: alarm(.linkLost, nil, .low)) == .seconds(600))
        #expect(pattern.gap(of: alarm(.linkLost, nil, .medium)) == .seconds(30))
        #expect(pattern.gap(of: alarm(.low, .pulseRate, .medium)) == .seconds(4))
        #expect(pattern.gap(of: alarm(.feverSingle, .bodyTemperature, .high)) == .seconds(15))
        #expect(pattern.gap(of: alarm(.high, .heartRate, .medium)) == .seconds(15))
        #expect(pattern.gap(of: alarm(.batteryLow, nil, .low)) == nil)
    }
}
