import DBus

/// The client, daemon and bus of a session; their names are unique for the life of the bus.
public struct BusIdentity: Hashable, Sendable {
    /// The identifier of the bus, which it chooses at each start.
    public var bus: String
    /// The unique name of the daemon.
    public var daemon: String
    /// The unique name of this client.
    public var client: String

    public init(bus: String, daemon: String, client: String) {
        (self.bus, self.daemon, self.client) = (bus, daemon, client)
    }
}

extension BluetoothCentral {
    /// The names of this client, the daemon and the bus; `nil` without a daemon, or when the bus does not report them.
    public func identity() async -> BusIdentity? {
        guard let connection, let owner = daemon.owner else { return nil }
        if bus.identifier == nil {
            let identifier = try? await connection.busIdentifier()
            guard self.connection === connection, daemon.owner == owner else { return nil }
            bus.recordIdentifier(identifier)
        }
        return bus.identifier.map { BusIdentity(bus: $0, daemon: owner, client: connection.uniqueName) }
    }

    /// Whether a program is on the bus; `true` when unknown.
    ///
    /// - Parameter name: The program's unique name.
    public func isOnBus(_ name: String) async -> Bool {
        guard let connection else { return true }
        do throws(DBusConnectionError) {
            return try await connection.owner(of: name) != nil
        } catch {
            return true
        }
    }

    /// Returns when everything that the daemon and the bus sent before this call has been handled.
    ///
    /// Messages on a bus keep their order, so the answer to a call follows what its sender sent before. Without an
    /// answer, nothing is pending.
    ///
    /// - Parameter limit: How long to wait at most.
    public func handleBacklog(within limit: Duration) async {
        guard let connection else { return }
        restartAnswerWatch()
        await ping(daemon.owner ?? Name.bus, on: connection, timeout: limit)
    }
}
