import Monitoring
import Synchronization
import Vitals

/// Takes in what is to be recorded, from any thread and without ever waiting for the store.
///
/// The recorder is woken once for a batch, not for each item, so giving costs less than a microsecond.
public final class RecorderInbox: Sendable {
    private struct State {
        var waiting = WaitingItems()
        var isClosed = false
        /// Called for the first item after the recorder went to sleep.
        var wake: (@Sendable () -> Void)?
        var isAwake = false
    }

    private let state = Mutex(State())
    private let recordsReadings: Bool

    /// Creates an inbox in which everything waits until a recorder takes it.
    ///
    /// - Parameter recordsReadings: Whether readings and what belongs to them are recorded; the alarm log always is.
    public init(recordsReadings: Bool = true) {
        self.recordsReadings = recordsReadings
    }

    /// Takes an event of the one stream, if it is one that is recorded.
    public func append(_ event: MonitorEvent) {
        guard recordsReadings else { return }
        switch event.kind {
        case .reading(let reading): append(.reading(reading))
        case .gap(let gap): append(.gap(gap))
        case .malformed(let sensor, let malformed):
            append(
                RawNotification(
                    source: .sensor(sensor), characteristic: malformed.characteristic, octets: malformed.octets,
                    moment: event.moment, mistake: malformed.reason))
        default: break
        }
    }

    /// Takes octets as they came over the air.
    public func append(_ notification: RawNotification) {
        if recordsReadings { append(.notification(notification)) }
    }

    /// Takes a reading that no sensor has sent: a silence, a lost link.
    public func append(_ reading: Reading) {
        if recordsReadings { append(.reading(reading)) }
    }

    /// Takes a line of the alarm log.
    public func append(_ entry: AlarmLogEntry) {
        append(.entry(entry))
    }

    /// Takes what somebody has typed, or that it was taken back; it is kept even where readings are not recorded.
    public func append(_ entry: ManualEntry) {
        append(.manual(entry))
    }

    private func append(_ item: RecordedItem) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            if state.isClosed { return nil }
            state.waiting.append(item)
            if state.isAwake { return nil }
            state.isAwake = state.wake != nil
            return state.wake
        }
        wake?()
    }

    /// Has a recorder told of what comes, and of what has come already.
    func open(_ wake: @escaping @Sendable () -> Void) {
        let hasItems = state.withLock { state in
            state.wake = wake
            state.isAwake = !state.waiting.isEmpty
            return state.isAwake
        }
        if hasItems { wake() }
    }

    /// Hands over everything that waits; the recorder is taken to be awake.
    func drain() -> WaitingItems {
        state.withLock { state in
            defer { state.waiting = WaitingItems() }
            return state.waiting
        }
    }

    /// Has the next item wake the recorder.
    ///
    /// - Returns: `false` when something waits already: the recorder stays awake and should write it.
    func goToSleep() -> Bool {
        state.withLock { state in
            state.isAwake = !state.waiting.isEmpty
            return !state.isAwake
        }
    }

    /// Takes nothing any more, because nobody will write it.
    public func close() {
        state.withLock { state in
            state.isClosed = true
            state.wake = nil
            state.waiting = WaitingItems()
        }
    }
}
