import Appearance
import Monitoring
import Base
import Vitals

/// The period of the trends, and the position of the reader's cursor in the past.
///
/// Only the trends show the past: numbers, alarms and ages are always present ones.
public struct TrendView: Hashable, Sendable {
    /// The length of the period.
    public var window = TrendWindow.tenMinutes
    /// Whether the length follows what is known, because the user has not chosen one.
    private(set) var isAutomatic = false
    /// When what is known was last looked at.
    var followed: Moment?
    /// Whether the scales of the graphs fit the values instead of the usual range.
    var isFitted = false
    /// The beginning of the records for scrolling back; `nil` if only the trends in memory exist.
    public var recordedSince: Moment?
    /// Trends loaded from records because those in memory are too coarse or too short; `nil` for none.
    public var loaded: PastTrends?
    /// Whether the shown past is being loaded.
    public var reading = PastReading.idle
    /// The width of the graphs in cells; 0 if they do not fit.
    private(set) var cells = 0
    /// The viewed past; `nil` for the newest values.
    private(set) var past: Past?

    /// The viewed period of the past, which is fixed.
    struct Past: Hashable, Sendable {
        /// The time under the cursor.
        var cursor: Moment
        /// The right edge.
        var end: Moment
        /// Whether it was the present when a key froze it.
        var isFrozen = false
    }

    public init() {}

    /// Whether the past is shown, not the newest values.
    public var isPast: Bool { past != nil && cells > 0 }

    /// Records the width of the graphs in cells.
    mutating func fit(cells: Int) { self.cells = max(0, cells) }

    /// The current window; `nil` if graphs do not fit.
    ///
    /// - Parameter columns: The width of a graph that differs from that of the others, in cells.
    func frame(glyphs: GlyphSet, now: Moment, cells columns: Int? = nil) -> TrendFrame? {
        let cells = columns ?? cells
        guard cells > 0 else { return nil }
        // By the present wall clock, which may have been set since.
        let end = past.map { Self.present($0.end, now) } ?? now
        return TrendFrame(window, cells: cells, glyphs: glyphs, endingAt: end)
    }

    /// A moment of the past by the present wall clock.
    static func present(_ moment: Moment, _ now: Moment) -> Moment {
        let present = now.advanced(by: moment.since(now))
        // Smaller differences are rounding errors, and would make the last digit flicker.
        let isSame = (-10...10).contains(present.wallMilliseconds.subtractingSaturated(moment.wallMilliseconds))
        return isSame ? moment : present
    }

    /// Shows the newest of another length of time.
    ///
    /// - Parameter window: `nil` for a length that follows what is known.
    public mutating func show(_ window: TrendWindow?) {
        // The shortest one is the first to be full.
        self.window = window ?? .twoMinutes
        isAutomatic = window == nil
        followed = nil
        goToNow()
    }

    /// Shows a day, or its past part, with the cursor in the middle.
    ///
    /// - Parameter day: In milliseconds since 1970 (UTC).
    mutating func show(_ day: Range<Int64>, now: Moment) {
        func moment(_ wall: Int64) -> Moment {
            now.advanced(by: .milliseconds(wall.subtractingSaturated(now.wallMilliseconds)))
        }
        window = .day
        let end = min(moment(day.upperBound), now)
        let length = max(0, end.wallMilliseconds.subtractingSaturated(day.lowerBound))
        past = Past(cursor: min(moment(day.lowerBound.addingSaturated(length / 2)), end), end: end)
    }

    // MARK: Moves

    /// Returns to the newest values.
    mutating func goToNow() { (past, followed) = (nil, nil) }

    /// Moves the cursor by cells, to the left if negative; the period follows, and to the right of now it is live.
    ///
    /// - Returns: Whether it could move.
    mutating func moveCursor(cells step: Int, glyphs: GlyphSet, now: Moment) -> Bool {
        guard let frame = frame(glyphs: glyphs, now: now) else { return false }
        guard var past else {
            guard step < 0 else { return false }
            // The middle of the newest cell, so that rounding never moves the cursor to the next one.
            self.past = Past(cursor: frame.start(ofCell: frame.cells - 1).advanced(by: frame.cellWidth / 2), end: now)
            return true
        }
        let cell = (frame.cell(of: past.cursor) ?? 0) + step
        past.cursor = past.cursor.advanced(by: frame.cellWidth * step)
        if cell < 0 { past.end = past.end.advanced(by: frame.cellWidth * cell) }
        if cell >= frame.cells {
            past.end = past.end.advanced(by: frame.cellWidth * (cell - frame.cells + 1))
            if past.end > now {
                goToNow()
                return true
            }
        }
        return look(at: past, now: now)
    }

    /// Freezes the present period, or returns to the newest values.
    ///
    /// - Returns: Whether there is anything to freeze.
    mutating func freeze(glyphs: GlyphSet, now: Moment) -> Bool {
        if past != nil {
            goToNow()
            return true
        }
        let hasMoved = moveCursor(cells: -1, glyphs: glyphs, now: now)
        past?.isFrozen = true
        return hasMoved
    }

    /// Moves the period, and the cursor with it, by half of the window: back, or forward until now.
    ///
    /// - Returns: Whether it could move.
    mutating func scroll(back isBack: Bool, now: Moment) -> Bool {
        guard cells > 0, isBack || past != nil else { return false }
        let half = Duration.seconds(window.seconds / 2) * (isBack ? -1 : 1)
        let start = past ?? Past(cursor: now, end: now)
        let wanted = Past(cursor: start.cursor.advanced(by: half), end: start.end.advanced(by: half))
        guard wanted.end < now else {
            goToNow()
            return true
        }
        return look(at: wanted, now: now)
    }

    /// Shows a longer or shorter period; the cursor keeps its time, and its position unless that is in the future.
    mutating func zoom(longer isLonger: Bool, now: Moment) {
        let before = window.seconds
        window = window.stepped(longer: isLonger)
        isAutomatic = false
        guard let past, window.seconds != before else { return }
        let cursor = min(past.cursor, now)
        let right = max(.zero, past.end.since(cursor))
        let nanoseconds = (right.components.seconds.multipliedSaturated(by: 1_000_000_000) / before)
            .multipliedSaturated(by: window.seconds)
        let end = min(cursor.advanced(by: .nanoseconds(nanoseconds)), now)
        self.past = Past(cursor: cursor, end: end, isFrozen: past.isFrozen)
    }

    private mutating func look(at wanted: Past, now: Moment) -> Bool {
        let oldest = recordedSince ?? now.advanced(by: .zero - Trend.longestReach)
        guard wanted.cursor >= oldest else { return false }
        past = wanted
        return true
    }
}

// The window that nobody has chosen: it grows with what is known, so that graphs are neither empty nor short.
extension TrendView {
    /// The windows that are taken without a choice, the longest first.
    static let automaticWindows: [TrendWindow] = [.eightHours, .hour, .tenMinutes, .twoMinutes]
    /// The share of a window, in percent, that must be known before it is taken.
    static let leastKnown = 60
    /// The share of the present window below which a shorter one is taken: less, so that a gap does not make it jump back
    /// and forth.
    static let leastKept = 40
    /// How often the share is determined anew.
    private static let pause = Duration.seconds(5)

    /// Takes the longest window of which enough is known, if the window is automatic and the present is shown.
    ///
    /// - Parameter known: The known share of a window in percent.
    mutating func follow(at now: Moment, known: (TrendWindow) -> Int) {
        guard isAutomatic, past == nil else { return }
        if let followed, now >= followed, now.since(followed) < Self.pause { return }
        followed = now
        let full = Self.automaticWindows.first { known($0) >= Self.leastKnown }
        // Without any data yet, the first minutes are seen soonest in the shortest.
        // A day that was looked at is none of them.
        let isOwn = Self.automaticWindows.contains(window)
        guard let full else {
            if !isOwn { window = .twoMinutes }
            return
        }
        if !isOwn || full.seconds > window.seconds || known(window) < Self.leastKept { window = full }
    }
}

extension MonitorState {
    /// The share of a window until now, in percent, in which the best known vital has values.
    func knownPercent(of window: TrendWindow, at now: Moment) -> Int {
        let parts = 60
        let start = now.advanced(by: .zero - window.duration)
        return vitals.map { vital in
            guard !vital.trend.isEmpty else { return 0 }
            let holding = vital.interval + vital.interval + vital.interval
            return vital.trend.samples(from: start, to: now, columns: parts, holding: holding).count { $0 != nil }
        }.max().map { $0 * 100 / parts } ?? 0
    }
}
