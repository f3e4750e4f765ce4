import Testing
import Vitals

@testable import Monitoring

@Suite("Answers to alarms")
struct AnswerTests {
    private let ordinary = AlarmLimit(VitalValue(whole: 120), .medium)

    private func racing(_ hundredths: Int = 13000) -> Ward {
        var ward = Ward(settings: MonitorSettings())
        ward.measure(
            .heartRate, hundredths, from: .strap, at: 0,
            expecting: hundredths > 14000 ? ["severe_high active high", "high active medium"] : ["high active medium"])
        return ward
    }

    @Test("an acknowledged alarm is still, stays shown, and sounds again when it grows worse")
    func acknowledge() {
        var ward = racing()
        ward.act(.acknowledgeAll, at: 1, expecting: ["high acknowledged medium"])
        ward.measure(.heartRate, 13000, from: .strap, at: 2)
        #expect(ward.state.signal.priority == nil)
        #expect(ward.state.shownAlarms.map(\.summary) == ["high acknowledged medium"])
        ward.measure(.heartRate, 14100, from: .strap, at: 3, expecting: ["severe_high active high"])
        #expect(ward.sounds == ["medium 0.0", "high 3.0"])
        #expect(ward.actions == ["user acknowledged"])
    }

    @Test("acknowledging the severe alarm acknowledges the lesser one of the same side with it, and no other")
    func covered() throws {
        var ward = racing(14100)
        ward.receive(.battery(.strap, percent: 3), at: 0, expecting: ["battery_low active low"])
        let worst = try #require(ward.state.alarms.first)
        ward.act(
            .acknowledge(worst.id), at: 1, expecting: ["severe_high acknowledged high", "high acknowledged medium"])
        #expect(ward.state.signal.priority == .low)
    }

    @Test("a pause of the sound ends by itself, and active alarms sound at once")
    func audioPause() throws {
        var ward = racing()
        ward.act(.pauseAudio(nil), at: 1)
        #expect(ward.state.signal.pausedUntil == Ward.moment(121))
        #expect(ward.state.signal.sounding == nil)
        for second in 2...121 { ward.measure(.heartRate, 13000, from: .strap, at: Double(second)) }
        #expect(ward.sounds == ["medium 0.0", "medium 121.0"])
        #expect(ward.actions == ["user audio_paused", "program audio_pause_ended"])
    }

    @Test("no pause is longer than three minutes, none shorter than one", arguments: [(1, 60), (600, 180), (90, 90)])
    func audioPauseBounds(wanted: Int64, given: Double) {
        var ward = racing()
        ward.act(.pauseAudio(.seconds(wanted)), at: 0)
        #expect(ward.state.signal.pausedUntil == Ward.moment(given))
    }

    @Test("a reminder tone marks that the sound is paused")
    func reminder() {
        var settings = MonitorSettings()
        settings.alarmSignals.reminder = .seconds(60)
        var ward = Ward(settings: settings)
        ward.receive(.battery(.strap, percent: 3), at: 0, expecting: ["battery_low active low"])
        ward.act(.pauseAudio(.seconds(180)), at: 1)
        _ = ward.wait(until: 200)
        #expect(ward.sounds == ["low 0.0", "reminder 61.0", "reminder 121.0", "low 181.0"])
    }

    @Test(
        "a higher priority and a new cause each break a pause",
        arguments: [(Vital.heartRate, 14100), (.pulseRate, 4900)])
    func pauseBroken(vital: Vital, value: Int) {
        var ward = racing()
        ward.act(.pauseAudio(nil), at: 1)
        let expected = vital == .heartRate ? "severe_high active high" : "low active medium"
        ward.measure(vital, value, from: vital == .heartRate ? .strap : .oximeter, at: 2, expecting: [expected])
        #expect(ward.state.signal.pausedUntil == nil)
        #expect(ward.actions == ["user audio_paused", "program audio_pause_ended"])
        #expect(ward.sounds.count == 2)
    }

    @Test("a snooze silences one kind and direction until its end, new episodes of it too, and nothing else")
    func snooze() throws {
        var ward = racing()
        let high = try #require(ward.state.alarms.first)
        ward.act(.snooze(high.id, .seconds(100)), at: 1)
        #expect(ward.state.signal.snoozes.map(\.until) == [Ward.moment(101)])
        for second in 2...8 {
            let expected = second == 7 ? ["high ended medium"] : []
            ward.measure(.heartRate, 7000, from: .strap, at: Double(second), expecting: expected)
        }
        ward.measure(.heartRate, 13000, from: .strap, at: 9, expecting: ["high active medium"])
        #expect(ward.sounds == ["medium 0.0"])
        ward.measure(.heartRate, 14100, from: .strap, at: 10, expecting: ["severe_high active high"])
        #expect(ward.sounds == ["medium 0.0", "high 10.0"])
        ward.act(
            .acknowledge(ward.state.alarms[0].id), at: 11,
            expecting: [
                "severe_high acknowledged high", "high acknowledged medium",
            ])
        ward.measure(.heartRate, 4900, from: .strap, at: 13, expecting: ["low active medium"])
        #expect(ward.sounds.last == "medium 13.0")
    }

    @Test("after a snooze active alarms sound, and no snooze is longer than an hour")
    func snoozeEnd() throws {
        var ward = Ward()
        ward.receive(.battery(.strap, percent: 3), at: 0, expecting: ["battery_low active low"])
        let battery = try #require(ward.state.alarms.first)
        ward.act(.snooze(battery.id, .seconds(86_400)), at: 1)
        _ = ward.wait(until: 4000)
        #expect(ward.sounds == ["low 0.0", "low 3601.0"])
        ward.act(.snooze(battery.id, nil), at: 4001)
        ward.act(.endSnooze(battery.snoozeKey), at: 4010)
        #expect(ward.sounds.last == "low 4010.0")
        #expect(
            ward.actions == ["user snoozed", "program snooze_ended", "user snoozed", "user snooze_ended"])
    }

    @Test("a care pause holds the alarms that care causes, not the battery, and raises them afterwards if they last")
    func carePause() {
        var ward = Ward(settings: MonitorSettings())
        ward.measure(.heartRate, 7000, from: .strap, at: 0)
        ward.measure(.pulseRate, 7000, from: .oximeter, at: 0)
        ward.act(.pauseForCare(address: SensorIdentity.strap.address, .seconds(60)), at: 1)
        #expect(ward.state.carePause(address: SensorIdentity.strap.address) == Ward.moment(61))
        ward.measure(
            .heartRate, 15000, from: .strap, at: 2, expecting: ["severe_high pending high", "high pending medium"])
        ward.receive(.battery(.strap, percent: 3), at: 2, expecting: ["battery_low active low"])
        ward.measure(.pulseRate, 4900, from: .oximeter, at: 3, expecting: ["low active medium"])
        #expect(ward.sounds == ["low 2.0", "medium 3.0"])
        for second in 4...60 {
            ward.measure(.heartRate, 15000, from: .strap, at: Double(second))
            ward.measure(.pulseRate, 4900, from: .oximeter, at: Double(second))
        }
        ward.tick(at: 61, expecting: ["severe_high active high", "high active medium"])
        #expect(ward.sounds.last == "high 61.0")
        #expect(ward.actions == ["user care_paused", "program care_pause_ended"])
    }

    @Test("an alarm that is active when care begins is held, and heard again when it ends early")
    func careHolds() {
        var ward = racing()
        ward.act(.pauseForCare(address: SensorIdentity.strap.address, nil), at: 1)
        #expect(ward.state.signal.priority == nil)
        #expect(ward.state.alarms.first?.heldUntil == Ward.moment(301))
        #expect(ward.state.alarms.first?.isFlashing == false)
        ward.act(.endCarePause(address: SensorIdentity.strap.address), at: 5, expecting: ["high active medium"])
        #expect(ward.sounds == ["medium 0.0", "medium 5.0"])
    }

    @Test("an alarm of high priority stays shown after its end until it is acknowledged, and makes no sound")
    func latching() throws {
        var ward = racing(14100)
        for second in 1...6 {
            let expected = second == 6 ? ["severe_high ended high", "high ended medium"] : []
            ward.measure(.heartRate, 8000, from: .strap, at: Double(second), expecting: expected)
        }
        let latched = try #require(ward.state.latchedAlarms.first)
        #expect(ward.state.latchedAlarms.count == 1)
        #expect(latched.isLatched && latched.since == Ward.moment(0) && latched.endedAt == Ward.moment(6))
        #expect(latched.peak == VitalValue(whole: 141))
        #expect(ward.state.shownAlarms.map(\.id) == [latched.id])
        #expect(ward.state.signal.priority == nil)
        ward.act(.acknowledge(latched.id), at: 10)
        #expect(ward.state.shownAlarms.isEmpty)
        #expect(ward.actions == ["reset severe_high", "user acknowledged"])
    }

    @Test("unseen episodes of one condition are merged, with the worst value and the first beginning")
    func latchedTwice() throws {
        var ward = Ward(settings: MonitorSettings())
        for (start, peak) in [(0.0, 14500), (20, 14200)] {
            ward.measure(
                .heartRate, peak, from: .strap, at: start, expecting: ["severe_high active high", "high active medium"])
            ward.measure(.heartRate, 8000, from: .strap, at: start + 1)
            ward.tick(at: start + 6, expecting: ["severe_high ended high", "high ended medium"])
        }
        let latched = try #require(ward.state.latchedAlarms.first)
        #expect(ward.state.latchedAlarms.count == 1)
        #expect(latched.episodeCount == 2 && latched.peak == VitalValue(whole: 145))
        #expect(latched.since == Ward.moment(0) && latched.endedAt == Ward.moment(26))
    }

    @Test("what was acknowledged before its end does not latch")
    func acknowledgedDoesNotLatch() {
        var ward = racing(14100)
        ward.act(.acknowledgeAll, at: 1, expecting: ["severe_high acknowledged high", "high acknowledged medium"])
        ward.measure(.heartRate, 8000, from: .strap, at: 2)
        ward.tick(at: 7, expecting: ["severe_high ended high", "high ended medium"])
        #expect(ward.state.latchedAlarms.isEmpty)
    }

    @Test("an unacknowledged fever alerts again every fifteen minutes")
    func alertAgain() {
        var ward = Ward()
        ward.measure(.bodyTemperature, 3900, from: .thermometer, at: 0, expecting: ["fever_single active high"])
        ward.stream(.bodyTemperature, 3900, from: .thermometer, at: stride(from: 50, through: 1000, by: 50))
        #expect(ward.sounds.filter { $0.hasPrefix("again") } == ["again fever_single 900.0"])
        ward.act(.acknowledgeAll, at: 1001, expecting: ["fever_single acknowledged high"])
        ward.stream(.bodyTemperature, 3900, from: .thermometer, at: stride(from: 1050, through: 2000, by: 50))
        #expect(ward.sounds.filter { $0.hasPrefix("again") }.count == 1)
    }

    @Test("a neutrophil count changes what a fever weighs, and loses its say after seven days")
    func neutrophils() {
        var ward = Ward()
        ward.measure(.bodyTemperature, 3900, from: .thermometer, at: 0, expecting: ["fever_single active high"])
        #expect(ward.state.alarms.first?.title == "Fever, neutrophils unknown")
        let day = Int64(86_400_000)
        let drawn = Ward.moment(100).wallMilliseconds - 7 * day
        ward.act(
            .setNeutrophils(NeutrophilCount(perMicrolitre: 500, sampledAt: drawn)), at: 1,
            expecting: ["fever_single active medium"])
        #expect(ward.state.alarms.first?.title == "Fever")
        ward.act(.acknowledgeAll, at: 2, expecting: ["fever_single acknowledged medium"])
        // At a hundred seconds it is seven days old to the millisecond, and a millisecond later it is too old; the wall
        // clock's millisecond is reached between.
        ward.stream(.bodyTemperature, 3900, from: .thermometer, at: [20, 40, 60, 80, 100])
        #expect(ward.state.alarms.first?.priority == .medium)
        #expect(ward.deadline == 100.001)
        ward.tick(at: 100.001, expecting: ["fever_single active high"])
        ward.act(.setNeutrophils(NeutrophilCount(perMicrolitre: 499, sampledAt: drawn + day)), at: 101)
        #expect(ward.state.alarms.first?.title == "Febrile neutropenia risk")
    }

    @Test("a new patient begins without trends, pauses, changed limits and alarms of the one before; sensors stay")
    func newPatient() {
        var ward = racing(14100)
        ward.receive(.battery(.strap, percent: 3), at: 0, expecting: ["battery_low active low"])
        ward.act(.setLimit(.heartRate, .low, AlarmLimit(VitalValue(whole: 60), .medium)), at: 1)
        ward.act(.pauseAudio(nil), at: 1)
        ward.act(.pauseForCare(address: SensorIdentity.strap.address, nil), at: 1)
        ward.act(.newPatient, at: 2, expecting: ["severe_high ended high", "high ended medium"])
        #expect(ward.alarms == ["battery_low active low"])
        #expect(ward.state.latchedAlarms.isEmpty)
        #expect(ward.state.currentLimits == MonitorSettings.Limits())
        #expect(ward.state.signal.pausedUntil == nil)
        #expect(ward.state.carePause(address: SensorIdentity.strap.address) == nil)
        #expect(ward.state[.heartRate].trend.isEmpty)
        #expect(ward.state.sensors.count == 1)
        ward.measure(
            .heartRate, 14100, from: .strap, at: 3, expecting: ["severe_high active high", "high active medium"])
    }

    @Test("there is no answer without an alarm, a sensor or an end")
    func nothing() {
        var ward = Ward()
        for action: PatientWish in [
            .acknowledgeAll, .acknowledge(7), .clear(7), .endAudioPause, .snooze(7, nil),
            .endSnooze(SnoozeKey(kind: .low, vital: .heartRate)), .pauseForCare(address: "none", nil),
            .endCarePause(address: "none"), .resetLimits, .setNeutrophils(nil),
        ] {
            ward.act(action, at: 1)
        }
        #expect(ward.actions.isEmpty)
    }
}
