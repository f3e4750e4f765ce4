import DBus

// What the servers of this client's connection need.
extension BluetoothCentral {
    /// A path for the objects of another server, whose children they are.
    func newServerPath() -> ObjectPath {
        serverCount += 1
        return ObjectPath.root.child("served\(serverCount)")
    }

    /// Keeps a server alive as long as it serves.
    func keep(_ server: ServedApplication, at root: ObjectPath) {
        servers[root] = server
    }

    func release(_ root: ObjectPath) {
        servers[root] = nil
    }

    /// Ends all servers, because the connection ends.
    func forgetServers() {
        let servers = servers.values
        self.servers = [:]
        for server in servers { server.assumeIsolated { $0.forget() } }
    }

    /// Whether the daemon makes a call; a call of another program is counted as ignored.
    func isDaemon(_ call: IncomingCall) -> Bool {
        if call.sender == daemon.owner { return true }
        ignoreForeign(call.path.description)
        return false
    }

    /// The address of a central by its object; `nil` when the daemon does not list it.
    func address(of device: ObjectPath) -> BluetoothAddress? {
        tree.peripherals[device]?.address
    }

    /// Hands the daemon a value to notify or indicate; returns whether that was possible.
    ///
    /// It is addressed to the daemon alone, so that no other program on the bus sees it.
    func emit(_ octets: [UInt8], asValueOf characteristic: ObjectPath) async -> Bool {
        guard let connection, let owner = daemon.owner else { return false }
        do throws(DBusConnectionError) {
            try await connection.emit(
                characteristic, Name.properties, "PropertiesChanged",
                [.string(Name.characteristic), .properties([("Value", .bytes(octets))]), .strings([])], to: owner)
            return true
        } catch {
            return false
        }
    }
}
