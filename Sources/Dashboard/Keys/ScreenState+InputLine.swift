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
                return .rename(address: address, label: prompt.text)
            case .cancelled: inputLine = nil
            case .edited, .ignored: inputLine = .rename(address: address, prompt)
            }
        case .choice(let choice):
            if key == .escape {
                inputLine = nil
            } else if let answer = choice.answer(to: key) {
                inputLine = nil
                return answer.intent
            }
        case nil: break
        }
        return nil
    }

    /// Lists everything again.
    mutating func clearFilter() {
        guard !filter.isEmpty else { return }
        filter = ""
        list.mustSort()
    }
}
