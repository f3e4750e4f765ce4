import DBus

/// Creates exported methods whose handlers run on the simulator's loop.
struct MethodTable: Sendable {
    private let simulator: SimulatorReference

    init(_ simulator: Simulator) {
        self.simulator = SimulatorReference(simulator)
    }

    /// A method that answers through an ``Answer``.
    func method(
        _ name: String, _ input: String = "", _ output: String = "",
        _ body: @escaping @Sendable (isolated Simulator, IncomingCall, Answer) -> Void
    ) -> ExportedMethod {
        ExportedMethod(name, input: input, output: output) {
            [simulator] (call: IncomingCall) async throws(DBusConnectionError) -> [DBusValue] in
            guard let simulator = simulator.value else { throw .disconnected }
            return try await simulator.answer(call, body)
        }
    }

    /// A method that always fails.
    func failing(_ name: String, _ input: String, _ output: String, _ failure: DBusConnectionError) -> ExportedMethod {
        method(name, input, output) { _, _, answer in answer.fail(failure) }
    }

    /// The handler that sets the properties of an object.
    func setter(
        _ body: @escaping @Sendable (isolated Simulator, String, DBusValue, Answer) -> Void
    ) -> @Sendable (String, DBusValue) async throws(DBusConnectionError) -> Void {
        { [simulator] (name: String, value: DBusValue) async throws(DBusConnectionError) in
            guard let simulator = simulator.value else { throw .disconnected }
            try await simulator.set(name, value, body)
        }
    }
}

/// A weak reference: objects on the bus do not keep the simulator alive.
private final class SimulatorReference: Sendable {
    // A weak reference must be a variable; it is never assigned.
    nonisolated(unsafe) private(set) weak var value: Simulator?

    init(_ simulator: Simulator) {
        value = simulator
    }
}
