import Appearance
import Monitoring
import Base
import Vitals

/// Which stretch of time the trends show, and where in the past the reader's cursor is.
///
/// Only the trends look back: numbers, alarms and ages are always those of now.
public struct TrendView: Hashable, Sendable {
    /// How long a time is shown.
    public var window = TrendWindow.tenMinutes
    /// Whether the scales of the graphs fit the values rather than being the usual ones.
    var isFitted = false
    /// From when on there are records to scroll back to; `nil` when there is only what the trends in memory hold.
    public var recordedSince: Moment?
    /// Trends loaded from records because those in memory are too coarse or too short; `nil` for none.
    public var loaded: PastTrends?
    /// Whether what of the past is shown is being loaded.
    public var reading = PastReading.idle
    /// The width of the graphs in cells; 0 where they do not fit.
    private(set) var cells = 0
    /// What is looked at; `nil` while the newest is.
    private(set) var past: Past?

    /// The viewed period of the past, which is fixed.
    struct Past: Hashable, Sendable {
        /// The time under the cursor.
        var cursor: Moment
        /// The right edge.
        var end: Moment
    }

    public init() {}

    /// Whether the past is looked at, and not the newest.
    public var isPast: Bool { past != nil && cells > 0 }

    /// Notes how many cells the graphs are wide.
    mutating func fit(cells: Int) { self.cells = max(0, cells) }

    /// The current window; `nil` where graphs do not fit.
    func frame(glyphs: GlyphSet, now: Moment) -> TrendFrame? {
        guard cells > 0 else { return nil }
        // By the wall clock as it is now: it may have been set since the past was looked up.
        let end = past.map { Self.present($0.end, now) } ?? now
        return TrendFrame(window, cells: cells, glyphs: glyphs, endingAt: end)
    }

    /// A moment of the past by the wall clock as it is now.
    static func present(_ moment: Moment, _ now: Moment) -> Moment {
        let present = now.advanced(by: moment.since(now))
        // Smaller differences are rounding errors, and would make the last digit flicker.
        let isSame = (-10...10).contains(present.wallMilliseconds.subtractingSaturated(moment.wallMilliseconds))
        return isSame ? moment : present
    }

    /// Shows the newest of another length of time.
    public mutating func show(_ window: TrendWindow) {
        self.window = window
        goToNow()
    }

    /// Shows a day, with the cursor in its middle, or as much of it as has passed.
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

    /// Looks at the newest again.
    mutating func goToNow() { past = nil }

    /// Moves the cursor by cells, to the left when negative; what is shown follows, and to the right of now it is live.
    ///
    /// - Returns: Whether there was anything to move to.
    mutating func moveCursor(cells step: Int, glyphs: GlyphSet, now: Moment) -> Bool {
        guard let frame = frame(glyphs: glyphs, now: now) else { return false }
        guard var past else {
            guard step < 0 else { return false }
            // The middle of the newest cell, so that rounding never puts the cursor beside its own.
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

    /// Moves what is shown, and the cursor with it, by half of the window: back, or forward and at last to now.
    ///
    /// - Returns: Whether there was anything to move to.
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

    /// Shows more time or less; the cursor keeps its time, and its place unless that is in the future.
    mutating func zoom(longer isLonger: Bool, now: Moment) {
        let before = window.seconds
        window = window.stepped(longer: isLonger)
        guard let past, window.seconds != before else { return }
        let cursor = min(past.cursor, now)
        let right = max(.zero, past.end.since(cursor))
        let nanoseconds = (right.components.seconds.multipliedSaturated(by: 1_000_000_000) / before)
            .multipliedSaturated(by: window.seconds)
        self.past = Past(cursor: cursor, end: min(cursor.advanced(by: .nanoseconds(nanoseconds)), now))
    }

    private mutating func look(at wanted: Past, now: Moment) -> Bool {
        let oldest = recordedSince ?? now.advanced(by: .zero - Trend.longestReach)
        guard wanted.cursor >= oldest else { return false }
        past = wanted
        return true
    }
}
