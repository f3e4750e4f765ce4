import Base
import CDBus
import EventLoops

/// A private connection to a message bus, as an actor that runs on an event loop's thread.
///
/// Actors that return the same loop as their executor call this one, and are called by it, without a hop.
public actor DBusConnection {
    /// The loop that runs this actor.
    public nonisolated let loop: EventLoop

    /// The unique name assigned by the bus, such as `:1.42`.
    public nonisolated let uniqueName: String

    /// Runs this actor on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let transport: Transport
    var signalHandlers: [SignalHandler] = []
    var lastHandlerIdentifier: UInt64 = 0
    var exports = ExportTable()
    private var disconnectHandlers: [@Sendable () -> Void] = []

    /// Whether the connection has been lost or closed.
    public private(set) var isDisconnected = false
    private var isClosed = false

    /// Connects to a bus.
    ///
    /// It does not block the loop's thread.
    ///
    /// - Parameters:
    ///   - address: The bus to connect to.
    ///   - loop: The loop that drives the connection; it must be running, or be started soon.
    ///   - limit: How long the bus may take to accept the connection and to answer.
    /// - Throws: ``DBusConnectionError/cannotConnect(name:message:)``.
    public static func connect(
        to address: BusAddress, on loop: EventLoop, within limit: Duration = .seconds(10)
    ) async throws(DBusConnectionError) -> DBusConnection {
        let connector = Connector(loop: loop)
        return try await connector.connect(to: address, within: limit)
    }

    // Isolated, because the last reference may be released on any thread, while libdbus and the loop belong to the
    // loop's thread.
    isolated deinit {
        for handler in signalHandlers { handler.end() }
        transport.close()
    }

    init(transport: Transport, uniqueName: String, loop: EventLoop) {
        self.loop = loop
        self.transport = transport
        self.uniqueName = uniqueName
    }

    /// Starts to receive messages; call it once, before the connection is shared.
    func start() {
        let receive = loop.handler { (connection: isolated DBusConnection, message: borrowing LentMessage) in
            connection.receive(message.pointer)
        }
        transport.receive = { [weak self] message in
            guard let self else { return false }
            return receive(self, LentMessage(pointer: message))
        }
    }

    // MARK: Calls

    /// Calls a method and waits for its answer.
    ///
    /// - Parameters:
    ///   - destination: The well-known or unique name of the callee.
    ///   - path: The object.
    ///   - interface: The interface that the method belongs to.
    ///   - member: The method.
    ///   - arguments: The arguments.
    ///   - timeout: How long to wait for the answer.
    /// - Returns: The values of the answer.
    /// - Throws: ``DBusConnectionError``.
    @discardableResult
    public func call(
        _ destination: String, _ path: ObjectPath, _ interface: String, _ member: String,
        _ arguments: [DBusValue] = [], timeout: Duration = .seconds(25)
    ) async throws(DBusConnectionError) -> [DBusValue] {
        let message = try OutgoingMessage.call(destination, path, interface, member)
        defer { dbus_message_unref(message) }
        try MessageWriter.append(arguments, to: message)
        if isDisconnected { throw .disconnected }
        let outgoing = LentMessage(pointer: message)
        let milliseconds = Int32(clamping: max(0, timeout.nanoseconds) / 1_000_000)
        // Quirk resumed-through-the-pool: unless the task prefers another executor.
        let reply = await withTaskExecutorPreference(loop) {
            await withCheckedContinuation { (continuation: CheckedContinuation<Reply, Never>) in
                transport.send(outgoing.pointer, timeoutMilliseconds: milliseconds, continuation)
            }
        }
        return try reply.values()
    }

    /// Calls a method without waiting for an answer, which is not sent.
    ///
    /// - Parameters:
    ///   - destination: The well-known or unique name of the callee.
    ///   - path: The object.
    ///   - interface: The interface that the method belongs to.
    ///   - member: The method.
    ///   - arguments: The arguments.
    /// - Throws: ``DBusConnectionError/invalidMessage(_:)`` or ``DBusConnectionError/disconnected``.
    public func tell(
        _ destination: String, _ path: ObjectPath, _ interface: String, _ member: String,
        _ arguments: [DBusValue] = []
    ) throws(DBusConnectionError) {
        let message = try OutgoingMessage.call(destination, path, interface, member)
        defer { dbus_message_unref(message) }
        dbus_message_set_no_reply(message, 1)
        try MessageWriter.append(arguments, to: message)
        try send(message)
    }

    /// Emits a signal.
    ///
    /// - Parameters:
    ///   - path: The object that emitted it.
    ///   - interface: The interface that it belongs to.
    ///   - member: Its name.
    ///   - arguments: Its arguments.
    ///   - destination: The unique name of the only receiver; `nil` for every connection whose match rules fit.
    /// - Throws: ``DBusConnectionError/invalidMessage(_:)`` or ``DBusConnectionError/disconnected``.
    public func emit(
        _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [DBusValue],
        to destination: String? = nil
    ) throws(DBusConnectionError) {
        let message = try OutgoingMessage.signal(path, interface, member, to: destination)
        defer { dbus_message_unref(message) }
        try MessageWriter.append(arguments, to: message)
        try send(message)
    }

    /// Sends a message that needs no answer.
    func send(_ message: OpaquePointer) throws(DBusConnectionError) {
        guard !isDisconnected, dbus_connection_send(transport.connection, message, nil) != 0 else {
            throw .disconnected
        }
    }

    // MARK: Names

    /// Requests a well-known name, such as `org.bluez`.
    ///
    /// - Returns: Whether this connection owns the name now; `false` when another one does.
    /// - Throws: ``DBusConnectionError``, for instance when the bus's policy forbids it.
    public func requestName(_ name: String) async throws(DBusConnectionError) -> Bool {
        // 4: do not queue for the name.
        let reply = try await callBus("RequestName", [.string(name), .uint32(4)])
        // 1: primary owner; 4: already the owner.
        return reply.first?.integer == 1 || reply.first?.integer == 4
    }

    /// Releases a well-known name.
    public func releaseName(_ name: String) async throws(DBusConnectionError) {
        try await callBus("ReleaseName", [.string(name)])
    }

    /// The unique name of the owner of a well-known name, or `nil` without an owner.
    public func owner(of name: String) async throws(DBusConnectionError) -> String? {
        do {
            return try await callBus("GetNameOwner", [.string(name)]).first?.text
        } catch {
            if error.name == "org.freedesktop.DBus.Error.NameHasNoOwner" { return nil }
            throw error
        }
    }

    /// The identifier of the bus, new at each start of the bus.
    public func busIdentifier() async throws(DBusConnectionError) -> String? {
        try await callBus("GetId", []).first?.text
    }

    /// Calls a method of the bus itself.
    @discardableResult
    func callBus(_ member: String, _ arguments: [DBusValue]) async throws(DBusConnectionError) -> [DBusValue] {
        try await call(
            "org.freedesktop.DBus", ObjectPath(checked: "/org/freedesktop/DBus"), "org.freedesktop.DBus", member,
            arguments, timeout: Self.busLimit)
    }

    /// The timeout for answers of the bus itself.
    private static let busLimit = Duration.seconds(10)

    // MARK: The end

    /// Calls a handler once when the connection is lost, at once if it is lost already; not after ``close()``.
    public func onDisconnect(_ handler: @escaping @Sendable () -> Void) {
        if isClosed { return }
        if isDisconnected { handler() } else { disconnectHandlers.append(handler) }
    }

    /// Ends the connection; pending calls fail with ``DBusConnectionError/disconnected``.
    public func close() {
        isClosed = true
        disconnectHandlers = []
        end()
    }

    private func end() {
        if isDisconnected { return }
        isDisconnected = true
        transport.close()
        for handler in signalHandlers { handler.end() }
        signalHandlers = []
        let handlers = disconnectHandlers
        disconnectHandlers = []
        for handler in handlers { handler() }
    }

    // MARK: Receiving

    private func receive(_ message: OpaquePointer) -> Bool {
        switch dbus_message_get_type(message) {
        case DBUS_MESSAGE_TYPE_SIGNAL:
            if dbus_message_is_signal(message, "org.freedesktop.DBus.Local", "Disconnected") != 0 {
                end()
            } else {
                deliver(signal: message)
            }
            return true
        case DBUS_MESSAGE_TYPE_METHOD_CALL:
            return answer(call: message)
        default:
            return false
        }
    }
}

/// Creates connections on a loop's thread, before there is an actor to do it.
private actor Connector {
    let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) {
        self.loop = loop
    }

    func connect(to address: BusAddress, within limit: Duration) async throws(DBusConnectionError) -> DBusConnection {
        let start = Timestamp.monotonicNow()
        let open = try await ConnectionAttempt.open(address.text, within: limit, on: loop)
        // `nonisolated(unsafe)`: it goes from this actor to the connection's, which runs on the same thread.
        nonisolated(unsafe) let transport = Transport(open, on: loop)
        let rest = limit - .nanoseconds(Timestamp.monotonicNow() - start)
        do throws(DBusConnectionError) {
            let uniqueName = try await transport.sayHello(within: rest)
            let connection = DBusConnection(transport: transport, uniqueName: uniqueName, loop: loop)
            await connection.start()
            return connection
        } catch {
            transport.close()
            throw error
        }
    }
}

/// A message that is borrowed for one call on the actor's thread.
private struct LentMessage: @unchecked Sendable {
    // `@unchecked Sendable`: it only crosses formal boundaries (`assumeIsolated`, a continuation), synchronously.
    let pointer: OpaquePointer
}

/// Why something on the bus failed.
public enum DBusConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The other side answered with an error; `name` is the D-Bus error name, such as `org.bluez.Error.InProgress`.
    case remote(name: String, message: String)
    /// No answer came in time.
    case timedOut
    /// The connection to the bus is lost.
    case disconnected
    /// The bus could not be reached; `name` is libdbus's error name.
    case cannotConnect(name: String, message: String)
    /// A name, path or value to send is not allowed by D-Bus.
    case invalidMessage(String)
    /// An answer does not have the types that were expected.
    case unexpectedReply(expected: String, found: String)

    /// The bus, or the process at its address, does not answer.
    static let noAnswer = cannotConnect(name: noReply, message: "it does not answer")

    /// The name of the error for a missing answer.
    static let noReply = "org.freedesktop.DBus.Error.NoReply"

    /// Whether a bus did not answer within the limit.
    public var isWithoutAnswer: Bool { self == Self.noAnswer }

    /// The D-Bus error name of a ``remote(name:message:)`` failure; otherwise `nil`.
    public var name: String? {
        switch self {
        case .remote(let name, _), .cannotConnect(let name, _): name
        default: nil
        }
    }

    /// What happened, for a log.
    public var description: String {
        switch self {
        case .remote(let name, let message): message.isEmpty ? name : "\(name): \(message)"
        case .timedOut: "no answer in time"
        case .disconnected: "the connection to the bus is gone"
        case .cannotConnect(_, let message): message
        case .invalidMessage(let reason): reason
        case .unexpectedReply(let expected, let found):
            "an answer of type '\(found)' came where '\(expected)' was expected"
        }
    }
}
