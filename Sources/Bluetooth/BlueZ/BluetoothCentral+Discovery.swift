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
