import Base
import Entries

/// The page that covers vitals and sensors, and the remembered state of each page.
struct Pages: Hashable, Sendable {
    /// The selected row on the page of alarms; the first if it is `nil` or was removed.
    var selectedAlarm: AlarmItem.ID?
    /// The view of the alarm log.
    var logView = AlarmLogView()
    /// The selected limit on the page of limits.
    var selectedLimit = LimitPlace()
    /// The selected row on the page of manual entries.
    var selectedEntry = EntryItem.kind(.bodyTemperature)
    /// The view of the patient's record.
    var record = RecordView()
    /// The scroll position of the page of one sensor.
    var sensorLines = LineScroll()
    /// The number of the characteristic selected on it, if any.
    var characteristic: Int?
    /// The scroll position of the help, which covers every page; `nil` while it is closed.
    var help: LineScroll?
    /// The open page, and below it the distance view if it returns.
    private var open: [ScreenState.Page] = []

    /// The open page; `nil` for none.
    var current: ScreenState.Page? { open.last }

    /// Opens a page instead of the open one; `nil` closes it.
    mutating func show(_ page: ScreenState.Page?) {
        guard let page else { return open = [] }
        if open.isEmpty { open = [page] } else { open[open.count - 1] = page }
    }

    /// Opens or closes a page; a page opened from the distance view returns there.
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

/// The scroll position of lines that do not all fit.
struct LineScroll: Hashable, Sendable {
    /// The number of lines scrolled past.
    private(set) var top = 0
    /// The number of visible lines.
    var rows = 0

    /// Scrolls down, or up if `step` is negative.
    mutating func scroll(by step: Int) { top = max(0, top.addingSaturated(step)) }

    /// Limits scrolling to this many lines.
    mutating func limit(to last: Int) { top = max(0, min(top, last)) }
}
