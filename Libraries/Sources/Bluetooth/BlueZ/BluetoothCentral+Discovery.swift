import Base
import DBus
import EventLoops

/// The filter of a discovery.
public struct DiscoveryFilter: Hashable, Sendable {
    /// Whether every advertisement is reported, even without new data.
    public var includesDuplicates: Bool

    /// Creates a filter; it always selects Bluetooth LE only.
    public init(includesDuplicates: Bool = false) {
        self.includesDuplicates = includesDuplicates
    }
}

extension BluetoothCentral {
    /// Begins to look for peripherals.
    ///
    /// From then on a discovery is *wanted* on this adapter, also when this throws: it restarts by itself when the
    /// daemon or the adapter returns or is switched on, until ``stopDiscovery(on:)``. A discovery that runs already is
    /// a success.
    ///
    /// - Parameters:
    ///   - adapter: The adapter's object; `nil` for the first one that is on.
    ///   - filter: Its filter.
    /// - Throws: ``BlueZError``: `noAdapter`, `notReady` when the adapter is off, `unknownObject`.
    public func startDiscovery(
        on adapter: ObjectPath? = nil, _ filter: DiscoveryFilter = DiscoveryFilter()
    ) async throws(BlueZError) {
        searches.leaveDiscovery()
        try await wantDiscovery(on: adapter, filter)
    }

    /// Begins a discovery for the caller or for searches.
    func wantDiscovery(on adapter: ObjectPath?, _ filter: DiscoveryFilter) async throws(BlueZError) {
        let path = try resolve(adapter)
        discoveries.want(on: path, filter)
        do {
            try await beginDiscovery(path)
        } catch {
            retryDiscovery(path)
            throw error
        }
    }

    /// Ends our discovery on an adapter, and its automatic restart.
    ///
    /// - Parameter adapter: The adapter's object; `nil` for all of them.
    /// - Throws: ``BlueZError``; not where there is nothing to stop.
    public func stopDiscovery(on adapter: ObjectPath? = nil) async throws(BlueZError) {
        let paths = adapter.map { [$0] } ?? discoveries.adapters
        for path in paths { discoveries.forget(path) }
        if !discoveries.isWanted(on: nil) { searches.stop() }
        for path in paths {
            do {
                try await call(path, Name.adapter, "StopDiscovery", timeout: .seconds(25))
            } catch {
                switch error.kind {
                case .nothingToStop, .notReady, .unknownObject, .daemonGone, .busLost: break
                default: throw error
                }
            }
        }
    }

    /// Whether a discovery is wanted on an adapter, or on any.
    public func wantsDiscovery(on adapter: ObjectPath? = nil) -> Bool {
        discoveries.isWanted(on: adapter)
    }
}

extension BluetoothCentral {
    /// Asks the daemon for the wanted discovery of an adapter.
    func beginDiscovery(_ path: ObjectPath) async throws(BlueZError) {
        let epoch = daemon.epoch
        guard let filter = discoveries.beginStart(on: path, epoch: epoch) else { return }
        defer { discoveries.endStart(on: path, epoch: epoch) }
        // Quirk filter-wakes-signals: without any filter, an unchanged signal strength is not reported.
        let entries: [(String, DBusValue)] = [
            ("Transport", .string("le")), ("DuplicateData", .boolean(filter.includesDuplicates)),
        ]
        try await call(path, Name.adapter, "SetDiscoveryFilter", [.properties(entries)], timeout: .seconds(25))
        guard discoveries.isWanted(on: path), daemon.epoch == epoch else { return }
        do {
            try await call(path, Name.adapter, "StartDiscovery", timeout: .seconds(25))
            if daemon.epoch == epoch { discoveries.recordRunning(on: path) }
        } catch {
            guard error.kind == .inProgress else { throw error }
            guard daemon.epoch == epoch, discoveries.isRunning(on: path) == false else { return }
            // The discovery runs already. Or, quirk scan-outlives-daemon: the kernel still scans for a killed daemon,
            // so the new one refuses; then `Discovering` is false, and the next attempt succeeds.
            if tree.adapters[path]?.isDiscovering == true {
                discoveries.recordRunning(on: path)
            } else {
                retryDiscovery(path)
            }
        }
    }

    /// Resumes a wanted discovery after its adapter came, changed or went.
    func keepDiscovering(after change: ObjectChange, of adapter: Adapter) {
        switch discoveries.adapterChanged(change, adapter, epoch: daemon.epoch) {
        case .nothing: break
        case .resume: resumeDiscovery(adapter.path)
        case .retry: retryDiscovery(adapter.path)
        }
    }

    /// Tries again after a while.
    func retryDiscovery(_ path: ObjectPath) {
        discoveries.retry(path) { [weak self] in self?.assumeIsolated { $0.resumeDiscovery(path) } }
    }

    private func resumeDiscovery(_ path: ObjectPath) {
        guard discoveries.needsStart(on: path, epoch: daemon.epoch), tree.adapters[path]?.isPowered == true else {
            return
        }
        Task(executorPreference: loop) { await self.beginOrRetryDiscovery(path) }
    }

    private func beginOrRetryDiscovery(_ path: ObjectPath) async {
        do throws(BlueZError) {
            try await beginDiscovery(path)
        } catch {
            retryDiscovery(path)
        }
    }
}

/// The discoveries that the caller wants, one for each adapter at most; used on the loop only.
final class WantedDiscoveries {
    /// A discovery that is wanted on one adapter.
    private struct Discovery {
        var filter: DiscoveryFilter
        /// Whether the daemon has confirmed that ours runs.
        var isRunning = false
        /// The epoch of the daemon that a start request was sent to.
        var startingEpoch: Int?
        var retry = Backoff(first: .seconds(1), last: .seconds(16))
        var timer: LoopTimer?
    }

    /// What to do about a discovery after its adapter has changed.
    enum Advice: Hashable {
        case nothing
        /// Ask the daemon for it now.
        case resume
        /// Ask the daemon for it after a while.
        case retry
    }

    private let loop: EventLoop
    private var discoveries: [ObjectPath: Discovery] = [:]

    init(on loop: EventLoop) {
        self.loop = loop
    }

    var adapters: [ObjectPath] { Array(discoveries.keys) }

    /// Whether a discovery is wanted on an adapter, or on any.
    func isWanted(on adapter: ObjectPath?) -> Bool {
        adapter.map { discoveries[$0] != nil } ?? !discoveries.isEmpty
    }

    /// Whether the daemon has confirmed that ours runs; `nil` when none is wanted.
    func isRunning(on adapter: ObjectPath) -> Bool? { discoveries[adapter]?.isRunning }

    /// Records a wanted discovery; replaces any former one.
    func want(on adapter: ObjectPath, _ filter: DiscoveryFilter) {
        forget(adapter)
        discoveries[adapter] = Discovery(filter: filter)
    }

    /// Records that no discovery is wanted on an adapter.
    func forget(_ adapter: ObjectPath) {
        if let timer = discoveries.removeValue(forKey: adapter)?.timer { loop.cancel(timer) }
    }

    func forgetAll() { for adapter in adapters { forget(adapter) } }

    /// Records that no discovery runs, and none can be started at present.
    func suspend(_ adapter: ObjectPath) {
        guard let discovery = discoveries[adapter] else { return }
        if let timer = discovery.timer { loop.cancel(timer) }
        discoveries[adapter] = Discovery(filter: discovery.filter, startingEpoch: discovery.startingEpoch)
    }

    func suspendAll() { for adapter in adapters { suspend(adapter) } }

    /// Records that a start was requested from a daemon; returns the wanted filter, if any.
    func beginStart(on adapter: ObjectPath, epoch: Int) -> DiscoveryFilter? {
        discoveries[adapter]?.startingEpoch = epoch
        return discoveries[adapter]?.filter
    }

    /// Records that the daemon has answered a start, or that the request was abandoned.
    func endStart(on adapter: ObjectPath, epoch: Int) {
        if discoveries[adapter]?.startingEpoch == epoch { discoveries[adapter]?.startingEpoch = nil }
    }

    /// Records that the discovery runs.
    func recordRunning(on adapter: ObjectPath) { discoveries[adapter]?.isRunning = true }

    /// What to do after an adapter was added, changed or removed.
    ///
    /// Quirk discovery-is-forgotten: every discovery ends with the daemon, the adapter or its power.
    func adapterChanged(_ change: ObjectChange, _ adapter: Adapter, epoch: Int) -> Advice {
        guard let discovery = discoveries[adapter.path] else { return .nothing }
        if change == .removed || !adapter.isPowered {
            suspend(adapter.path)
            return .nothing
        }
        if adapter.isDiscovering {
            discoveries[adapter.path]?.retry.reset()
            return .nothing
        }
        // Its answer will decide.
        if discovery.startingEpoch == epoch { return .nothing }
        if discovery.isRunning {
            discoveries[adapter.path]?.isRunning = false
            return .retry
        }
        return discovery.timer == nil ? .resume : .nothing
    }

    /// Calls `resume` after a delay, unless that is planned already or no discovery is wanted.
    func retry(_ adapter: ObjectPath, _ resume: @escaping () -> Void) {
        guard discoveries[adapter] != nil, discoveries[adapter]?.timer == nil,
            let delay = discoveries[adapter]?.retry.next()
        else { return }
        discoveries[adapter]?.timer = loop.schedule(after: delay) { [weak self] in
            self?.discoveries[adapter]?.timer = nil
            resume()
        }
    }

    /// Whether a discovery is wanted but neither runs nor is being started.
    func needsStart(on adapter: ObjectPath, epoch: Int) -> Bool {
        guard let discovery = discoveries[adapter] else { return false }
        return !discovery.isRunning && discovery.startingEpoch != epoch
    }
}
