import Appearance
import Monitoring
import Base
import Vitals
import Wording

// The keys on the page of the last days.
extension ScreenState {
    /// Whether the page is open, so that the store must be read for it.
    public var showsDays: Bool { pages.current == .days }

    /// Handles a key on the page.
    mutating func performOnDays(_ command: Command, in state: MonitorState, at now: Moment) -> Intent? {
        switch command {
        case .previousDay, .nextDay:
            guard days.overview != nil else {
                dialogs.message = "There are no days to read yet."
                return nil
            }
            if !days.move(by: command == .nextDay ? 1 : -1) {
                dialogs.message = command == .nextDay ? "This is today." : "This is the first of the days."
            }
        case .selectPrevious, .selectNext, .selectPageUp, .selectPageDown, .selectFirst, .selectLast:
            guard days.graphs.count > 1 else {
                dialogs.message = "There are no more graphs."
                return nil
            }
            days.top = moved(from: days.top, by: command, count: days.graphs.count)
        case .openDay:
            guard let day = days.day else {
                dialogs.message = "There are no days to read yet."
                return nil
            }
            open(day, at: now)
        default: return perform(command, in: state)
        }
        return nil
    }

    /// Shows a day in the trends, from the store.
    private mutating func open(_ day: PatientOverview.Day, at now: Moment) {
        pages.show(nil)
        trends.show(day.range, now: now)
        let time = TimeText(now: now, timeZoneOffset: session.timeZoneOffset)
        dialogs.message =
            trends.cells == 0
            ? "There is no room for trends here."
            : "The trends show \(time.fullDate(day.middle)); Esc shows now again."
    }
}

extension PatientOverview.Day {
    /// The middle of the day, whose date is the same with any offset of the day.
    var middle: Int64 {
        range.lowerBound.addingSaturated(range.upperBound.subtractingSaturated(range.lowerBound) / 2)
    }
}
