import Appearance
import Monitoring
import Vitals

@testable import Dashboard

// Stories about alarms and the answers to them.
extension Ward {
    /// Writes what effects say into the alarm log, as the program does.
    mutating func record(_ effects: [Effect]) {
        for entry in effects.compactMap(AlarmLogEntry.init) { screen.session.log.add(entry) }
    }

    /// Does what the user asked for.
    mutating func answer(_ action: PatientWish) {
        record(state.apply(action, at: now))
    }

    /// Presses a key, and does what the screen makes of it.
    mutating func obey(_ key: Key) {
        if case .monitor(.patient(let action)) = press(key) { answer(action) }
    }

    /// Sends these values of vitals for some seconds while the others continue; the strap may be off.
    mutating func hold(_ values: [Vital: Int], seconds: Int, strapOff: Bool = false) {
        for _ in 0..<seconds {
            now = now.advanced(by: .seconds(1))
            if strapOff {
                miss(Self.strap, .heartRate, .noContact)
            } else {
                measure(Self.strap, .heartRate, values[.heartRate] ?? 7200)
            }
            measure(Self.oximeter, .oxygenSaturation, values[.oxygenSaturation] ?? 9700)
            measure(Self.oximeter, .pulseRate, 7200)
            measure(Self.core, .bodyTemperature, 3680, site: .core)
            measure(Self.core, .skinTemperature, 3410, site: .skin)
        }
    }

    /// One reading of 38.5: only suspected.
    static func pending() -> Ward {
        var ward = live(seconds: 60)
        ward.stream(seconds: 1, temperature: { _ in 3850 })
        return ward
    }

    static func high() -> Ward {
        var ward = live(seconds: 60)
        ward.hold([.heartRate: 15_200], seconds: 4)
        return ward
    }

    static func medium() -> Ward {
        var ward = live(seconds: 60)
        ward.hold([.oxygenSaturation: 8800], seconds: 18)
        return ward
    }

    static func low() -> Ward {
        var ward = live(seconds: 60)
        ward.apply(.battery(core, percent: 9))
        return ward
    }

    /// More alarms than the screen has lines for.
    static func several() -> Ward {
        var ward = live(seconds: 60)
        ward.apply(.battery(core, percent: 9))
        ward.apply(.battery(strap, percent: 11))
        ward.hold([.oxygenSaturation: 8800], seconds: 18)
        ward.measure(thermometer, .bodyTemperature, 3860, site: .ear)
        ward.hold([.heartRate: 15_200, .oxygenSaturation: 8800], seconds: 4)
        return ward
    }

    static func acknowledged() -> Ward {
        var ward = several()
        ward.answer(.acknowledgeAll)
        return ward
    }

    /// The strap comes off while the heart rate is too high.
    static func suspended() -> Ward {
        var ward = high()
        ward.hold([:], seconds: 8, strapOff: true)
        return ward
    }

    /// The heart rate was too high, unanswered.
    static func latched() -> Ward {
        var ward = high()
        ward.hold([.heartRate: 7200], seconds: 12)
        return ward
    }

    /// The heart rate is back, but not for long enough.
    static func clearing() -> Ward {
        var ward = high()
        ward.hold([.heartRate: 7200], seconds: 3)
        return ward
    }

    /// Warm for half an hour of the hour that makes it a fever, beside a neutrophil count that is too old to count.
    static func feverProgress() -> Ward {
        var ward = live(seconds: 60)
        ward.answer(.setNeutrophils(NeutrophilCount(perMicrolitre: 450, sampledAt: 1_771_600_000_000)))
        ward.stream(seconds: 2040, temperature: { _ in 3800 })
        return ward
    }

    /// A fever beside a neutrophil count that is too old to count.
    static func countExpired() -> Ward {
        var ward = fever()
        ward.answer(.setNeutrophils(NeutrophilCount(perMicrolitre: 450, sampledAt: 1_771_600_000_000)))
        return ward
    }

    static func storageFull() -> Ward {
        var ward = live(seconds: 60)
        ward.record(ward.state.apply(.full, at: ward.now))
        return ward
    }

    /// Somebody has set the computer's clock an hour back.
    static func clockJump() -> Ward {
        var ward = live(seconds: 60)
        var before = ward.now
        before.wallMilliseconds += 3_600_000
        ward.apply(.gap(Gap(from: before, to: ward.now, reason: .clockSet)))
        return ward
    }

    static func audioPaused() -> Ward {
        var ward = high()
        ward.obey(.character("p"))
        ward.hold([.heartRate: 15_200], seconds: 13)
        return ward
    }

    static func carePaused() -> Ward {
        var ward = high()
        ward.screen.list.selection = strap.address
        // First the page where the selected sensor is seen.
        ward.obey(.character("c"))
        ward.obey(.character("c"))
        ward.obey(.escape)
        ward.hold([.heartRate: 15_200], seconds: 3)
        return ward
    }

    static func snoozed() -> Ward {
        var ward = medium()
        ward.obey(.character("A"))
        ward.obey(.character("S"))
        ward.obey(.escape)
        ward.hold([.oxygenSaturation: 8800], seconds: 3)
        return ward
    }

    static func alarmsPage() -> Ward {
        var ward = several()
        ward.obey(.character("A"))
        ward.obey(.down)
        ward.obey(.character("S"))
        ward.obey(.character("c"))
        return ward
    }

    /// Fever rises, is acknowledged, suspended, resumes; the strap comes off; limits are changed.
    static func logPage() -> Ward {
        var ward = fever()
        ward.answer(.acknowledgeAll)
        ward.stream(seconds: 10, temperature: { _ in 3880 }, strapOff: true)
        ward.miss(core, .bodyTemperature, .notANumber)
        ward.stream(seconds: 20, temperature: { _ in 3890 })
        ward.answer(.setLimit(.heartRate, .high, AlarmLimit(VitalValue(whole: 130), .medium, delay: .seconds(10))))
        ward.answer(.pauseAudio(nil))
        ward.answer(.endAudioPause)
        ward.obey(.character("L"))
        return ward
    }

    static func limitsPage() -> Ward {
        var ward = live(seconds: 60)
        ward.answer(.setLimit(.heartRate, .high, AlarmLimit(VitalValue(whole: 130), .medium, delay: .seconds(10))))
        ward.answer(.setLimit(.oxygenSaturation, .low, AlarmLimit(nil, .medium)))
        ward.answer(.setNeutrophils(NeutrophilCount(perMicrolitre: 450, sampledAt: 1_772_200_200_000)))
        ward.obey(.character("l"))
        ward.obey(.right)
        return ward
    }

    /// A limit that contradicts another is refused with the reason.
    static func limitRefused() -> Ward {
        var ward = limitsPage()
        ward.obey(.enter)
        ward.obey(.eraseLine)
        ward.type("45")
        ward.obey(.enter)
        return ward
    }

    static func neutrophils() -> Ward {
        var ward = live(seconds: 60)
        ward.type("N450")
        ward.obey(.enter)
        return ward
    }

    static func newPatient() -> Ward {
        var ward = live(seconds: 60)
        ward.type("P")
        return ward
    }

    /// Limits off, a limit changed, the sound off, limits of the night.
    static func silenced() -> Ward {
        var settings = MonitorSettings()
        settings.alarmSignals.isSoundOff = true
        var night = MonitorSettings.Limits()
        night.heartRate = night.heartRate.off
        settings.schedule = [ScheduleEntry(name: "night", start: 0, end: 0, limits: night)]
        var ward = live(seconds: 60, settings: settings)
        ward.answer(.setLimit(.oxygenSaturation, .low, AlarmLimit(VitalValue(whole: 88), .medium)))
        ward.answer(.setNeutrophils(NeutrophilCount(perMicrolitre: 450, sampledAt: 1_772_200_200_000)))
        return ward
    }

    /// The page of limits while an entry of the schedule is in force.
    static func scheduled() -> Ward {
        var settings = MonitorSettings()
        var limits = settings.limits
        limits.heartRate.high.value = VitalValue(whole: 140)
        limits.oxygenSaturation.low.value = nil
        settings.schedule = [
            ScheduleEntry(name: "night", start: 22 * 60, end: 7 * 60, limits: settings.limits, volume: 40),
            ScheduleEntry(
                name: "exercise", start: 8 * 60, end: 20 * 60 + 30, limits: limits),
        ]
        settings.schedule.append(settings.schedule[0])
        settings.schedule[2].days = Weekdays([.saturday, .sunday])
        (settings.schedule[2].name, settings.schedule[2].start, settings.schedule[2].end) = ("visit", 7 * 60, 8 * 60)
        var ward = live(seconds: 60, settings: settings)
        ward.obey(.character("l"))
        ward.obey(.right)
        return ward
    }

    static let alarmStories: [(name: String, ward: Ward)] = [
        ("alarm-pending", pending()), ("alarm-high", high()), ("alarm-medium", medium()), ("alarm-low", low()),
        ("alarm-several", several()), ("alarm-acknowledged", acknowledged()), ("alarm-suspended", suspended()),
        ("alarm-latched", latched()), ("alarm-clearing", clearing()), ("fever-progress", feverProgress()),
        ("count-expired", countExpired()), ("storage-full", storageFull()), ("clock-jump", clockJump()),
        ("audio-paused", audioPaused()), ("care-paused", carePaused()),
        ("snoozed", snoozed()), ("alarms-page", alarmsPage()), ("log-page", logPage()),
        ("limits-page", limitsPage()), ("limit-refused", limitRefused()), ("scheduled", scheduled()),
        ("neutrophils", neutrophils()),
        ("new-patient", newPatient()), ("silenced", silenced()),
    ]
}
