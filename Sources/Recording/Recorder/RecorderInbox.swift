import Monitoring
import Synchronization
import Vitals

/// Accepts items to record, from any thread and without waiting for the store.
///
/// The recorder is woken once per batch, so adding an item costs less than a microsecond.
public final class RecorderInbox: Sendable {
    private struct State {
        var waiting = WaitingItems()
        var isClosed = false
        var wake: Wake?
        /// Whether the recorder knows that something waits.
        var isCalled = false
        /// How many items were taken last.
        var lastCount = 0
    }

    /// Called for the first item after the recorder took those before it, and for one that must not wait for others;
    /// with whether it is such a one, and how many items were taken last.
    typealias Wake = @Sendable (_ isUrgent: Bool, _ lastCount: Int) -> Void

    private let state = Mutex(State())
    private let recordsReadings: Bool

    /// Creates an inbox whose items wait for a recorder.
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

    /// Adds an entry of the alarm log.
    public func append(_ entry: AlarmLogEntry) {
        append(.alarmLog(entry))
    }

    /// Adds a manual entry or its retraction, even if readings are not recorded.
    public func append(_ entry: RecordEntry) {
        append(.entry(entry))
    }

    /// Adds a decision for the next start, which is written at once: the program may be killed in the next moment.
    ///
    /// - Parameters:
    ///   - change: The decision.
    ///   - moment: When it was made.
    public func append(_ change: MemoryChange, at moment: Moment) {
        append(.memory(change, moment), isUrgent: true)
    }

    /// Adds the user's decision about a sensor, if an event is one.
    public func append(decisionOf event: MonitorEvent) {
        switch event.kind {
        case .remembered(let sensor): append(.remembered(sensor), at: event.moment)
        case .forgotten(let sensor): append(.forgotten(address: sensor.address), at: event.moment)
        default: break
        }
    }

    private func append(_ item: RecordedItem, isUrgent: Bool = false) {
        let call = state.withLock { state -> (wake: Wake, lastCount: Int)? in
            if state.isClosed { return nil }
            state.waiting.append(item)
            guard let wake = state.wake, isUrgent || !state.isCalled else { return nil }
            state.isCalled = true
            return (wake, state.lastCount)
        }
        if let call { call.wake(isUrgent, call.lastCount) }
    }

    /// Connects a recorder, which is called for new and waiting items.
    func open(_ wake: @escaping Wake) {
        let hasItems = state.withLock { state in
            state.wake = wake
            state.isCalled = !state.waiting.isEmpty
            return state.isCalled
        }
        if hasItems { wake(false, 0) }
    }

    /// Hands over everything that waits; the next item calls the recorder again.
    func drain() -> WaitingItems {
        state.withLock { state in
            defer { state.waiting = WaitingItems() }
            state.isCalled = false
            state.lastCount = state.waiting.count
            return state.waiting
        }
    }

    /// Drops everything from now on, because nothing will be written any more.
    public func close() {
        state.withLock { state in
            state.isClosed = true
            state.wake = nil
            state.waiting = WaitingItems()
        }
    }
}
