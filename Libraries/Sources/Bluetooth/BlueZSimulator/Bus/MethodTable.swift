import BluetoothValues
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

    /// A method without an answer of its own, which takes a while.
    func asynchronous(
        _ name: String, _ input: String,
        _ body: @escaping @Sendable (isolated Simulator, IncomingCall) async throws(DBusConnectionError) -> Void
    ) -> ExportedMethod {
        ExportedMethod(name, input: input) {
            [simulator] (call: IncomingCall) async throws(DBusConnectionError) -> [DBusValue] in
            guard let simulator = simulator.value else { throw .disconnected }
            try await body(simulator, call)
            return []
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

/// The pending answer to a call.
final class Answer {
    private var give: ((Result<[DBusValue], DBusConnectionError>) -> Void)?

    init(_ continuation: CheckedContinuation<Result<[DBusValue], DBusConnectionError>, Never>) {
        give = { continuation.resume(returning: $0) }
    }

    /// Creates an answer for an internal call.
    init(_ give: @escaping (Result<[DBusValue], DBusConnectionError>) -> Void) {
        self.give = give
    }

    deinit {
        // The connection is closed, as after a SIGKILL, so this is not sent.
        fail(.disconnected)
    }

    func succeed(_ values: [DBusValue] = []) {
        answer(.success(values))
    }

    /// Fails the call; only the first answer counts.
    func fail(_ failure: DBusConnectionError) {
        answer(.failure(failure))
    }

    private func answer(_ result: Result<[DBusValue], DBusConnectionError>) {
        guard let give else { return }
        self.give = nil
        give(result)
    }
}

extension DBusConnectionError {
    /// An error of bluetoothd, with the texts of BlueZ 5.66.
    private static func bluez(_ name: String, _ message: String) -> DBusConnectionError {
        .remote(name: "org.bluez.Error.\(name)", message: message)
    }

    static func failed(_ message: String) -> DBusConnectionError { bluez("Failed", message) }
    static let inProgress = bluez("InProgress", "Operation already in progress")
    static let notifyInProgress = bluez("InProgress", "In Progress")
    static let notReady = bluez("NotReady", "Resource Not Ready")
    static let busy = bluez("Busy", "")
    static let doesNotExist = bluez("DoesNotExist", "Does Not Exist")
    static let alreadyExists = bluez("AlreadyExists", "Already Exists")
    static let notSupported = bluez("NotSupported", "Operation is not supported")
    static let invalidArguments = bluez("InvalidArguments", "Invalid arguments in method call")
    static let invalidOffset = bluez("InvalidOffset", "Invalid offset")
    static func notPermitted(_ message: String) -> DBusConnectionError { bluez("NotPermitted", message) }
    static func attribute(_ code: UInt8) -> DBusConnectionError {
        failed("Operation failed with ATT error: 0x\(Hexadecimal.text(UInt64(code), digits: 2).lowercased())")
    }
    static let notConnected = failed("Not connected")
    static let inputOutput = failed("Input/output error")
    static let connectionAborted = failed("le-connection-abort-by-local")
    static let connectionCancelled = failed("br-connection-canceled")
}
