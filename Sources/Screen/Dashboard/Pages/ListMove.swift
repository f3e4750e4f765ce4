import Appearance

/// A move of a selection, or of what is scrolled past: the meaning of the six keys of selection, everywhere.
enum ListMove: Hashable {
    case previous, next, pageUp, pageDown, first, last

    /// The move of a command; `nil` for commands that move nothing.
    init?(_ command: Command) {
        switch command {
        case .selectPrevious: self = .previous
        case .selectNext: self = .next
        case .selectPageUp: self = .pageUp
        case .selectPageDown: self = .pageDown
        case .selectFirst: self = .first
        case .selectLast: self = .last
        default: return nil
        }
    }

    /// The place that it leads to.
    ///
    /// - Parameters:
    ///   - place: The place before, counted from 0.
    ///   - page: The places of a page.
    ///   - last: The last place.
    func place(from place: Int, page: Int, last: Int) -> Int {
        let next =
            switch self {
            case .previous: place - 1
            case .next: place + 1
            case .pageUp: place - page
            case .pageDown: place + page
            case .first: 0
            case .last: last
            }
        return min(max(0, next), max(0, last))
    }

    /// The message where it leads nowhere else.
    var endText: String {
        switch self {
        case .previous, .pageUp, .first: "This is the beginning."
        case .next, .pageDown, .last: "This is the end."
        }
    }
}

/// The selected row of a list: the first one when none was selected, or when that is not listed.
struct ListCursor<ID: Hashable & Sendable>: Hashable, Sendable {
    /// The row that was selected last.
    var selected: ID?

    /// The place of the selected row.
    func place(in list: [ID]) -> Int { list.firstIndex { $0 == selected } ?? 0 }

    /// Selects another row.
    ///
    /// - Returns: Whether there was another one.
    mutating func move(_ move: ListMove, in list: [ID], page: Int = 5) -> Bool {
        guard !list.isEmpty else { return false }
        let place = place(in: list)
        let next = move.place(from: place, page: page, last: list.count - 1)
        selected = list[next]
        return next != place
    }
}

/// The scroll position of lines that do not all fit.
struct LineScroll: Hashable, Sendable {
    /// The number of lines scrolled past.
    private(set) var top = 0

    /// Scrolls.
    ///
    /// - Parameter last: How many lines can be scrolled past in the present frame.
    /// - Returns: Whether there was anything to scroll to.
    mutating func move(_ move: ListMove, page: Int, last: Int) -> Bool {
        let before = min(top, last)
        // The end of the next frame, which may have another size, is found with ``limit(to:)``.
        top = move == .last ? .max / 2 : move.place(from: before, page: page, last: last)
        return min(top, last) != before
    }

    /// Scrolls past this many lines.
    mutating func scroll(to top: Int) { self.top = max(0, top) }

    /// Limits scrolling to this many lines.
    mutating func limit(to last: Int) { top = max(0, min(top, last)) }
}
