import CDBus
import EventLoops
import Synchronization

/// An attempt to open a bus's socket, on a temporary thread.
///
/// Quirk libdbus-blocks: libdbus waits without limit for a socket that is not accepted. A thread that hangs there
/// cannot be ended, so a caller whose time is up abandons it, and the next caller for the same bus waits for the same
/// thread: there are never more threads than callers at a time.
final class ConnectionAttempt: Sendable {
    typealias Outcome = Result<OpenConnection, DBusConnectionError>

    private struct State {
        /// Whether a caller waits, or is about to.
        var isWanted = true
        var waiter: CheckedContinuation<Outcome?, Never>?
        /// The outcome, if it came before the wait.
        var outcome: Outcome?
        var isOver = false
    }

    /// Abandoned attempts, by address.
    private static let leftBehind = Mutex<[String: [ConnectionAttempt]]>([:])

    private let address: String
    private let state = Mutex(State())

    /// Opens a bus's socket.
    ///
    /// - Parameters:
    ///   - address: The bus's D-Bus address.
    ///   - limit: How long the caller waits.
    ///   - loop: The loop on whose thread the caller is.
    /// - Throws: ``DBusConnectionError/cannotConnect(name:message:)``.
    static func open(
        _ address: String, within limit: Duration, on loop: EventLoop, isolation: isolated (any Actor)? = #isolation
    ) async throws(DBusConnectionError) -> OpenConnection {
        let attempt = adoptOrBegin(address)
        let timer = loop.schedule(after: limit) { attempt.leaveBehind() }
        // Quirk resumed-through-the-pool: unless the task prefers another executor.
        let outcome = await withTaskExecutorPreference(loop) {
            await withCheckedContinuation { attempt.wait($0) }
        }
        loop.cancel(timer)
        guard let outcome else { throw .noAnswer }
        return try outcome.get()
    }

    /// The number of abandoned attempts at an address.
    static func leftBehindCount(_ address: String) -> Int {
        leftBehind.withLock { $0[address]?.count ?? 0 }
    }

    private static func adoptOrBegin(_ address: String) -> ConnectionAttempt {
        while let earlier = leftBehind.withLock({ $0[address]?.popLast() }) {
            if earlier.adopt() { return earlier }
        }
        let attempt = ConnectionAttempt(address)
        let thread = EventLoop()
        thread.startThread(named: "connecting")
        Task(executorPreference: thread) {
            do throws(DBusConnectionError) {
                attempt.finish(.success(try OpenConnection(to: address)))
            } catch {
                attempt.finish(.failure(error))
            }
            thread.stop()
        }
        return attempt
    }

    private init(_ address: String) {
        self.address = address
    }

    /// Continues this attempt for another caller; returns `false` when it is over.
    private func adopt() -> Bool {
        state.withLock { state in
            state.isWanted = !state.isOver
            return state.isWanted
        }
    }

    private func wait(_ waiter: CheckedContinuation<Outcome?, Never>) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiter = waiter }
            return state.outcome
        }
        if let outcome { waiter.resume(returning: outcome) }
    }

    /// Abandons the attempt; its thread may continue to hang.
    private func leaveBehind() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            state.isWanted = state.waiter == nil
            return state.waiter
        }
        guard let waiter else { return }
        Self.leftBehind.withLock { $0[address, default: []].append(self) }
        waiter.resume(returning: nil)
    }

    private func finish(_ outcome: Outcome) {
        let (waiter, isWanted) = state.withLock { state in
            defer { state.waiter = nil }
            state.isOver = true
            if state.isWanted { state.outcome = outcome }
            return (state.waiter, state.isWanted)
        }
        waiter?.resume(returning: outcome)
        // It came too late.
        if !isWanted, case .success(let connection) = outcome { connection.close() }
    }
}

/// A libdbus connection whose socket is open but not yet in use.
struct OpenConnection: @unchecked Sendable {
    // `@unchecked Sendable`: libdbus locks it, and it is handed from the thread that opens it to the loop that uses it.

    let pointer: OpaquePointer

    /// Opens the socket; waits for as long as it takes (quirk libdbus-blocks).
    init(to address: String) throws(DBusConnectionError) {
        var error = cdbus_error()
        defer { dbus_error_free(&error) }
        guard let pointer = dbus_connection_open_private(address, &error) else {
            let name = error.name.map { String(cString: $0) } ?? "org.freedesktop.DBus.Error.Failed"
            let message = error.message.map { String(cString: $0) } ?? "the bus did not say why"
            throw .cannotConnect(name: name, message: message)
        }
        self.pointer = pointer
    }

    /// Closes an unused connection.
    func close() {
        dbus_connection_close(pointer)
        dbus_connection_unref(pointer)
    }
}
