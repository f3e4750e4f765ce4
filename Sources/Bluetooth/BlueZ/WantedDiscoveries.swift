import Base
import DBus
import EventLoops

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
