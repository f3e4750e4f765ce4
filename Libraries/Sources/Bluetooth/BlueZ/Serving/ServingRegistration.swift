import Base
import DBus

/// What of a served device is registered with the daemon, and what to do next.
///
/// The daemon forgets both registrations when it ends and when the adapter is removed. Without power nothing is
/// advertised, and the advertisement is registered anew when the power is back.
struct ServingRegistration {
    /// A call to make.
    enum Step: Hashable {
        /// Register the services with this adapter.
        case services(ObjectPath)
        /// Register the advertisement with this adapter.
        case advertisement(ObjectPath)
    }

    /// The effect of an event.
    enum Change: Hashable {
        /// Nothing has changed.
        case nothing
        /// The state or the next step may have changed.
        case changed
        /// Nothing is registered any more, and the centrals' subscriptions have ended.
        case lost
    }

    /// The only adapter to use; `nil` for any.
    private let wantedAdapter: ObjectPath?
    private let isAdvertisementWanted: Bool
    private var isBusConnected = false
    private var isDaemonRunning = false
    /// The adapters, and whether they are on.
    private var adapters: [ObjectPath: Bool] = [:]
    /// The adapter that the services are registered with.
    private(set) var servicesAdapter: ObjectPath?
    /// Whether the advertisement is registered with that adapter.
    private(set) var isAdvertising = false
    /// Whether nothing more is to be registered.
    private(set) var isEnded = false
    /// Why the last step failed; no step is taken until the retry.
    private var failure: BlueZError?
    private var retry = Backoff(first: .seconds(1), last: .seconds(30))
    /// Counts what invalidates answers that are still to come.
    private(set) var epoch = 0

    /// Begins with nothing registered.
    ///
    /// - Parameters:
    ///   - adapter: The only adapter to use; `nil` for the first one that is on.
    ///   - isAdvertising: Whether the services are to be advertised.
    init(on adapter: ObjectPath?, isAdvertising: Bool) {
        wantedAdapter = adapter
        isAdvertisementWanted = isAdvertising
    }

    // MARK: What happens

    /// Applies an event of bus, daemon or adapters.
    mutating func handle(_ kind: BlueZEvent.Kind) -> Change {
        switch kind {
        case .bus(let state):
            isBusConnected = state.isConnected
            return isBusConnected ? .changed : loseDaemon()
        case .daemon(let state):
            isDaemonRunning = state.isRunning
            return isDaemonRunning ? .changed : loseDaemon()
        case .adapter(.removed, let adapter):
            adapters[adapter.path] = nil
            epoch += 1
            return adapter.path == servicesAdapter ? forgetRegistrations() : .changed
        case .adapter(_, let adapter):
            let old = adapters.updateValue(adapter.isPowered, forKey: adapter.path)
            guard old != adapter.isPowered else { return .nothing }
            // What was refused may be possible now.
            beginAnew()
            if !adapter.isPowered {
                epoch += 1
                if adapter.path == servicesAdapter { isAdvertising = false }
            }
            return .changed
        case .peripheral, .connected, .disconnected, .servicesResolved, .servicesChanged, .notification:
            return .nothing
        }
    }

    private mutating func loseDaemon() -> Change {
        isDaemonRunning = false
        adapters = [:]
        return forgetRegistrations()
    }

    private mutating func forgetRegistrations() -> Change {
        epoch += 1
        servicesAdapter = nil
        isAdvertising = false
        beginAnew()
        return .lost
    }

    /// Records that nothing more is to be registered.
    mutating func end() { isEnded = true }

    private mutating func beginAnew() {
        failure = nil
        retry.reset()
    }

    // MARK: What to do

    /// The adapter to serve on.
    private var adapter: ObjectPath? {
        if let servicesAdapter { return servicesAdapter }
        if let wantedAdapter { return adapters[wantedAdapter] == nil ? nil : wantedAdapter }
        let sorted = adapters.sorted { $0.key.description < $1.key.description }
        return (sorted.first { $0.value } ?? sorted.first)?.key
    }

    /// The next call, if one is due.
    var nextStep: Step? {
        guard !isEnded, failure == nil, isDaemonRunning, let adapter, adapters[adapter] == true else { return nil }
        if servicesAdapter == nil { return .services(adapter) }
        return isAdvertisementWanted && !isAdvertising ? .advertisement(adapter) : nil
    }

    /// Records a success, unless its answer is out of date.
    mutating func succeeded(_ step: Step, in epoch: Int) {
        guard epoch == self.epoch else { return }
        switch step {
        case .services(let adapter): servicesAdapter = adapter
        case .advertisement: isAdvertising = true
        }
        retry.reset()
    }

    /// Records a failure; returns after which delay to call ``retryIsDue(in:)``, or `nil` when its answer is out of
    /// date.
    mutating func failed(_ error: BlueZError, in epoch: Int) -> Duration? {
        guard epoch == self.epoch else { return nil }
        failure = error
        return retry.next()
    }

    /// Records that the daemon no longer advertises; returns after which delay to call ``retryIsDue(in:)``.
    mutating func released() -> Duration? {
        guard isAdvertising else { return nil }
        isAdvertising = false
        return failed(BlueZError(.cancelled, text: "the advertisement was released"), in: epoch)
    }

    /// Lets the next step be taken again after a failure.
    mutating func retryIsDue(in epoch: Int) {
        if epoch == self.epoch { failure = nil }
    }

    // MARK: What there is

    /// The state for users.
    var state: ServingState {
        if !isBusConnected { return .waitingForBus }
        if !isDaemonRunning { return .waitingForDaemon }
        guard let adapter, let isPowered = adapters[adapter] else { return .waitingForAdapter }
        if !isPowered { return .adapterOff }
        if let failure { return .refused(failure) }
        return nextStep == nil ? .serving(on: adapter) : .registering
    }
}
