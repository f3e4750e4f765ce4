import Appearance
import Base
import Monitoring
import Wording

/// The view of the alarm log.
struct AlarmLogView: Hashable, Sendable {
    /// The shown entries.
    private(set) var filter = AlarmLogFilter()
    /// The number of entries, the newest first, that are scrolled past.
    private(set) var top = 0
    /// The visible rows.
    private(set) var rows = 0
    private var seen = 0

    /// Scrolls towards older entries, or newer ones if `step` is negative.
    mutating func scroll(by step: Int, in log: AlarmLog) {
        top = min(max(0, top + step), max(0, log.filtered(filter).count - max(1, rows)))
    }

    /// Keeps the same entries visible when newer ones arrive, unless the newest are visible.
    mutating func fit(_ log: AlarmLog, rows: Int) {
        self.rows = rows
        if top > 0, log.addedCount > seen {
            top += log.entries.suffix(log.addedCount - seen).count(where: filter.admits)
        }
        seen = log.addedCount
        if top > 0 { scroll(by: 0, in: log) }
    }

    /// Shows only entries with a text.
    mutating func setText(_ text: String) {
        filter.text = text
        top = 0
    }

    /// Cycles through all entries, the patient, the equipment and actions.
    mutating func nextSubject() {
        switch (filter.alarmClass, filter.isActionsOnly) {
        case (nil, false): filter.alarmClass = .physiological
        case (.physiological, _): filter.alarmClass = .technical
        case (.technical, _):
            filter.alarmClass = nil
            filter.isActionsOnly = true
            // Actions have no priority.
            filter.leastPriority = nil
        case (nil, true): filter.isActionsOnly = false
        }
        top = 0
    }

    /// Cycles through all priorities, medium and high, and high.
    mutating func nextPriority() {
        filter.isActionsOnly = false
        filter.leastPriority =
            switch filter.leastPriority {
            case nil, .low: .medium
            case .medium: .high
            case .high: nil
            }
        top = 0
    }

    /// The text about omitted entries; empty when everything is shown.
    func text(_ glyphs: GlyphSet) -> [String] {
        var words: [String] = []
        switch (filter.alarmClass, filter.isActionsOnly) {
        case (.physiological, _): words.append("patient")
        case (.technical, _): words.append("equipment")
        case (nil, true): words.append("what was done")
        case (nil, false): break
        }
        switch filter.leastPriority {
        case .medium: words.append("medium and high")
        case .high: words.append("high")
        case .low, nil: break
        }
        if !filter.text.isEmpty { words.append("/\(ellipsized(filter.text, columns: 20, glyphs: glyphs))") }
        return words
    }
}
