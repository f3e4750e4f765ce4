import Appearance
import Monitoring

// The keys on the page of settings.
extension ScreenState {
    mutating func performOnSettings(_ command: Command, in state: MonitorState) -> Intent? {
        switch command {
        case .selectPrevious, .selectNext, .selectPageUp, .selectPageDown, .selectFirst, .selectLast:
            if !settings.move(by: Self.step(command, page: 10, count: settings.items.count)) {
                dialogs.message = idleText(of: command)
            }
        case .filterSettings:
            dialogs.ask(.settingsFilter(TextPrompt("Filter", text: settings.filter, limit: 40)))
        case .keepSettings:
            if settings.unkeptCount > 0 { return .keepSettings }
            dialogs.message = "Nothing was changed that is not kept."
        case .changeSetting, .settingDown, .settingUp, .resetSetting:
            return settings.selected.flatMap { change($0, command) }
        case .pauseForCare: break
        default: return perform(command, in: state)
        }
        return nil
    }

    /// Switches the tone of the pulse on or off until the program ends.
    mutating func togglePulseTone(in state: MonitorState) -> Intent? {
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

    private mutating func change(_ item: SettingItem, _ command: Command) -> Intent? {
        // The selection stays when other settings change.
        settings.select(item.name)
        switch command {
        case .resetSetting: return .changeSetting(item.name, .usual)
        case .changeSetting where item.isChoice && item.hasSteps: return .changeSetting(item.name, .step(1))
        case .changeSetting:
            dialogs.ask(
                .setting(item.name, TextPrompt(item.title, text: item.value, limit: 1024)),
                "Allowed: \(item.expectation).")
        case .settingDown where item.hasSteps: return .changeSetting(item.name, .step(-1))
        case .settingUp where item.hasSteps: return .changeSetting(item.name, .step(1))
        default: dialogs.message = "This is typed: press \(keys.name(of: .changeSetting))."
        }
        return nil
    }

    /// The line stays until the program has accepted or refused the value.
    mutating func keyPressed(_ key: Key, inSetting name: String, _ prompt: TextPrompt) -> Intent? {
        var prompt = prompt
        switch prompt.keyPressed(key) {
        case .accepted: return .changeSetting(name, .text(prompt.text))
        case .cancelled: dialogs.closeInputLine()
        case .edited, .ignored: dialogs.update(.setting(name, prompt))
        }
        return nil
    }
}
