import Monitoring
import Speech

// Speech.
extension MonitorEngine {
    /// Speaks the present values.
    ///
    /// - Returns: The spoken text, or why nothing is spoken, as a sentence for the user.
    package func speakValues() -> String {
        if feed.view != nil { return "The monitor that this is a view of speaks, where it runs." }
        guard let speech = dispatcher.sounds.speech else {
            return "Speech is off; the setting alarms.speech switches it on where alarms sound."
        }
        // Values may have become too old meanwhile.
        timePassed()
        return speech.answer(composer(speech.language).values(of: state))
    }

    /// Speaks or silences alarms.
    func speakAlarms(after effects: [Effect]) {
        guard let language = dispatcher.sounds.speech?.language else { return }
        let composer = composer(language)
        readState { dispatcher.sounds.speech?.follow(effects, in: $0, composer) }
    }

    /// Speaks the worst alarm once more.
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
            context: context)
    }
}
