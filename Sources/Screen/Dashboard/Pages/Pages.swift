import Base
import Entries

/// The page that covers vitals and sensors, and the remembered state of each page.
struct Pages: Hashable, Sendable {
    /// The row that is selected on the page of alarms; the first when it is `nil` or has gone.
    var selectedAlarm: AlarmItem.ID?
    /// What of the alarm log is shown, and from where on.
    var logView = AlarmLogView()
    /// The limit that is selected on the page of limits.
    var selectedLimit = LimitPlace()
    /// The row that is selected on the page of manual entries.
    var selectedEntry = EntryItem.kind(.bodyTemperature)
    /// What of the patient's record is looked at.
    var record = RecordView()
    /// What of the page of one sensor is shown.
    var sensorLines = LineScroll()
    /// The number of the characteristic that is selected on it, if any.
    var characteristic: Int?
    /// What of the help is shown, which covers every page; `nil` while it is closed.
    var help: LineScroll?
    /// The open page, and below it the distance view if it comes back.
    private var open: [ScreenState.Page] = []

    /// The open page; `nil` for none.
    var current: ScreenState.Page? { open.last }

    /// Opens a page instead of the open one; `nil` closes it.
    mutating func show(_ page: ScreenState.Page?) {
        guard let page else { return open = [] }
        if open.isEmpty { open = [page] } else { open[open.count - 1] = page }
    }

    /// Opens a page, or closes it when it is open; a page that is opened from the distance view goes back there.
    mutating func toggle(_ page: ScreenState.Page) {
        if current == page {
            close()
        } else if page == .distance {
            open = [.distance]
        } else if current == .distance {
            open.append(page)
        } else {
            show(page)
        }
    }

    /// Closes the open page.
    mutating func close() { _ = open.popLast() }
}

/// How far lines are scrolled that do not all fit.
struct LineScroll: Hashable, Sendable {
    /// How many lines are scrolled past.
    private(set) var top = 0
    /// How many can be seen.
    var rows = 0

    /// Scrolls down, or up when `step` is negative.
    mutating func scroll(by step: Int) { top = max(0, top.addingSaturated(step)) }

    /// Limits scrolling to this many lines.
    mutating func limit(to last: Int) { top = max(0, min(top, last)) }
}
