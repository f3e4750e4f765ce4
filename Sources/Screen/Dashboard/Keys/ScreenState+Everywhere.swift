import Appearance
import Monitoring
import Vitals
import Wording

// What keys do everywhere: on the main view and on every page.
extension ScreenState {
    mutating func handleEverywhere(_ command: Command, in state: MonitorState) -> Handling {
        switch command {
        case .acknowledge: return .handled(acknowledge(in: state))
        case .pauseAudio: return .handled(toggleAudioPause(in: state))
        case .toggleTemperatureUnit:
            temperatureUnit = temperatureUnit.other
            dialogs.message = "Temperatures are in \(Vital.bodyTemperature.unitText(units, glyphs))."
        case .togglePulseTone: return .handled(togglePulseTone(in: state))
        case .speakValues: return .handled(.speakValues)
        case .toggleHelp: pages.help = LineScroll()
        case .enterNeutrophils: beginEntry(.neutrophils)
        case .newPatient:
            dialogs.ask(
                .choice(Choice("Another patient?", ifYes: .patient(.newPatient))),
                "Closes this record and begins an empty one: no trend, pause, limit, entry or alarm of this patient. Sensors stay."
            )
        default:
            guard let page = Page.opened(by: command) else { return .passed }
            if page != pages.current { page.type.willOpen(&self, in: state) }
            pages.toggle(page)
        }
        return .handled()
    }

    /// Acknowledges all alarms.
    mutating func acknowledge(in state: MonitorState) -> ScreenWish {
        if state.shownAlarms.allSatisfy({ $0.acknowledgedAt != nil }) {
            dialogs.message = "There is no alarm to acknowledge."
        }
        return .patient(.acknowledgeAll)
    }

    /// Pauses the sound of all alarms, or ends that.
    func toggleAudioPause(in state: MonitorState) -> ScreenWish {
        .patient(state.signal.pausedUntil == nil ? .pauseAudio(nil) : .endAudioPause)
    }

    /// Switches the tone of the pulse on or off until the program ends.
    private mutating func togglePulseTone(in state: MonitorState) -> ScreenWish? {
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
