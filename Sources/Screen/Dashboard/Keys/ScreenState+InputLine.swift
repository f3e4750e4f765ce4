import Appearance
import Entries
import Monitoring
import Vitals
import Wording

extension ScreenState {
    /// Handles a key while an input or question is open.
    mutating func keyPressedInLine(_ key: Key, in state: MonitorState, at now: Moment) -> ScreenWish? {
        switch dialogs.inputLine {
        case .filter(var prompt):
            switch prompt.keyPressed(key) {
            case .accepted: dialogs.closeInputLine()
            case .cancelled:
                dialogs.closeInputLine()
                list.setFilter("")
            case .edited, .ignored:
                dialogs.update(.filter(prompt))
                list.setFilter(prompt.text)
            }
            list.arrange(state, at: now)
        case .rename(let address, var prompt):
            switch prompt.keyPressed(key) {
            case .accepted:
                dialogs.closeInputLine()
                return .sensor(.rename(address: address, label: prompt.text))
            case .cancelled: dialogs.closeInputLine()
            case .edited, .ignored: dialogs.update(.rename(address: address, prompt))
            }
        case .logFilter(var prompt):
            switch prompt.keyPressed(key) {
            case .accepted: dialogs.closeInputLine()
            case .cancelled:
                dialogs.closeInputLine()
                pages[AlarmLogPage.self].setText("")
            case .edited, .ignored:
                dialogs.update(.logFilter(prompt))
                if pages[AlarmLogPage.self].filter.text != prompt.text {
                    pages[AlarmLogPage.self].setText(prompt.text)
                }
            }
        case .settingsFilter(var prompt):
            switch prompt.keyPressed(key) {
            case .accepted: dialogs.closeInputLine()
            case .cancelled:
                dialogs.closeInputLine()
                settings.filter = ""
            case .edited, .ignored:
                dialogs.update(.settingsFilter(prompt))
                settings.filter = prompt.text
            }
        case .setting(let name, let prompt): return keyPressed(key, inSetting: name, prompt)
        case .limit(let place, let prompt): return keyPressed(key, in: prompt, for: place, state)
        case .entry(let draft): return keyPressed(key, in: draft, at: now)
        case .reason(let draft): return keyPressed(key, in: draft)
        case .form(let draft): return keyPressed(key, in: draft, at: now)
        case .octets(let address, let number, let withResponse, let prompt):
            return keyPressed(key, in: prompt, writingTo: number, of: address, withResponse)
        case .choice(let choice):
            if key == .escape {
                dialogs.closeInputLine()
            } else if let answer = choice.answer(to: key) {
                dialogs.closeInputLine()
                if case .monitor(.sensor(.pair(let address)))? = answer.wish { dialogs.reopenPairing(of: address) }
                if answer.next == .octets { askForOctets(answer.key, in: state) }
                return answer.wish
            }
        case nil: break
        }
        return nil
    }

    /// Accepts only a consistent value; until then the line stays, with the error above it.
    private mutating func keyPressed(
        _ key: Key, in prompt: TextPrompt, for place: LimitPlace, _ state: MonitorState
    ) -> ScreenWish? {
        var prompt = prompt
        switch prompt.keyPressed(key) {
        case .accepted: break
        case .cancelled:
            dialogs.closeInputLine()
            return nil
        case .edited, .ignored:
            dialogs.update(.limit(place, prompt))
            return nil
        }
        guard let present = state.currentLimits[place.vital]?[place.name] else { return nil }
        do throws(LimitEntry.EntryError) {
            let setting = try LimitEntry.setting(prompt.text, of: place.vital, present: present, unit: units)
            if let conflict = state.conflict(of: setting, for: place.vital) {
                let isConverted = place.vital.isTemperature && temperatureUnit == .fahrenheit
                let isMolar = place.vital == .glucose && units.glucose == .millimolesPerLitre
                let hint = isConverted ? " (in °C)" : isMolar ? " (in mg/dL)" : ""
                dialogs.explain("Not changed: \(conflict)\(hint).")
                return nil
            }
            dialogs.closeInputLine()
            return .patient(.change(place.vital, setting))
        } catch {
            dialogs.explain(error.description)
            return nil
        }
    }
}
