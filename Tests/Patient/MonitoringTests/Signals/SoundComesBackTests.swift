import Testing
import Vitals

@testable import Monitoring

/// Whatever has silenced an alarm ends, and then the alarm is heard again.
@Suite("The sound that comes back")
struct SoundComesBackTests {
    private func change(_ ward: inout Ward, at seconds: Double, _ body: (inout MonitorSettings) -> Void) {
        var settings = ward.state.settings
        body(&settings)
        let effects = ward.state.apply(settings: settings, change: ("some.setting", "7"), at: Ward.moment(seconds))
        for case .soundBurst(let priority, let moment) in effects {
            ward.sounds.append("\(priority.rawValue) \(Ward.seconds(moment))")
        }
    }

    private func racing(_ hundredths: Int, _ settings: MonitorSettings = MonitorSettings()) -> Ward {
        var ward = Ward(settings: settings)
        ward.stream(.heartRate, hundredths, from: .strap, at: [0])
        return ward
    }

    @Test(
        "an alarm that began while the sound was off is heard as soon as it is switched on, and at its gap then",
        arguments: [(14_500, "high", 5.0), (13_000, "medium", 15.0)])
    func switchedOn(value: Int, priority: String, gap: Double) {
        var settings = MonitorSettings()
        settings.alarmSignals.isSoundOff = true
        var ward = racing(value, settings)
        ward.stream(.heartRate, value, from: .strap, at: stride(from: 1, through: 60, by: 1))
        #expect(ward.sounds.isEmpty)
        change(&ward, at: 60.5) { $0.alarmSignals.isSoundOff = false }
        ward.stream(.heartRate, value, from: .strap, at: stride(from: 61, through: 76, by: 0.5))
        #expect(ward.sounds.prefix(2) == ["\(priority) 60.5", "\(priority) \(60.5 + gap)"])
    }

    @Test("an unheard alarm of low priority sounds once when the sound is switched on")
    func lowSwitchedOn() {
        var settings = MonitorSettings.withoutLimits
        settings.alarmSignals.isSoundOff = true
        settings.alarmSignals.reminder = nil
        var ward = Ward(settings: settings)
        ward.receive(.battery(.strap, percent: 3), at: 0, expecting: ["battery_low active low"])
        change(&ward, at: 60) { $0.alarmSignals.isSoundOff = false }
        ward.wait(until: 300)
        #expect(ward.sounds == ["low 60.0"])
    }

    @Test("an alarm that sounded before the sound was switched off and on sounds again")
    func offAndOn() {
        var ward = racing(14_500)
        change(&ward, at: 0.5) { $0.alarmSignals.isSoundOff = true }
        #expect(ward.state.signal.sounding == nil)
        change(&ward, at: 1) { $0.alarmSignals.isSoundOff = false }
        #expect(ward.sounds == ["high 0.0", "high 1.0"])
    }

    @Test("a shorter gap applies at once, and so does a repeated low priority")
    func gaps() {
        var settings = MonitorSettings()
        settings.alarmSignals.pattern.mediumGap = .seconds(30)
        var ward = racing(13_000, settings)
        ward.stream(.heartRate, 13_000, from: .strap, at: stride(from: 1, through: 4, by: 1))
        change(&ward, at: 5) { $0.alarmSignals.pattern.mediumGap = .seconds(4) }
        ward.stream(.heartRate, 13_000, from: .strap, at: stride(from: 6, through: 9, by: 1))
        #expect(ward.sounds == ["medium 0.0", "medium 5.0", "medium 9.0"])
        var low = Ward()
        low.receive(.battery(.strap, percent: 3), at: 0, expecting: ["battery_low active low"])
        change(&low, at: 100) { $0.alarmSignals.pattern.lowGap = .seconds(30) }
        low.wait(until: 131)
        #expect(low.sounds == ["low 0.0", "low 100.0", "low 130.0"])
    }

    @Test("another patient ends pause, snoozes and care with an entry in the log each, and active alarms sound")
    func newPatient() throws {
        var ward = racing(7000)
        ward.receive(.battery(.strap, percent: 3), at: 0, expecting: ["battery_low active low"])
        ward.receive(.battery(.oximeter, percent: 3), at: 1, expecting: ["battery_low active low"])
        let battery = try #require(ward.state.alarms.first)
        ward.act(.pauseAudio(nil), at: 2)
        ward.act(.snooze(battery.id, nil), at: 3)
        ward.act(.pauseForCare(address: SensorIdentity.strap.address, nil), at: 4)
        ward.sounds = []
        ward.actions = []
        ward.act(.newPatient, at: 5)
        #expect(
            ward.actions == [
                "user new_patient", "user care_pause_ended", "user audio_pause_ended", "user snooze_ended",
            ])
        #expect(ward.sounds == ["low 5.0"])
        #expect(ward.state.signal.pausedUntil == nil && ward.state.signal.snoozes.isEmpty)
    }

    @Test("a low priority alarm that began under a worse one is heard when that is answered")
    func lowUnderHigh() throws {
        var ward = racing(14_500)
        ward.receive(.battery(.strap, percent: 3), at: 1, expecting: ["battery_low active low"])
        ward.act(
            .acknowledge(ward.state.alarms[0].id), at: 3,
            expecting: ["severe_high acknowledged high", "high acknowledged medium"])
        #expect(ward.sounds == ["high 0.0", "low 3.0"])
    }

    @Test(
        "reminders that are switched off while one is due leave nothing to wait for in the past",
        arguments: [true, false])
    func reminderOff(isPaused: Bool) {
        var settings = MonitorSettings.withoutLimits
        settings.alarmSignals.isSoundOff = !isPaused
        settings.alarmSignals.reminder = .seconds(60)
        var ward = Ward(settings: settings)
        ward.receive(.battery(.strap, percent: 3), at: 0, expecting: ["battery_low active low"])
        if isPaused { ward.act(.pauseAudio(.seconds(180)), at: 0) }
        change(&ward, at: 10) { $0.alarmSignals.reminder = nil }
        ward.tick(at: 61)
        #expect(ward.deadline == (isPaused ? 180 : nil))
        #expect(!ward.sounds.contains { $0.hasPrefix("reminder") })
    }

    @Test("an alarm that comes and goes is reminded of while the sound is off")
    func flapping() {
        var settings = MonitorSettings()
        settings.alarmSignals.isSoundOff = true
        var ward = Ward(settings: settings)
        for second in stride(from: 0.0, through: 130, by: 1) {
            ward.stream(.heartRate, Int(second) % 4 == 0 ? 14_500 : 8000, from: .strap, at: [second])
        }
        #expect(ward.sounds == ["reminder 120.0"])
    }
}
