import Appearance
import Monitoring
import Vitals
import Wording

// The keys for the trends, and in the distance view.
extension ScreenState {
    /// Handles a key for the trends.
    ///
    /// - Returns: Whether it was one.
    mutating func keyPressedOnTrends(_ command: Command, at now: Moment) -> Bool {
        switch command {
        case .zoomIn, .zoomOut:
            trends.zoom(longer: command == .zoomOut, now: now)
            if trends.cells == 0 {
                dialogs.message = "Trends show \(trends.window.text); there is no room for them here."
            }
            return true
        case .fitScale:
            trends.isFitted.toggle()
            dialogs.message =
                trends.cells == 0
                ? "There is no room for trends here."
                : trends.isFitted ? "The scales of the trends fit the values." : "The trends have their usual scales."
            return true
        case .close where trends.isPast:
            trends.goToNow()
            return true
        case .cursorLeft: return move(trends.moveCursor(cells: -1, glyphs: glyphs, now: now), isBack: true, now)
        case .cursorRight: return move(trends.moveCursor(cells: 1, glyphs: glyphs, now: now), isBack: false, now)
        case .scrollBack: return move(trends.scroll(back: true, now: now), isBack: true, now)
        case .scrollForward: return move(trends.scroll(back: false, now: now), isBack: false, now)
        default: return false
        }
    }

    /// Shows why nothing has moved.
    private mutating func move(_ hasMoved: Bool, isBack: Bool, _ now: Moment) -> Bool {
        if trends.cells == 0 {
            dialogs.message = "There is no room for trends here."
        } else if !hasMoved {
            dialogs.message = isBack ? endOfThePast(now) : "These are the newest values."
        }
        return true
    }

    /// The message when there is nothing to scroll back to.
    private func endOfThePast(_ now: Moment) -> String {
        guard let since = trends.recordedSince else { return "This is as far back as anything is known." }
        let time = TimeText(now: now, timeZoneOffset: session.timeZoneOffset)
        return "Nothing was recorded before \(time.point(since, isExact: false))."
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
