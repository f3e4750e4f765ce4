import Monitoring

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
            "alarms", "high_gap", \.monitor.alarmSignals.highGap, .duration(.milliseconds(2500)...(.seconds(15))),
            "From the beginning of one burst of sound to the next, for high priority."),
        Setting(
            "alarms", "medium_gap", \.monitor.alarmSignals.mediumGap, .duration(.milliseconds(2500)...(.seconds(30))),
            "From the beginning of one burst of sound to the next, for medium priority."),
        Setting(
            "alarms", "low_gap", \.monitor.alarmSignals.lowGap,
            .duration(.milliseconds(2500)...(.seconds(600))).orOff(),
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
            "alarms.high_gap", \.monitor.alarmSignals.highGap, .atMost,
            "alarms.medium_gap", \.monitor.alarmSignals.mediumGap),
        SettingRule(
            "alarms.snooze", \.monitor.answers.snooze, .atMost,
            "alarms.longest_snooze", \.monitor.answers.longestSnooze),
        SettingRule(
            "alarms.care_pause", \.monitor.answers.carePause, .atMost,
            "alarms.longest_care_pause", \.monitor.answers.longestCarePause),
    ]
}
