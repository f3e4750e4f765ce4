import DBus
import EventLoops

/// A discovery that the caller wants on one adapter.
struct Discovery {
    var filter: DiscoveryFilter
    /// Whether the daemon has said that ours goes on.
    var isRunning = false
    /// The owner that a start is on its way to.
    var startingEpoch: Int?
    var retry = Backoff(first: .seconds(1), last: .seconds(16))
    var timer: LoopTimer?
}

extension BluetoothCentral {
    /// Asks the daemon for the discovery that is wanted on an adapter.
    func beginDiscovery(_ path: ObjectPath) async throws(BlueZError) {
        guard let filter = discoveries[path]?.filter else { return }
        let epoch = ownerEpoch
        discoveries[path]?.startingEpoch = epoch
        defer {
            if discoveries[path]?.startingEpoch == epoch { discoveries[path]?.startingEpoch = nil }
        }
        // Quirk filter-wakes-signals: without any filter, a strength that did not change is not signalled.
        let entries: [(String, DBusValue)] = [
            ("Transport", .string("le")), ("DuplicateData", .boolean(filter.includesDuplicates)),
        ]
        try await call(path, Name.adapter, "SetDiscoveryFilter", [.properties(entries)], timeout: .seconds(25))
        guard discoveries[path] != nil, ownerEpoch == epoch else { return }
        do {
            try await call(path, Name.adapter, "StartDiscovery", timeout: .seconds(25))
            if ownerEpoch == epoch { discoveries[path]?.isRunning = true }
        } catch {
            guard error.kind == .inProgress else { throw error }
            guard ownerEpoch == epoch, discoveries[path]?.isRunning == false else { return }
            // Ours goes on already. Or, quirk scan-outlives-daemon: the kernel still scans for one that was killed, and
            // its successor has refused; then `Discovering` is false, and the next try succeeds.
            if tree.adapters[path]?.isDiscovering == true {
                discoveries[path]?.isRunning = true
            } else {
                retryDiscovery(path)
            }
        }
    }

    /// Sees to it that a wanted discovery goes on again after its adapter came, changed or went.
    ///
    /// Quirk discovery-is-forgotten: with the daemon, the adapter or its power every discovery is gone.
    func recordAdapter(_ change: ObjectChange, _ adapter: Adapter) {
        guard let discovery = discoveries[adapter.path] else { return }
        if change == .removed || !adapter.isPowered {
            suspendDiscovery(adapter.path)
        } else if adapter.isDiscovering {
            discoveries[adapter.path]?.retry.reset()
        } else if discovery.startingEpoch == ownerEpoch {
            // The answer decides.
        } else if discovery.isRunning {
            discoveries[adapter.path]?.isRunning = false
            retryDiscovery(adapter.path)
        } else if discovery.timer == nil {
            resumeDiscovery(adapter.path)
        }
    }

    /// Notes that no discovery goes on, and that nothing can be done about it for now.
    func suspendDiscovery(_ path: ObjectPath) {
        guard let discovery = discoveries[path] else { return }
        if let timer = discovery.timer { loop.cancel(timer) }
        discoveries[path] = Discovery(filter: discovery.filter, startingEpoch: discovery.startingEpoch)
    }

    /// Wants no discovery on an adapter any more.
    func forgetDiscovery(_ path: ObjectPath) {
        if let timer = discoveries.removeValue(forKey: path)?.timer { loop.cancel(timer) }
    }

    /// Tries again after a while.
    func retryDiscovery(_ path: ObjectPath) {
        guard discoveries[path] != nil, discoveries[path]?.timer == nil,
            let delay = discoveries[path]?.retry.next()
        else { return }
        discoveries[path]?.timer = loop.schedule(after: delay) { [weak self] in
            self?.assumeIsolated { bluez in
                bluez.discoveries[path]?.timer = nil
                bluez.resumeDiscovery(path)
            }
        }
    }

    private func resumeDiscovery(_ path: ObjectPath) {
        guard let discovery = discoveries[path], !discovery.isRunning, discovery.startingEpoch != ownerEpoch,
            tree.adapters[path]?.isPowered == true
        else { return }
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
