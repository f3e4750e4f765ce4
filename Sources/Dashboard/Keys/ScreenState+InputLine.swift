import Monitoring
import Vitals

extension ScreenState {
    /// Handles a key while something is typed or asked.
    mutating func keyPressedInLine(_ key: Key, in state: MonitorState, at now: Moment) -> Intent? {
        switch inputLine {
        case .filter(var prompt):
            switch prompt.keyPressed(key) {
            case .accepted: inputLine = nil
            case .cancelled:
                inputLine = nil
                clearFilter()
            case .edited, .ignored:
                inputLine = .filter(prompt)
                guard filter != prompt.text else { break }
                filter = prompt.text
                list.mustSort()
            }
            arrange(state, at: now)
        case .rename(let address, var prompt):
            switch prompt.keyPressed(key) {
            case .accepted:
                inputLine = nil
                return .command(.rename(address: address, label: prompt.text))
            case .cancelled: inputLine = nil
            case .edited, .ignored: inputLine = .rename(address: address, prompt)
            }
        case .logFilter(var prompt):
            switch prompt.keyPressed(key) {
            case .accepted: inputLine = nil
            case .cancelled:
                inputLine = nil
                logView.setText("")
            case .edited, .ignored:
                inputLine = .logFilter(prompt)
                if logView.filter.text != prompt.text { logView.setText(prompt.text) }
            }
        case .settingsFilter(var prompt):
            switch prompt.keyPressed(key) {
            case .accepted: inputLine = nil
            case .cancelled:
                inputLine = nil
                settings.filter = ""
            case .edited, .ignored:
                inputLine = .settingsFilter(prompt)
                settings.filter = prompt.text
            }
        case .setting(let name, let prompt): return keyPressed(key, inSetting: name, prompt)
        case .limit(let place, let prompt): return keyPressed(key, in: prompt, for: place, state)
        case .entry(let draft): return keyPressed(key, in: draft, at: now)
        case .choice(let choice):
            if key == .escape {
                inputLine = nil
            } else if let answer = choice.answer(to: key) {
                inputLine = nil
                return answer.intent
            }
        case nil: break
        }
        if inputLine == nil { explanation = nil }
        return nil
    }

    /// Only what contradicts nothing is taken over; the line stays until then, and what is wrong stands above it.
    private mutating func keyPressed(
        _ key: Key, in prompt: TextPrompt, for place: LimitPlace, _ state: MonitorState
    ) -> Intent? {
        var prompt = prompt
        switch prompt.keyPressed(key) {
        case .accepted: break
        case .cancelled:
            closeInputLine()
            return nil
        case .edited, .ignored:
            inputLine = .limit(place, prompt)
            return nil
        }
        guard let present = state.currentLimits[place.vital]?[place.name] else { return nil }
        do throws(LimitEntry.EntryError) {
            let setting = try LimitEntry.setting(prompt.text, of: place.vital, present: present, unit: temperatureUnit)
            if let conflict = state.conflict(of: setting, for: place.vital) {
                let isConverted = place.vital.isTemperature && temperatureUnit == .fahrenheit
                explanation = "Not changed: \(conflict)\(isConverted ? " (in °C)" : "")."
                return nil
            }
            closeInputLine()
            return .answer(.change(place.vital, setting))
        } catch {
            explanation = error.description
            return nil
        }
    }

    mutating func closeInputLine() {
        inputLine = nil
        explanation = nil
    }

    /// Lists everything again.
    mutating func clearFilter() {
        guard !filter.isEmpty else { return }
        filter = ""
        list.mustSort()
    }
}
