import SaturatingArithmetic
import Vitals

/// Plays a recording: says which of its events are due, and what time it is in it.
///
/// It reads no clock; the computer's monotonic time, in nanoseconds, comes in with each question. What is handed out, and
/// in which order, does not depend on it, only when.
public struct ReplayPlayer {
    /// Before the point that one jumps to, everything is played that alarms and trends there may depend on: the longest
    /// trend shows 24 hours.
    static let lead: Int64 = 26 * 3_600_000

    private var source: any ReplaySource
    /// Where playing begins and ends, as wall times in milliseconds.
    private let bounds: ClosedRange<Int64>
    private var clock: ReplayClock
    /// What has been read and not handed out.
    private var upcoming: MonitorEvent?
    /// Whether what comes next has not been found yet.
    private var isSearching = false
    /// The wall time at which playing begins anew, until the first event after it is known.
    private var beginning: Int64?
    /// The moment of what was handed out last.
    private var newest: Moment
    private var isRestarting = false
    private var hasReadAll = false
    /// Up to which wall time everything is handed out at once; `nil` when that is not asked for.
    private var target: Int64?
    /// Whether everything is handed out up to the next reading.
    private var isStepping = false
    /// Whether nothing more will happen.
    public private(set) var hasEnded = false

    /// Makes a player that begins to play at once.
    ///
    /// - Parameters:
    ///   - source: The recording.
    ///   - from: The wall time to begin at, in milliseconds since 1970 (UTC); by default where the recording does.
    ///   - to: The wall time to end at; by default where the recording does.
    ///   - speed: How fast it plays.
    ///   - nanoseconds: The present monotonic time of the computer.
    /// - Returns: `nil` when nothing was recorded between them.
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

    /// The moment of a wall time that lies before an event, or is all that is known.
    ///
    /// Where the event is far away, or before it as after a clock was set, playing begins with the event.
    private static func beginning(at wall: Int64, before event: MonitorEvent?) -> Moment {
        guard let event else { return Moment(monotonicNanoseconds: 0, wallMilliseconds: wall) }
        let distance = event.moment.wallMilliseconds.subtractingSaturated(wall)
        let isNear = (0...longestStep).contains(distance)
        return isNear ? event.moment.advanced(by: .milliseconds(-distance)) : event.moment
    }

    /// The longest stretch that is played though nothing happens in it, in milliseconds.
    private static let longestStep = ReplayTimeline.longestStep / 1_000_000

    /// Sentences for the user about what cannot be played.
    public var complaints: [String] { source.complaints }

    /// The wall times in milliseconds since 1970 (UTC) between which is played.
    public var range: ClosedRange<Int64> { bounds }

    /// How fast it plays.
    public var speed: ReplaySpeed { clock.speed }

    /// Whether time stands still by the user's wish.
    public var isPaused: Bool { clock.isPaused }

    /// Whether it hastens to a point that the user wants.
    public var isSeeking: Bool { target != nil }

    // MARK: Time

    /// The moment of what was handed out last, or at which it begins.
    public var position: Moment { newest }

    /// What time it is in the recording; never later than what has not been handed out yet.
    public func now(at nanoseconds: Int64) -> Moment {
        let shown = target == nil && !hasEnded ? max(clock.moment(at: nanoseconds), newest) : newest
        if isSearching { return newest }
        guard let upcoming, !isRestarting else { return shown }
        return min(shown, max(upcoming.moment, newest))
    }

    /// When a moment of the recording comes for the computer; `nil` when nobody can say, because time stands still or
    /// goes with what is handed out.
    public func time(of moment: Moment) -> Int64? {
        hasEnded || target != nil ? nil : clock.time(of: moment)
    }

    /// When the next event is due for the computer; `nil` when none will be before the user wants something.
    public func nextDue(at nanoseconds: Int64) -> Int64? {
        guard !hasEnded else { return nil }
        if target != nil || isStepping { return nanoseconds }
        if isPaused { return nil }
        guard case .times = speed else { return nanoseconds }
        guard let upcoming else { return nanoseconds }
        return clock.time(of: due(upcoming))
    }

    /// How much time of the recording is handed out at once at most, so that whoever lets it pass can do something else.
    private static let portion = Duration.seconds(3600)

    /// Hands out what is due, of no more than an hour of the recording.
    ///
    /// - Parameters:
    ///   - nanoseconds: The present monotonic time of the computer.
    ///   - limit: How many events at most, so that whoever asks can do something else meanwhile.
    ///   - body: A function that gets each event.
    /// - Throws: ``ReplayError`` when the recording cannot be read any further; what was read before is lost to nobody.
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
            // Nobody waits for what is not there: the clock jumps over a gap.
            if case .gap = event.kind { clock.jump(from: due(event), to: event.moment) }
            newest = max(newest, event.moment)
            body(event)
            handle(try source.next())
            if isStepping, case .reading = event.kind, upcoming.map({ $0.moment > event.moment }) ?? true {
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

    /// Until when an event is waited for: a gap comes when it begins.
    private func due(_ event: MonitorEvent) -> Moment {
        guard case .gap(let gap) = event.kind else { return event.moment }
        return min(max(gap.from, newest), event.moment)
    }

    /// Reads one event ahead; behind the last one comes the passing of time until the end.
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

    /// The point that was jumped to has come: goes on from there at the usual speed.
    private mutating func arrive(before event: MonitorEvent, _ wanted: Int64, _ nanoseconds: Int64) {
        target = nil
        let ahead = wanted.subtractingSaturated(newest.wallMilliseconds)
        if (1...Self.longestStep).contains(ahead) {
            newest = min(newest.advanced(by: .milliseconds(ahead)), event.moment)
        }
        clock.set(to: newest, nanoseconds: nanoseconds)
    }

    /// Ends where it is, because nothing more can be read.
    public mutating func end() {
        upcoming = nil
        hasEnded = true
        isSearching = false
        target = nil
        isStepping = false
    }

    // MARK: What the user wants

    /// Begins now, however long ago it was made.
    public mutating func begin(nanoseconds: Int64) {
        clock.set(to: newest, nanoseconds: nanoseconds)
    }

    /// Plays at another speed from now on.
    public mutating func play(at speed: ReplaySpeed, nanoseconds: Int64) {
        clock.play(at: speed, from: now(at: nanoseconds), nanoseconds: nanoseconds)
    }

    /// Stops time, or lets it go on.
    public mutating func pause(_ isPaused: Bool, nanoseconds: Int64) {
        newest = now(at: nanoseconds)
        clock.pause(isPaused, at: newest, nanoseconds: nanoseconds)
    }

    /// Plays up to the next reading at once, and pauses.
    public mutating func step(nanoseconds: Int64) {
        pause(true, nanoseconds: nanoseconds)
        isStepping = !hasEnded
    }

    /// Goes to another point of the recording: what lies before it is played at once, from the beginning if it must be.
    ///
    /// - Parameters:
    ///   - milliseconds: How far, backwards when it is negative.
    ///   - nanoseconds: The present monotonic time of the computer.
    /// - Throws: ``ReplayError``.
    public mutating func jump(by milliseconds: Int64, nanoseconds: Int64) throws(ReplayError) {
        let present = min(target ?? now(at: nanoseconds).wallMilliseconds, bounds.upperBound)
        let wanted = min(max(present.addingSaturated(milliseconds), bounds.lowerBound), bounds.upperBound)
        // The end is reached when all has been handed out, also what happened at the very end.
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
