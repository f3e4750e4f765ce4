import DBus

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
