import Base
import Vitals

/// Plays a recording: determines the due events and the recording's present time.
///
/// It reads no clock; each call passes the computer's monotonic time, in nanoseconds. The events and their order do not
/// depend on it.
public struct ReplayPlayer {
    /// The time before the target of a jump that is played, too, because alarms and trends may depend on it: the
    /// longest trend shows 24 hours.
    static let lead: Int64 = 26 * 3_600_000

    private var source: any ReplaySource
    /// The played period, as wall times in milliseconds.
    private let bounds: ClosedRange<Int64>
    private var clock: ReplayClock
    /// The event that was read but not yet delivered.
    private var upcoming: MonitorEvent?
    /// Whether the next event has not been found yet.
    private var isSearching = false
    /// The wall time at which playing restarts, until the first event after it is known.
    private var beginning: Int64?
    /// The moment of the last delivered event.
    private var newest: Moment
    private var isRestarting = false
    private var hasReadAll = false
    /// The wall time up to which events are delivered at once; `nil` for none.
    private var target: Int64?
    /// Whether events are delivered at once up to the next reading.
    private var isStepping = false
    /// Whether nothing more will happen.
    public private(set) var hasEnded = false

    /// Creates a player that begins to play at once.
    ///
    /// - Parameters:
    ///   - source: The recording.
    ///   - from: The wall time to begin at, in milliseconds since 1970 (UTC); by default the recording's beginning.
    ///   - to: The wall time to end at; by default the recording's end.
    ///   - speed: The speed.
    ///   - nanoseconds: The present monotonic time of the computer.
    /// - Returns: `nil` if nothing was recorded between them.
    /// - Throws: ``ReplayError``.
    public init?(
        _ source: some ReplaySource, from: Int64? = nil, to: Int64? = nil, speed: ReplaySpeed, nanoseconds: Int64
    ) throws(ReplayError) {
        guard let range = source.range else { return nil }
        let start = max(from ?? range.lowerBound, range.lowerBound)
        let end = min(to ?? range.upperBound, range.upperBound)
        guard start <= end else { return nil }
        self.source = source
        bounds = start...end
        newest = Moment(monotonicNanoseconds: 0, wallMilliseconds: start)
        clock = ReplayClock(at: newest, nanoseconds: nanoseconds, speed: speed)
        self.source.seek(to: start)
        beginning = start
        repeat { handle(try self.source.next()) } while isSearching
        clock.set(to: newest, nanoseconds: nanoseconds)
    }

    /// The moment of a wall time before an event, or without one.
    ///
    /// If the event is far away, or earlier because a clock was set, playing begins with the event.
    private static func beginning(at wall: Int64, before event: MonitorEvent?) -> Moment {
        guard let event else { return Moment(monotonicNanoseconds: 0, wallMilliseconds: wall) }
        let distance = event.moment.wallMilliseconds.subtractingSaturated(wall)
        let isNear = (0...longestStep).contains(distance)
        return isNear ? event.moment.advanced(by: .milliseconds(-distance)) : event.moment
    }

    /// The longest period without events that is played, in milliseconds.
    private static let longestStep = ReplayTimeline.longestStep / 1_000_000

    /// Sentences for the user about parts that cannot be played.
    public var warnings: [String] { source.warnings }

    /// The waves beside the events; `nil` where none can be played.
    public func waves() -> ReplayWaves? { source.waves() }

    /// The epoch that is played, for its waves; `nil` without one.
    public var waveEpoch: Int64? { source.waveEpoch }

    /// The played period as wall times in milliseconds since 1970 (UTC).
    public var range: ClosedRange<Int64> { bounds }

    public var speed: ReplaySpeed { clock.speed }

    /// Whether the user paused it.
    public var isPaused: Bool { clock.isPaused }

    /// Whether it is seeking to a point.
    public var isSeeking: Bool { target != nil }

    // MARK: Time

    /// The moment of the last delivered event, or the start.
    public var position: Moment { newest }

    /// The recording's present time; never later than the next event.
    public func now(at nanoseconds: Int64) -> Moment {
        let shown = target == nil && !hasEnded ? max(clock.moment(at: nanoseconds), newest) : newest
        if isSearching { return newest }
        guard let upcoming, !isRestarting else { return shown }
        return min(shown, max(upcoming.moment, newest))
    }

    /// The computer's time of a moment of the recording; `nil` while time is paused or follows the events.
    public func time(of moment: Moment) -> Int64? {
        hasEnded || target != nil ? nil : clock.time(of: moment)
    }

    /// The computer's time of the next event; `nil` when none is due without a command.
    public func nextDue(at nanoseconds: Int64) -> Int64? {
        guard !hasEnded else { return nil }
        if target != nil || isStepping { return nanoseconds }
        if isPaused { return nil }
        guard case .times = speed else { return nanoseconds }
        guard let upcoming else { return nanoseconds }
        return clock.time(of: due(upcoming))
    }

    /// The greatest period delivered at once, so that the caller can do other work in between.
    private static let portion = Duration.seconds(3600)

    /// Delivers due events, of at most one hour of the recording.
    ///
    /// - Parameters:
    ///   - nanoseconds: The present monotonic time of the computer.
    ///   - limit: The greatest number of events, so that the caller can do other work in between.
    ///   - body: Called with each event.
    /// - Throws: ``ReplayError`` when no more can be read; earlier events have been delivered.
    public mutating func due(at nanoseconds: Int64, limit: Int, _ body: (MonitorEvent) -> Void) throws(ReplayError) {
        let start = newest
        for _ in 0..<limit {
            if isSearching {
                handle(try source.next())
                break
            }
            guard let event = upcoming, isDue(event, nanoseconds), newest.since(start) < Self.portion else { break }
            if isRestarting {
                isRestarting = false
                body(MonitorEvent(moment: newest, kind: .restarted))
            }
            if let target, event.moment.wallMilliseconds >= target { arrive(before: event, target, nanoseconds) }
            guard isDue(event, nanoseconds) else { break }
            // The clock skips gaps.
            if case .gap = event.kind { clock.jump(from: due(event), to: event.moment) }
            newest = max(newest, event.moment)
            body(event)
            handle(try source.next())
            if isStepping, event.isOfNotification, upcoming.map({ $0.moment > event.moment }) ?? true {
                isStepping = false
                clock.set(to: newest, nanoseconds: nanoseconds)
            }
        }
        guard upcoming == nil, !isSearching else { return }
        end()
        clock.set(to: newest, nanoseconds: nanoseconds)
    }

    private func isDue(_ event: MonitorEvent, _ nanoseconds: Int64) -> Bool {
        if target != nil || isStepping || isRestarting { return true }
        if isPaused { return false }
        guard case .times = speed else { return true }
        return clock.moment(at: nanoseconds) >= due(event)
    }

    /// When an event is due: a gap at its beginning.
    private func due(_ event: MonitorEvent) -> Moment {
        guard case .gap(let gap) = event.kind else { return event.moment }
        return min(max(gap.from, newest), event.moment)
    }

    /// Reads one event ahead; after the last one, time passes until the end.
    private mutating func handle(_ step: ReplayStep) {
        isSearching = step == .searching
        if isSearching {
            upcoming = nil
            return
        }
        let event: MonitorEvent? = if case .event(let event) = step { event } else { nil }
        if let beginning {
            newest = Self.beginning(at: beginning, before: event)
            self.beginning = nil
        }
        if let event, event.moment.wallMilliseconds <= bounds.upperBound {
            upcoming = event
            return
        }
        defer { hasReadAll = true }
        guard !hasReadAll else {
            upcoming = nil
            return
        }
        let rest = bounds.upperBound.subtractingSaturated(newest.wallMilliseconds)
        let isPlayed = (1...Self.longestStep).contains(rest)
        upcoming = isPlayed ? MonitorEvent(moment: newest.advanced(by: .milliseconds(rest)), kind: .tick) : nil
    }

    /// Arrives at the target of a jump and continues at the usual speed.
    private mutating func arrive(before event: MonitorEvent, _ wanted: Int64, _ nanoseconds: Int64) {
        target = nil
        let ahead = wanted.subtractingSaturated(newest.wallMilliseconds)
        if (1...Self.longestStep).contains(ahead) {
            newest = min(newest.advanced(by: .milliseconds(ahead)), event.moment)
        }
        clock.set(to: newest, nanoseconds: nanoseconds)
    }

    /// Ends here, because no more can be read.
    public mutating func end() {
        upcoming = nil
        hasEnded = true
        isSearching = false
        target = nil
        isStepping = false
    }

    // MARK: Commands

    /// Starts now, independent of the time of creation.
    public mutating func begin(nanoseconds: Int64) {
        clock.set(to: newest, nanoseconds: nanoseconds)
    }

    /// Plays at another speed from now on.
    public mutating func play(at speed: ReplaySpeed, nanoseconds: Int64) {
        clock.play(at: speed, from: now(at: nanoseconds), nanoseconds: nanoseconds)
    }

    /// Pauses or resumes time.
    public mutating func pause(_ isPaused: Bool, nanoseconds: Int64) {
        newest = now(at: nanoseconds)
        clock.pause(isPaused, at: newest, nanoseconds: nanoseconds)
    }

    /// Plays at once up to the next reading, and pauses.
    public mutating func step(nanoseconds: Int64) {
        pause(true, nanoseconds: nanoseconds)
        isStepping = !hasEnded
    }

    /// Jumps to another point of the recording: the events before it are played at once, from the beginning if
    /// necessary.
    ///
    /// - Parameters:
    ///   - milliseconds: The distance; negative for backwards.
    ///   - nanoseconds: The present monotonic time of the computer.
    /// - Throws: ``ReplayError``.
    public mutating func jump(by milliseconds: Int64, nanoseconds: Int64) throws(ReplayError) {
        let present = min(target ?? now(at: nanoseconds).wallMilliseconds, bounds.upperBound)
        let wanted = min(max(present.addingSaturated(milliseconds), bounds.lowerBound), bounds.upperBound)
        // The end is reached after all events, including those at the very end.
        let isEnd = milliseconds > 0 && wanted == bounds.upperBound
        target = hasEnded && milliseconds > 0 ? nil : isEnd ? .max : wanted
        guard milliseconds < 0 || wanted.subtractingSaturated(present) > Self.lead else { return }
        isRestarting = true
        hasEnded = false
        hasReadAll = false
        isStepping = false
        let start = max(bounds.lowerBound, wanted.subtractingSaturated(Self.lead))
        source.seek(to: start)
        upcoming = nil
        beginning = start
        isSearching = true
    }
}

extension MonitorEvent {
    /// Whether a sensor has sent this: a reading, or data of its notification.
    fileprivate var isOfNotification: Bool {
        switch kind {
        case .reading, .rrIntervals: true
        default: false
        }
    }
}
