import CDBus
import EventLoops
import Glibc
import Base

/// A private libdbus connection driven by an event loop.
///
/// It belongs to the loop's thread; libdbus calls back only from within its own calls.
final class Transport {
    let connection: OpaquePointer
    let loop: EventLoop

    /// Called with every message that arrives; returns whether it was handled.
    var receive: (OpaquePointer) -> Bool = { _ in false }

    /// The peer whose messages are counted, if any.
    var serials: SerialSequence?

    private var watches: [OpaquePointer: DescriptorWatch] = [:]
    private var timeouts: [OpaquePointer: LoopTimer] = [:]
    private var waiters: [OpaquePointer: Waiter] = [:]
    private var isDispatchScheduled = false
    /// Whether libdbus is reading or dispatching, after which messages are dispatched anyway.
    private var isBusy = false
    private var hasReplyArrived = false
    private var isClosed = false

    /// Drives an open connection; ``sayHello(within:)`` must follow before anything else is sent.
    init(_ open: OpenConnection, on loop: EventLoop) {
        connection = open.pointer
        self.loop = loop
        // Quirk libdbus-exits: it would end the whole process when the bus ends.
        dbus_connection_set_exit_on_disconnect(connection, 0)
        install()
    }

    deinit {
        close()
        dbus_connection_unref(connection)
    }

    /// Ends the connection: pending calls fail, and nothing more is received.
    func close() {
        if isClosed { return }
        isClosed = true
        receive = { _ in true }
        uninstall()
        dbus_connection_close(connection)
        failPendingCalls()
    }

    private func install() {
        let me = Unmanaged.passUnretained(self).toOpaque()
        dbus_connection_add_filter(connection, filter, me, nil)
        dbus_connection_set_watch_functions(connection, addWatch, removeWatch, toggleWatch, me, nil)
        dbus_connection_set_timeout_functions(connection, addTimeout, removeTimeout, toggleTimeout, me, nil)
        dbus_connection_set_dispatch_status_function(connection, dispatchStatusChanged, me, nil)
        if dbus_connection_get_dispatch_status(connection) == DBUS_DISPATCH_DATA_REMAINS { scheduleDispatch() }
    }

    /// Removes every pointer to this object from libdbus.
    private func uninstall() {
        dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
        dbus_connection_set_timeout_functions(connection, nil, nil, nil, nil, nil)
        dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
        dbus_connection_remove_filter(connection, filter, Unmanaged.passUnretained(self).toOpaque())
        for watch in watches.values { loop.unwatch(watch) }
        for timer in timeouts.values { loop.cancel(timer) }
        watches = [:]
        timeouts = [:]
    }

    // MARK: Dispatching

    fileprivate func scheduleDispatch() {
        if isDispatchScheduled || isBusy || isClosed { return }
        isDispatchScheduled = true
        _ = loop.schedule(after: .zero) { [weak self] in
            self?.isDispatchScheduled = false
            self?.dispatch()
        }
    }

    /// Dispatches what has been read, up to the first answer to a call.
    ///
    /// The caller of that answer resumes in the loop's next turn, before the later messages are dispatched: so a
    /// requested snapshot is never applied after changes that were signalled later.
    private func dispatch() {
        if isBusy || isClosed { return }
        isBusy = true
        hasReplyArrived = false
        var status = DBUS_DISPATCH_DATA_REMAINS
        while status == DBUS_DISPATCH_DATA_REMAINS, !hasReplyArrived, !isClosed {
            status = dbus_connection_dispatch(connection)
        }
        isBusy = false
        if status == DBUS_DISPATCH_DATA_REMAINS { scheduleDispatch() }
    }

    // MARK: Calls

    /// Sends a call; its answer, or `nil` when the connection is lost, goes to the continuation.
    func send(
        _ message: OpaquePointer, timeoutMilliseconds: Int32, _ continuation: CheckedContinuation<Reply, Never>
    ) {
        var pending: OpaquePointer?
        guard
            !isClosed, dbus_connection_send_with_reply(connection, message, &pending, timeoutMilliseconds) != 0,
            let pending
        else { return continuation.resume(returning: .notSent) }
        waiters[pending] = Waiter(continuation)
        dbus_pending_call_set_notify(pending, replyArrived, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    /// Asks the bus for a unique name, which also ends the hand-shake.
    ///
    /// Quirk libdbus-blocks: its own call blocks until the answer, and blocks Hello on every other connection of the
    /// process meanwhile.
    ///
    /// - Throws: ``DBusConnectionError/cannotConnect(name:message:)``.
    func sayHello(
        within limit: Duration, isolation: isolated (any Actor)? = #isolation
    ) async throws(DBusConnectionError) -> String {
        let bus = "org.freedesktop.DBus"
        let message = try OutgoingMessage.call(bus, ObjectPath(checked: "/org/freedesktop/DBus"), bus, "Hello")
        defer { dbus_message_unref(message) }
        let milliseconds = Int32(clamping: max(1, limit.nanoseconds / 1_000_000))
        // Quirk libdbus-forgets-calls: nothing else would end this call when the bus ends during the hand-shake.
        receive = { [weak self] message in
            if dbus_message_is_signal(message, "org.freedesktop.DBus.Local", "Disconnected") != 0 {
                self?.failPendingCalls()
            }
            return false
        }
        // Quirk resumed-through-the-pool: unless the task prefers another executor.
        let reply = await withTaskExecutorPreference(loop) {
            await withCheckedContinuation { send(message, timeoutMilliseconds: milliseconds, $0) }
        }
        do throws(DBusConnectionError) {
            guard let name = try reply.values().first?.text else {
                throw .unexpectedReply(expected: "s", found: "something else")
            }
            return name
        } catch {
            switch error {
            case .timedOut: throw .noAnswer
            case .disconnected:
                throw .cannotConnect(
                    name: "org.freedesktop.DBus.Error.Disconnected",
                    message: "it ended the connection before it had answered")
            case .remote(let name, let message): throw .cannotConnect(name: name, message: message)
            default: throw .cannotConnect(name: "org.freedesktop.DBus.Error.Failed", message: error.description)
            }
        }
    }

    fileprivate func complete(_ pending: OpaquePointer) {
        guard let waiter = waiters.removeValue(forKey: pending) else { return }
        hasReplyArrived = true
        let isLost = dbus_connection_get_is_connected(connection) == 0
        let reply = dbus_pending_call_steal_reply(pending)
        if let reply { serials?.record(reply) }
        waiter.continuation.resume(returning: Reply(message: reply, isConnectionLost: isLost))
        dbus_pending_call_unref(pending)
    }

    var pendingCallCount: Int { waiters.count }

    /// Fails the calls that can no longer be answered.
    func failPendingCalls() {
        let lost = waiters
        waiters = [:]
        for (pending, waiter) in lost {
            dbus_pending_call_cancel(pending)
            dbus_pending_call_unref(pending)
            waiter.continuation.resume(returning: .notSent)
        }
    }

    // MARK: Watches

    fileprivate func add(_ watch: OpaquePointer) {
        watches[watch] = loop.watch(dbus_watch_get_unix_fd(watch), for: interest(watch)) { [weak self] readiness in
            self?.handle(watch, readiness)
        }
    }

    fileprivate func remove(_ watch: OpaquePointer) {
        if let own = watches.removeValue(forKey: watch) { loop.unwatch(own) }
    }

    fileprivate func toggle(_ watch: OpaquePointer) {
        if let own = watches[watch] { loop.setInterest(interest(watch), of: own) }
    }

    private func interest(_ watch: OpaquePointer) -> Readiness {
        guard dbus_watch_get_enabled(watch) != 0 else { return [] }
        let flags = dbus_watch_get_flags(watch)
        var interest: Readiness = []
        if flags & DBUS_WATCH_READABLE.rawValue != 0 { interest.insert(.readable) }
        if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.writable) }
        return interest
    }

    private func handle(_ watch: OpaquePointer, _ readiness: Readiness) {
        var flags: UInt32 = 0
        if readiness.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
        if readiness.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
        if readiness.contains(.hangUp) { flags |= DBUS_WATCH_HANGUP.rawValue }
        if readiness.contains(.failed) { flags |= DBUS_WATCH_ERROR.rawValue }
        isBusy = true
        dbus_watch_handle(watch, flags)
        isBusy = false
        dispatch()
    }

    // MARK: Timeouts

    fileprivate func add(timeout: OpaquePointer) {
        guard dbus_timeout_get_enabled(timeout) != 0 else { return }
        let interval = Duration.milliseconds(Int(dbus_timeout_get_interval(timeout)))
        timeouts[timeout] = loop.schedule(after: interval) { [weak self] in
            guard let self, self.timeouts[timeout] != nil else { return }
            // Quirk libdbus-timeouts-repeat: a timeout repeats until it is removed, which handling it usually does.
            self.add(timeout: timeout)
            dbus_timeout_handle(timeout)
            self.dispatch()
        }
    }

    fileprivate func remove(timeout: OpaquePointer) {
        if let timer = timeouts.removeValue(forKey: timeout) { loop.cancel(timer) }
    }
}

// MARK: libdbus's callbacks

private func transport(_ data: UnsafeMutableRawPointer?) -> Transport? {
    data.map { Unmanaged<Transport>.fromOpaque($0).takeUnretainedValue() }
}

private let filter: DBusHandleMessageFunction = { _, message, data in
    guard let message, let transport = transport(data) else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
    transport.serials?.record(message)
    return transport.receive(message) ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NOT_YET_HANDLED
}

/// An answer arrived, or the time is up.
private let replyArrived: DBusPendingCallNotifyFunction = { pending, data in
    if let pending { transport(data)?.complete(pending) }
}

private let addWatch: DBusAddWatchFunction = { watch, data in
    if let watch { transport(data)?.add(watch) }
    return 1
}

private let removeWatch: DBusRemoveWatchFunction = { watch, data in
    if let watch { transport(data)?.remove(watch) }
}

private let toggleWatch: DBusWatchToggledFunction = { watch, data in
    if let watch { transport(data)?.toggle(watch) }
}

private let addTimeout: DBusAddTimeoutFunction = { timeout, data in
    if let timeout { transport(data)?.add(timeout: timeout) }
    return 1
}

private let removeTimeout: DBusRemoveTimeoutFunction = { timeout, data in
    if let timeout { transport(data)?.remove(timeout: timeout) }
}

private let toggleTimeout: DBusTimeoutToggledFunction = { timeout, data in
    guard let timeout, let transport = transport(data) else { return }
    transport.remove(timeout: timeout)
    transport.add(timeout: timeout)
}

private let dispatchStatusChanged: DBusDispatchStatusFunction = { _, status, data in
    if status == DBUS_DISPATCH_DATA_REMAINS { transport(data)?.scheduleDispatch() }
}
