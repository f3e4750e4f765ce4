import DBus

/// The objects of one bluetoothd on the bus, and the signals that tell of their changes.
///
/// Everything here happens on the loop's thread. What cannot be sent, because the connection is gone, has no reader.
final class BusTree {
    let connection: DBusConnection

    init(connection: DBusConnection) {
        self.connection = connection
    }

    func add(_ path: ObjectPath, _ interfaces: [ExportedInterface]) {
        try? connection.assumeIsolated { try $0.export(path, interfaces) }
    }

    func remove(_ path: ObjectPath, _ interfaces: [String]? = nil) {
        try? connection.assumeIsolated { try $0.unexport(path, interfaces) }
    }

    /// Changes properties and tells of it by one signal.
    func change(
        _ path: ObjectPath, _ interface: String, _ values: [(String, DBusValue)], invalidated: [String] = []
    ) {
        try? connection.assumeIsolated { try $0.setProperties(of: path, interface, values, invalidated: invalidated) }
    }

    /// Changes properties without a word.
    func changeSilently(
        _ path: ObjectPath, _ interface: String, _ values: [(String, DBusValue)], removed: [String] = []
    ) {
        connection.assumeIsolated { $0.setPropertiesSilently(of: path, interface, values, removed: removed) }
    }

    /// Calls a closure when everything that was said so far has reached the bus.
    func whenSent(_ done: @escaping () -> Void) {
        let done = LoopClosure(done)
        connection.assumeIsolated { $0.afterRoundTrip(done) }
    }
}

extension DBusConnection {
    fileprivate func afterRoundTrip(_ done: LoopClosure) {
        Task(executorPreference: loop) { await self.roundTrip(done) }
    }

    private func roundTrip(_ done: LoopClosure) async {
        // The bus answers in the order in which it is spoken to; that it is gone is an answer too.
        _ = try? await owner(of: "org.bluez")
        done.body()
    }
}

extension ObjectPath {
    /// A path below this one, or this one when the name is none.
    func child(_ name: String) -> ObjectPath {
        ObjectPath(self == .root ? "/\(name)" : "\(description)/\(name)") ?? self
    }

    static let bluez = ObjectPath.root.child("org").child("bluez")
}
