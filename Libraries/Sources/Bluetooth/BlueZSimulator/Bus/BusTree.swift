import DBus

/// The objects of one bluetoothd on the bus, and the signals of their changes.
///
/// Use it on the loop's thread only. Errors of a lost connection are ignored.
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

    /// Changes properties and emits one signal.
    func change(
        _ path: ObjectPath, _ interface: String, _ values: [(String, DBusValue)], invalidated: [String] = []
    ) {
        try? connection.assumeIsolated { try $0.setProperties(of: path, interface, values, invalidated: invalidated) }
    }

    /// Changes properties without a signal.
    func changeSilently(
        _ path: ObjectPath, _ interface: String, _ values: [(String, DBusValue)], removed: [String] = []
    ) {
        connection.assumeIsolated { $0.setPropertiesSilently(of: path, interface, values, removed: removed) }
    }

    /// Calls a method of a client's agent; `done` receives the answer.
    func call(
        _ agent: Agents.Agent, _ member: String, _ arguments: [DBusValue],
        _ done: @escaping (Result<[DBusValue], DBusConnectionError>) -> Void
    ) {
        let done = LoopResult(done)
        connection.assumeIsolated { $0.callAgent(agent, member, arguments, done) }
    }

    /// Calls a method of a client without waiting for its answer.
    func tell(
        _ client: String, _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [DBusValue] = []
    ) {
        try? connection.assumeIsolated { try $0.tell(client, path, interface, member, arguments) }
    }

    /// Calls a closure when everything sent so far has reached the bus.
    func onSent(_ done: @escaping () -> Void) {
        let done = LoopClosure(done)
        connection.assumeIsolated { $0.afterRoundTrip(done) }
    }
}

/// A closure for an answer that is called on the loop's thread only.
private struct LoopResult: @unchecked Sendable {
    // `@unchecked Sendable`: it is created and called on the simulator's loop, and only passed through its tasks.
    let body: (Result<[DBusValue], DBusConnectionError>) -> Void

    init(_ body: @escaping (Result<[DBusValue], DBusConnectionError>) -> Void) {
        self.body = body
    }
}

extension DBusConnection {
    fileprivate func callAgent(
        _ agent: Agents.Agent, _ member: String, _ arguments: [DBusValue], _ done: LoopResult
    ) {
        Task(executorPreference: loop) { await self.carryOutAgentCall(agent, member, arguments, done) }
    }

    private func carryOutAgentCall(
        _ agent: Agents.Agent, _ member: String, _ arguments: [DBusValue], _ done: LoopResult
    ) async {
        do throws(DBusConnectionError) {
            // The same limit as bluetoothd's for an agent (`REQUEST_TIMEOUT`).
            done.body(
                .success(
                    try await call(
                        agent.client, agent.path, "org.bluez.Agent1", member, arguments, timeout: .seconds(60))))
        } catch {
            done.body(.failure(error))
        }
    }

    fileprivate func afterRoundTrip(_ done: LoopClosure) {
        Task(executorPreference: loop) { await self.roundTrip(done) }
    }

    private func roundTrip(_ done: LoopClosure) async {
        // The bus answers in order; an error counts as an answer, too.
        _ = try? await owner(of: "org.bluez")
        done.body()
    }
}

extension ObjectPath {
    static let bluez = ObjectPath.root.child("org").child("bluez")
}
