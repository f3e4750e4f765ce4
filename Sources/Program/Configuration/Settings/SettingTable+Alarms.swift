import Monitoring
import Vitals

extension SettingTable {
    static let alarms: [Setting] = [
        Setting(
            "alarms", "sound", .yesOrNo(),
            "Whether alarms sound at all; while they do not, the screen says so. No key switches the sound off permanently.",
            get: { !$0.monitor.alarmSignals.isSoundOff }, set: { $0.monitor.alarmSignals.isSoundOff = !$1 }),
        Setting(
            "alarms", "speakers", \.alarms.usesSpeakers, .yesOrNo(),
            """
            Whether the screen, and watch and record with --sound, sound through ALSA's default output; the terminal's \
            bell rings where that does not work.
            """),
        Setting(
            "alarms", "volume", \.alarms.volume, .number("a percentage", 10...100, step: 10),
            "How loud that is. Alarms of high priority are at least as loud as at 50."),
        Setting(
            "alarms", "pulse_tone", \.alarms.hasPulseTone, .yesOrNo(),
            "Whether a tone sounds for each measured pulse value or beat, whose pitch tells the oxygen saturation."),
        Setting(
            "alarms", "speech", \.alarms.speech, .word(Settings.Alarms.Speech.self),
            """
            Whether alarms are spoken through speech-dispatcher where they sound, and a key has values spoken: in the \
            language of the locale, English or German.
            """),
        Setting(
            "alarms", "audio_pause", \.monitor.alarmSignals.audioPause,
            .duration(MonitorSettings.AlarmSignals.audioPauses), "For how long a key pauses the sound."),
        Setting(
            "alarms", "high_gap", \.monitor.alarmSignals.pattern.highGap, .duration(SoundPattern.gaps(.high)),
            "From the beginning of one burst of sound to the next, for high priority."),
        Setting(
            "alarms", "medium_gap", \.monitor.alarmSignals.pattern.mediumGap, .duration(SoundPattern.gaps(.medium)),
            "From the beginning of one burst of sound to the next, for medium priority."),
        Setting(
            "alarms", "low_gap", \.monitor.alarmSignals.pattern.lowGap,
            .duration(SoundPattern.gaps(.low)).orOff(),
            "From the beginning of one burst of sound to the next, for low priority; off for one burst only."),
        Setting(
            "alarms", "reminder", \.monitor.alarmSignals.reminder, .duration(.seconds(30)...(.seconds(600))).orOff(),
            "How often a tone reminds of alarms whose sound is paused or off."),
        Setting(
            "alarms", "snooze", \.monitor.answers.snooze, .duration(.seconds(60)...(.seconds(3600))),
            "For how long a key snoozes a kind of alarm."),
        Setting(
            "alarms", "longest_snooze", \.monitor.answers.longestSnooze, .duration(.seconds(60)...(.seconds(14_400))),
            "The longest time that a kind of alarm can be snoozed."),
        Setting(
            "alarms", "care_pause", \.monitor.answers.carePause, .duration(.seconds(60)...(.seconds(3600))),
            "For how long a key holds a sensor's alarms for care."),
        Setting(
            "alarms", "longest_care_pause", \.monitor.answers.longestCarePause,
            .duration(.seconds(60)...(.seconds(14_400))),
            "The longest time that a sensor's alarms can be held for care."),
        Setting(
            "alarms", "latching", \.monitor.answers.latchesHighPriority, .yesOrNo(),
            """
            Whether an alarm of high priority about the patient stays on the screen after its end until somebody \
            acknowledges it.
            """),
        Setting(
            "alarms", "notifications", \.alarms.showsNotifications, .yesOrNo(),
            "Whether the desktop shows alarms, where there is one."),
        Setting(
            "alarms", "hook", \.alarms.hook, .text("a command for the shell, or \"\" for none", limit: 1024),
            "A command that is run for each change of an alarm, with the change as JSON on its standard input."),
    ]

    static let alarmRules: [SettingRule] = [
        SettingRule(
            "alarms.high_gap", \.monitor.alarmSignals.pattern.highGap, .atMost,
            "alarms.medium_gap", \.monitor.alarmSignals.pattern.mediumGap),
        SettingRule(
            "alarms.snooze", \.monitor.answers.snooze, .atMost,
            "alarms.longest_snooze", \.monitor.answers.longestSnooze),
        SettingRule(
            "alarms.care_pause", \.monitor.answers.carePause, .atMost,
            "alarms.longest_care_pause", \.monitor.answers.longestCarePause),
    ]
}

extension SettingTable {
    static let fever: [Setting] = [
        Setting(
            "fever", "rule", \.monitor.fever.rule, .word(FeverRuleName.self),
            """
            The rule in use: bedside, a confirmed reading or an hour with enough samples; or neutrofeverguard, \
            the rule of the app of that name, with its faults.
            """),
        Setting(
            "fever", "threshold", \.monitor.fever.threshold, .temperature(3500...4200),
            "A confirmed reading of this temperature or more is fever."),
        Setting(
            "fever", "confirmation", \.monitor.fever.confirmation, .word(FeverConfirmation.self),
            "What confirms a reading of a sensor that streams; a spot measurement counts alone."),
        Setting(
            "fever", "confirmation_count", \.monitor.fever.confirmationCount, .number("a whole number", 1...60),
            "How many readings in a row must reach the threshold when the sensor streams."),
        Setting(
            "fever", "confirmation_gap", \.monitor.fever.confirmationGap, .duration(.seconds(1)...(.seconds(3600))),
            "Readings further apart than this are not in a row."),
        Setting(
            "fever", "spot_interval", \.monitor.fever.spotInterval, .duration(.seconds(1)...(.seconds(3600))),
            "A thermometer whose values come within this time of each other streams."),
        Setting(
            "fever", "sustained_threshold", \.monitor.fever.sustainedThreshold, .temperature(3500...4200),
            "This temperature or more is fever when it lasts."),
        Setting(
            "fever", "sustained_time", \.monitor.fever.sustainedDuration, .duration(.seconds(600)...(.seconds(14_400))),
            "For how long it must last."),
        Setting(
            "fever", "largest_gap", \.monitor.fever.largestGap, .duration(.seconds(1)...(.seconds(3600))),
            "The longest time between two samples that still belong together."),
        Setting(
            "fever", "coverage", \.monitor.fever.coverage, .number("a percentage", 1...100),
            "How many of a hundred minutes must have samples; with fewer nothing can be evaluated, and the screen says so."
        ),
        Setting(
            "fever", "warm_share", \.monitor.fever.warmShare, .number("a percentage", 1...100),
            "How many of a hundred minutes with samples must have a median of sustained_threshold or more."),
        Setting(
            "fever", "clear_below", \.monitor.fever.clearBelow, .temperature(3400...4200),
            "Only temperatures below this let an episode end."),
        Setting(
            "fever", "clear_time", \.monitor.fever.clearDuration, .duration(.seconds(60)...(.seconds(14_400))),
            "For how long every temperature must be below clear_below until the episode ends."),
        Setting(
            "fever", "alert_again_after", \.monitor.fever.alertAgainAfter, .duration(.seconds(60)...(.seconds(14_400))),
            "After how long an unacknowledged fever alerts again."),
    ]

    static let feverRules: [SettingRule] = [
        SettingRule(
            "fever.sustained_threshold", \.monitor.fever.sustainedThreshold, .atMost,
            "fever.threshold", \.monitor.fever.threshold),
        SettingRule(
            "fever.clear_below", \.monitor.fever.clearBelow, .atMost,
            "fever.sustained_threshold", \.monitor.fever.sustainedThreshold),
        SettingRule(
            "fever.largest_gap", \.monitor.fever.largestGap, .below,
            "fever.sustained_time", \.monitor.fever.sustainedDuration),
    ]
}

extension SettingTable {
    /// The name of the section of a vital's limits.
    static func limitSection(of vital: Vital) -> String { "limits.\(vital.rawValue)" }

    static let limitSections: [(name: String, explanation: String)] = MonitorSettings.Limits.vitals.map { vital in
        (
            limitSection(of: vital),
            "Limits of the \(text(of: vital)); they must be in the order severe_low, low, high, severe_high."
        )
    }

    static let limits: [Setting] = MonitorSettings.Limits.vitals.flatMap { vital in
        LimitKind.allCases.flatMap { settings(of: $0, vital) } + changes(of: vital) + others(of: vital)
    }

    static let limitRules: [SettingRule] = MonitorSettings.Limits.vitals.flatMap { vital in
        rules(limitSection(of: vital), vital) { $0.monitor.limits }
    }

    private static func settings(of kind: LimitKind, _ vital: Vital) -> [Setting] {
        let (section, key) = (limitSection(of: vital), kind.rawValue)
        return [
            Setting(
                section, key, value(of: vital).orOff(),
                "An alarm is raised \(kind.isLow ? "below" : "above") this\(kind.isSevere ? ", which is dangerous" : "").",
                get: { $0.monitor.limits[vital]?[kind].value ?? nil },
                set: { $0.monitor.limits[vital]?[kind].value = $1 }),
            Setting(
                section, "\(key)_priority", .word(AlarmPriority.self), "The priority of that alarm.",
                get: { $0.monitor.limits[vital]?[kind].priority ?? .medium },
                set: { $0.monitor.limits[vital]?[kind].priority = $1 }),
            Setting(
                section, "\(key)_delay", .duration(.zero...AlarmLimit.longestDelay),
                "How long the limit must be crossed without a break before that is an alarm.",
                get: { $0.monitor.limits[vital]?[kind].delay ?? .zero },
                set: { $0.monitor.limits[vital]?[kind].delay = $1 }),
        ]
    }

    private static func changes(of vital: Vital) -> [Setting] {
        [("fall", \VitalLimits.fall), ("rise", \VitalLimits.rise)].flatMap { key, path -> [Setting] in
            let section = limitSection(of: vital)
            // A key path is immutable, although its type is not Sendable here.
            nonisolated(unsafe) let path: WritableKeyPath<VitalLimits, ChangeLimit> = path
            return [
                Setting(
                    section, key, change(of: vital).orOff(),
                    "A \(key) by this much within \(key)_within is an alarm.",
                    get: { $0.monitor.limits[vital]?[keyPath: path].amount ?? nil },
                    set: { $0.monitor.limits[vital]?[keyPath: path].amount = $1 }),
                Setting(
                    section, "\(key)_within", .duration(ChangeLimit.windows), "The time within which a \(key) counts.",
                    get: { $0.monitor.limits[vital]?[keyPath: path].within ?? .seconds(60) },
                    set: { $0.monitor.limits[vital]?[keyPath: path].within = $1 }),
                Setting(
                    section, "\(key)_priority", .word(AlarmPriority.self), "The priority of that alarm.",
                    get: { $0.monitor.limits[vital]?[keyPath: path].priority ?? .medium },
                    set: { $0.monitor.limits[vital]?[keyPath: path].priority = $1 }),
            ]
        }
    }

    private static func others(of vital: Vital) -> [Setting] {
        let section = limitSection(of: vital)
        return [
            Setting(
                section, "hysteresis", hysteresis(of: vital),
                "How far a value must be back within a limit before its alarm begins to end.",
                get: { $0.monitor.limits[vital]?.hysteresis ?? VitalValue(hundredths: 0) },
                set: { $0.monitor.limits[vital]?.hysteresis = $1 }),
            Setting(
                section, "minimum_hold", .duration(.zero...(.seconds(600))),
                "For how long a value must stay back before the alarm ends.",
                get: { $0.monitor.limits[vital]?.minimumHold ?? .zero },
                set: { $0.monitor.limits[vital]?.minimumHold = $1 }),
            Setting(
                section, "flat_line", .duration(.seconds(10)...(.seconds(86_400))).orOff(),
                "For how long the value may be exactly the same before the sensor's place is doubted.",
                get: { $0.monitor.limits[vital]?.flatLine ?? nil },
                set: { $0.monitor.limits[vital]?.flatLine = $1 }),
        ] + (vital == .glucose ? [estimates] : [])
    }

    private static let estimates = Setting(
        limitSection(of: .glucose), "raw_estimates", .yesOrNo(),
        "Whether estimates from raw counts, calibrated or not, raise alarms.",
        get: { $0.monitor.limits.judgesGlucoseEstimates }, set: { $0.monitor.limits.judgesGlucoseEstimates = $1 })

    /// The required order of the limits of a vital: severe low ≤ low < high ≤ severe high, for those that are on.
    static func rules(
        _ section: String, _ vital: Vital, _ limits: @escaping @Sendable (Settings) -> MonitorSettings.Limits
    ) -> [SettingRule] {
        let kinds = LimitKind.allCases
        let form = value(of: vital)
        return kinds.indices.flatMap { first in
            kinds[(first + 1)...].map { upper in
                let lower = kinds[first]
                return SettingRule(
                    "\(section).\(lower.rawValue)", lower.isLow == upper.isLow ? .atMost : .below,
                    "\(section).\(upper.rawValue)", text: { form.write($0).literal }
                ) { settings in
                    let limits = limits(settings)[vital]
                    return (limits?[lower].value ?? nil, limits?[upper].value ?? nil)
                }
            }
        }
    }

    /// The codec of a limit of a vital.
    static func value(of vital: Vital) -> SettingCodec<VitalValue> {
        let range = vital.traits.limits?.range ?? VitalValue(whole: 0)...VitalValue(whole: 1000)
        return vital.isTemperature
            ? .temperature(range.lowerBound.hundredths...range.upperBound.hundredths)
            : .whole(vital.traits.unit.noun, range.lowerBound.hundredths / 100...range.upperBound.hundredths / 100)
    }

    private static func change(of vital: Vital) -> SettingCodec<VitalValue> {
        vital.isTemperature
            ? .difference("a difference in °C", 10...1000) : .whole(vital.traits.unit.noun, 1...200)
    }

    private static func hysteresis(of vital: Vital) -> SettingCodec<VitalValue> {
        vital.isTemperature
            ? .difference("a difference in °C", 0...200) : .whole(vital.traits.unit.noun, 0...50)
    }

    static func text(of vital: Vital) -> String {
        "\(vital.traits.settingText ?? vital.text), in \(vital.traits.unit.phrase)"
    }
}

extension LimitKind {
    fileprivate var isSevere: Bool { self == .severeLow || self == .severeHigh }
}

extension SettingTable {
    static let technical: [Setting] = [
        Setting(
            "technical", "sensor_off_delay", \.monitor.technical.sensorOffDelay,
            .duration(.milliseconds(1)...(.seconds(600))),
            "How long a sensor is off the body before that is an alarm; the banner does not wait."),
        Setting(
            "technical", "link_lost_delay", \.monitor.technical.linkLostDelay,
            .duration(.milliseconds(1)...(.seconds(600))),
            "How long a link is lost before that is an alarm; sensors that reconnect in seconds raise none."),
        Setting(
            "technical", "battery_low", \.monitor.technical.batteryLow, .number("a percentage", 0...100),
            "The battery is low at this level and below, in percent."),
        Setting(
            "technical", "battery_recovered", \.monitor.technical.batteryRecovered,
            .number("a percentage", 0...100), "The battery is no longer low from this level on, in percent."),
        Setting(
            "technical", "equipment_delay", \.monitor.technical.equipmentDelay,
            .duration(.zero...(.seconds(600))), "How long a sensor reports a fault before that is an alarm."),
        Setting(
            "technical", "no_measurement_delay", \.monitor.technical.noMeasurementDelay,
            .duration(.zero...(.seconds(600))),
            "How long a sensor has no measurement for another reason, such as searching, before that is an alarm."),
        Setting(
            "technical", "weak_signal", \.monitor.technical.weakSignal,
            .number("a signal strength in dBm", -127...0).orOff(),
            """
            At this signal strength and below a link is in danger. BlueZ reports none of a connected sensor, so only \
            one that is wanted and not connected is evaluated.
            """),
        Setting(
            "technical", "signal_recovered", \.monitor.technical.signalRecovered,
            .number("a signal strength in dBm", -127...0), "From this signal strength on it is no longer weak."),
        Setting(
            "technical", "weak_signal_delay", \.monitor.technical.weakSignalDelay, .duration(.zero...(.seconds(600))),
            "How long the signal must be weak before that is an alarm."),
        Setting(
            "technical", "weak_pulse_delay", \.monitor.technical.weakPulseDelay,
            .duration(.seconds(10)...(.seconds(600))).orOff(),
            """
            How long an oximeter's perfusion index is below 0.3 % before that is an alarm, such as "60s"; the words WEAK \
            PULSE beside the saturation come after 10 s whatever this says.
            """),
        Setting(
            "technical", "malformed_count", \.monitor.technical.malformedCount, .number("a whole number", 1...16),
            "How many malformed values within malformed_window raise an alarm."),
        Setting(
            "technical", "malformed_window", \.monitor.technical.malformedWindow,
            .duration(.seconds(1)...(.seconds(3600))), "The time within which they are counted."),
        Setting(
            "technical", "system_delay", \.monitor.technical.systemDelay, .duration(.zero...(.seconds(600))),
            "How long Bluetooth cannot be used before that is an alarm."),
        Setting(
            "technical", "notice_time", \.monitor.technical.noticeDuration,
            .duration(.seconds(10)...(.seconds(86_400))),
            "For how long it is shown that the clock jumped or the computer slept."),
    ]

    static let technicalRules: [SettingRule] = [
        SettingRule(
            "technical.battery_low", \.monitor.technical.batteryLow, .below,
            "technical.battery_recovered", \.monitor.technical.batteryRecovered),
        SettingRule("technical.weak_signal", .below, "technical.signal_recovered", text: { "\($0)" }) { settings in
            (settings.monitor.technical.weakSignal, settings.monitor.technical.signalRecovered)
        },
    ]
}
