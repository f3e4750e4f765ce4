import Monitoring
import Speech

// What is spoken.
extension MonitorEngine {
    /// Has the present values spoken.
    ///
    /// - Returns: What is spoken, or why nothing is, as a sentence for the user.
    package func speakValues() -> String {
        if feed.view != nil { return "The monitor that this is a view of speaks, where it runs." }
        guard let speech = dispatcher.sounds.speech else {
            return "Speech is off; the setting alarms.speech switches it on where alarms sound."
        }
        // What has become old meanwhile is not live any more.
        timePassed()
        return speech.answer(composer(speech.language).values(of: state))
    }

    /// Has alarms spoken, or silenced.
    func speakAlarms(after effects: [Effect]) {
        guard let language = dispatcher.sounds.speech?.language else { return }
        let composer = composer(language)
        readState { dispatcher.sounds.speech?.follow(effects, in: $0, composer) }
    }

    /// Has the worst alarm spoken once more.
    func repeatSpokenAlarm() {
        guard let language = dispatcher.sounds.speech?.language else { return }
        let composer = composer(language)
        readState { dispatcher.sounds.speech?.repeatAlarm(in: $0, composer) }
    }

    private func composer(_ language: SpeechLanguage) -> SpeechComposer {
        let screen = settings.screen
        return SpeechComposer(
            language: language,
            units: ValueText(
                isFahrenheit: screen.units == .fahrenheit, isMolarGlucose: screen.glucoseUnit == .millimolesPerLitre),
            patient: settings.patient.name, isSimulated: isSimulated, timeZoneOffset: timeZoneOffset)
    }
}
