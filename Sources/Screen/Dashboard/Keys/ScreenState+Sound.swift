import Appearance
import Monitoring

// What the keys about sound do.
extension ScreenState {
    /// Pauses the sound of all alarms, or ends that.
    func toggleAudioPause(in state: MonitorState) -> ScreenWish {
        .patient(state.signal.pausedUntil == nil ? .pauseAudio(nil) : .endAudioPause)
    }

    /// Asks how long to be silent while a ward screen sounds, or ends that.
    mutating func planSilence(in state: MonitorState) -> ScreenWish? {
        if state.needsListener { return .patient(.endSilence) }
        if state.signal.isOff {
            dialogs.message = "The sound is off in the settings: this bed is silent already."
            return nil
        }
        switch state.environment.wardLink {
        case .connected: break
        case .lost: dialogs.message = "The ward is not reached, so no other screen can sound: this one does."
        case nil: dialogs.message = "Only a ward screen can sound instead, and this bed is in no ward (ward.broker)."
        }
        guard state.environment.wardLink == .connected else { return nil }
        let answers = [1, 2, 4, 8].map { hours in
            Choice.Answer(
                Unicode.Scalar(UInt8(ascii: "0") + UInt8(hours)), "\(hours) h",
                .patient(.planSilence(.seconds(hours * 3600))))
        }
        dialogs.ask(
            .choice(Choice("Be silent for how long?", answers)),
            "Only a ward screen sounds then. The sound comes back at that time, and at once when that screen is lost or mute."
        )
        return nil
    }

    /// Switches the tone of the pulse on or off until the program ends.
    mutating func togglePulseTone(in state: MonitorState) -> ScreenWish? {
        let name = "alarms.pulse_tone"
        let isOn = settings.items.first { $0.name == name }?.value == "true"
        if isOn {
            dialogs.message = "No tone sounds for pulse values."
        } else if soundMeans(state) == .speakers {
            dialogs.message = "A tone sounds for each pulse value while saturation is measured, too."
        } else {
            dialogs.message = "A tone would sound for each pulse value, but there is no loudspeaker here."
        }
        return .changeSetting(name, .step(1))
    }
}
