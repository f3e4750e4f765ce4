import Monitoring
import Vitals

// What keys do about the trends, and in the distance view.
extension ScreenState {
    /// Handles a key that is about the trends.
    ///
    /// - Returns: Whether it was.
    mutating func keyPressedOnTrends(_ command: Command, at now: Moment) -> Bool {
        switch command {
        case .zoomIn, .zoomOut:
            trends.zoom(longer: command == .zoomOut, now: now)
            if trends.cells == 0 { message = "Trends show \(trends.window.words); there is no room for them here." }
            return true
        case .close where trends.isPast:
            trends.goToNow()
            return true
        case .cursorLeft: return move(trends.moveCursor(cells: -1, glyphs: glyphs, now: now), isBack: true)
        case .cursorRight: return move(trends.moveCursor(cells: 1, glyphs: glyphs, now: now), isBack: false)
        case .scrollBack: return move(trends.scroll(back: true, now: now), isBack: true)
        case .scrollForward: return move(trends.scroll(back: false, now: now), isBack: false)
        default: return false
        }
    }

    /// Says why nothing has moved.
    private mutating func move(_ hasMoved: Bool, isBack: Bool) -> Bool {
        if trends.cells == 0 {
            message = "There is no room for trends here."
        } else if !hasMoved {
            message = isBack ? "This is as far back as anything is known." : "These are the newest values."
        }
        return true
    }

    /// In the distance view nothing is selected, so no key acts on a selection that cannot be seen.
    mutating func performInDistance(_ command: Command, in state: MonitorState) -> Intent? {
        switch command {
        case .selectPrevious, .selectNext, .selectPageUp, .selectPageDown, .selectFirst, .selectLast, .pauseForCare:
            return nil
        default: return perform(command, in: state)
        }
    }
}
