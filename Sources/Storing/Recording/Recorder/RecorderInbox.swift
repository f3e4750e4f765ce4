import Monitoring
import Nights
import Synchronization
import Vitals
import Waves

/// Accepts items to record, from any thread, without blocking.
///
/// The recorder is woken once per batch, so adding an item costs less than a microsecond.
public final class RecorderInbox: Sendable {
    private struct State {
        var waiting = WaitingItems()
        var isClosed = false
        var wake: Wake?
        /// Whether the recorder was woken for a waiting item.
        var isCalled = false
        /// Whether the recorder was woken for many waiting items.
        var isCalledForMany = false
        /// Whether the recorder was woken for an alarm.
        var isCalledSoon = false
        /// The number of items taken last.
        var lastCount = 0
    }

    /// The most items in a batch, so that a flood of them needs little memory.
    static let many = 500

    /// Why the recorder is woken.
    enum Reason: Hashable, Sendable {
        /// The first item is waiting; with the number of items taken last.
        case first(lastCount: Int)
        /// ``RecorderInbox/many`` items are waiting.
        case many
        /// An alarm is waiting.
        case soon
        /// An item must be written at once.
        case urgent
    }

    /// How long an item may wait.
    private enum Haste {
        /// Until the end of the batch.
        case none
        /// As long as it takes that a flood of such items is written together.
        case soon
        /// Not at all.
        case urgent
    }

    /// Called for the first item after the recorder took the others, when there are many, and for an urgent one.
    typealias Wake = @Sendable (Reason) -> Void

    private let state = Mutex(State())
    /// The waves apart, with a limit of their own, so that they never displace or delay a reading.
    private let waves = Mutex(UnreadWaves(limit: 1 << 15))
    private let recordsReadings: Bool

    /// Creates an inbox; its items wait for a recorder.
    ///
    /// - Parameter recordsReadings: Whether readings are recorded; the alarm log always is.
    public init(recordsReadings: Bool = true) {
        self.recordsReadings = recordsReadings
    }

    /// Adds an event, if it is recorded.
    public func append(_ event: MonitorEvent) {
        guard recordsReadings else { return }
        switch event.kind {
        case .reading(let reading): append(.reading(reading))
        case .rrIntervals(let intervals): append(.rrIntervals(intervals))
        case .gap(let gap): append(.gap(gap))
        case .malformed(let sensor, let malformed):
            append(
                RawNotification(
                    source: .sensor(sensor), characteristic: malformed.characteristic, octets: malformed.octets,
                    moment: event.moment, mistake: malformed.reason))
        default: break
        }
    }

    /// Adds a notification.
    public func append(_ notification: RawNotification) {
        if recordsReadings { append(.notification(notification)) }
    }

    /// Adds a reading that no sensor sent: a silence, a lost link.
    public func append(_ reading: Reading) {
        if recordsReadings { append(.reading(reading)) }
    }

    /// Adds an entry of the alarm log, which does not wait for the end of a batch.
    public func append(_ entry: AlarmLogEntry) {
        append(.alarmLog(entry), .soon)
    }

    /// Adds a manual entry or its retraction, even if readings are not recorded; it is written at once.
    public func append(_ entry: RecordEntry) {
        append(.entry(entry), .urgent)
    }

    /// Adds a night that a sensor handed over, which is written at once: the sensor drops it when it stores another.
    ///
    /// - Parameters:
    ///   - night: The night.
    ///   - moment: When it came.
    public func append(_ night: StoredNight, at moment: Moment) {
        append(.night(night, moment), .urgent)
    }

    /// Adds a decision for the next start, which is written at once, because the program may be killed at any moment.
    ///
    /// - Parameters:
    ///   - change: The decision.
    ///   - moment: When it was made.
    public func append(_ change: MemoryChange, at moment: Moment) {
        append(.memory(change, moment), .urgent)
    }

    /// Adds what must be remembered of an event: the user's decision about a sensor, or its battery level.
    public func append(memoryOf event: MonitorEvent) {
        switch event.kind {
        case .remembered(let sensor): append(.remembered(sensor), at: event.moment)
        case .forgotten(let sensor): append(.forgotten(address: sensor.address), at: event.moment)
        case .battery(let sensor, let percent):
            let battery = SensorContact.Battery(
                percent: percent, wallMilliseconds: event.moment.wallMilliseconds)
            append(.memory(.battery(address: sensor.address, battery), event.moment))
        default: break
        }
    }

    /// Adds an update of a wave; where too much waits, the oldest samples are lost.
    public func append(_ update: WaveUpdate) {
        guard recordsReadings else { return }
        let call = state.withLock { state -> (wake: Wake, lastCount: Int)? in
            if state.isClosed { return nil }
            waves.withLock { $0.append(update) }
            guard let wake = state.wake, !state.isCalled else { return nil }
            state.isCalled = true
            return (wake, state.lastCount)
        }
        if let call { call.wake(.first(lastCount: call.lastCount)) }
    }

    /// Removes and returns all waiting updates of waves.
    func drainWaves() -> [WaveUpdate] { waves.withLock { $0.takeAll() } }

    private func append(_ item: RecordedItem, _ haste: Haste = .none) {
        let call = state.withLock { state -> (wake: Wake, reason: Reason)? in
            if state.isClosed { return nil }
            state.waiting.append(item)
            guard let wake = state.wake else { return nil }
            let isMany = !state.isCalledForMany && state.waiting.count >= Self.many
            let isSoon = haste == .soon && !state.isCalledSoon
            guard haste == .urgent || isSoon || isMany || !state.isCalled else { return nil }
            state.isCalled = true
            if isMany { state.isCalledForMany = true }
            if isSoon { state.isCalledSoon = true }
            if haste == .urgent { return (wake, .urgent) }
            return (wake, isMany ? .many : isSoon ? .soon : .first(lastCount: state.lastCount))
        }
        if let call { call.wake(call.reason) }
    }

    /// Connects a recorder, which is woken for new and waiting items.
    func open(_ wake: @escaping Wake) {
        let hasItems = state.withLock { state in
            state.wake = wake
            state.isCalled = !state.waiting.isEmpty
            return state.isCalled
        }
        if hasItems { wake(.first(lastCount: 0)) }
    }

    /// Removes and returns all waiting items; the next item wakes the recorder again.
    func drain() -> WaitingItems {
        state.withLock { state in
            defer { state.waiting = WaitingItems() }
            (state.isCalled, state.isCalledForMany, state.isCalledSoon) = (false, false, false)
            state.lastCount = state.waiting.count
            return state.waiting
        }
    }

    /// Drops all items from now on, because nothing more is written.
    public func close() {
        state.withLock { state in
            state.isClosed = true
            state.wake = nil
            state.waiting = WaitingItems()
        }
        _ = drainWaves()
    }
}
