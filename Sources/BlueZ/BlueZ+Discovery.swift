import DBus
import EventLoop

/// What a discovery is to be like.
public struct DiscoveryFilter: Hashable, Sendable {
    /// Whether every advertisement is told, also one that repeats its data.
    public var includesDuplicates: Bool

    /// Makes a filter; it always asks for Bluetooth LE only.
    public init(includesDuplicates: Bool = false) {
        self.includesDuplicates = includesDuplicates
    }
}

/// A discovery that the caller wants on one adapter.
struct Discovery {
    var filter: DiscoveryFilter
    /// Whether a start is on its way.
    var isStarting = false
    var retry = Backoff(first: .seconds(1), last: .seconds(16))
    var timer: LoopTimer?
}

extension BlueZ {
    /// Begins to look for peripherals.
    ///
    /// From then on a discovery is *wanted* on this adapter, also when this throws: it is begun again by itself when the
    /// daemon or the adapter returns or is switched on, until ``stopDiscovery(on:)``. That one is going on already is a
    /// success.
    ///
    /// - Parameters:
    ///   - adapter: The adapter's object; `nil` for the first one that is on.
    ///   - filter: What it is to be like.
    /// - Throws: ``BlueZError``: `noAdapter`, `notReady` when the adapter is off, `unknownObject`.
    public func startDiscovery(
        on adapter: ObjectPath? = nil, _ filter: DiscoveryFilter = DiscoveryFilter()
    ) async throws(BlueZError) {
        let path = try resolve(adapter)
        if let timer = discoveries[path]?.timer { loop.cancel(timer) }
        discoveries[path] = Discovery(filter: filter)
        try await beginDiscovery(path)
    }

    /// Ends the discovery on an adapter, as far as it is ours, and wants none there any more.
    ///
    /// - Parameter adapter: The adapter's object; `nil` for all of them.
    /// - Throws: ``BlueZError``; not where there is nothing to stop.
    public func stopDiscovery(on adapter: ObjectPath? = nil) async throws(BlueZError) {
        let paths = adapter.map { [$0] } ?? Array(discoveries.keys)
        for path in paths {
            if let timer = discoveries.removeValue(forKey: path)?.timer { loop.cancel(timer) }
        }
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
        adapter.map { discoveries[$0] != nil } ?? !discoveries.isEmpty
    }

    func beginDiscovery(_ path: ObjectPath) async throws(BlueZError) {
        guard let filter = discoveries[path]?.filter else { return }
        discoveries[path]?.isStarting = true
        defer { discoveries[path]?.isStarting = false }
        // With any filter every advertisement is signalled; without one, a strength that did not change is not.
        let entries: [(String, DBusValue)] = [
            ("Transport", .string("le")), ("DuplicateData", .boolean(filter.includesDuplicates)),
        ]
        try await call(
            path, Name.adapter, "SetDiscoveryFilter", [.properties(entries)], timeout: .seconds(25))
        do {
            try await call(path, Name.adapter, "StartDiscovery", timeout: .seconds(25))
        } catch {
            // Ours is going on already; or the kernel still scans for a daemon that was killed, and then the new
            // daemon has refused: that `Discovering` stays false tells it, and the keeper tries again.
            guard error.kind == .inProgress else { throw error }
            keepDiscovery(path)
        }
    }
}
