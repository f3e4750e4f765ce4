import CDBus

/// The answer to a call, on its way from libdbus's callback to the caller.
struct Reply: @unchecked Sendable {
    // `@unchecked Sendable`: it is made, handed over and read on the connection's thread only.

    /// The answer, owned by this value's reader; `nil` when the call could not be sent.
    let message: OpaquePointer?

    /// Reads the values and lets go of the message.
    func values() throws(DBusFailure) -> [DBusValue] {
        guard let message else { throw .disconnected }
        defer { dbus_message_unref(message) }
        guard dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_ERROR else {
            var reader = ArgumentReader(message: message)
            return reader.readValues()
        }
        let name = dbus_message_get_error_name(message).map { String(cString: $0) } ?? ""
        var reader = ArgumentReader(message: message)
        let text = reader.readText() ?? ""
        // libdbus makes these two itself; a bus or a peer that sends one means the same.
        switch name {
        case "org.freedesktop.DBus.Error.NoReply" where dbus_message_get_sender(message) == nil: throw .timedOut
        case "org.freedesktop.DBus.Error.Disconnected": throw .disconnected
        default: throw .remote(name: name, message: text)
        }
    }
}

/// Who waits for an answer.
final class Waiter {
    let continuation: CheckedContinuation<Reply, Never>

    init(_ continuation: CheckedContinuation<Reply, Never>) {
        self.continuation = continuation
    }
}

/// libdbus's callback when an answer has come, the time is up or the connection is gone.
let replyArrived: DBusPendingCallNotifyFunction = { pending, data in
    guard let pending, let data else { return }
    let waiter = Unmanaged<Waiter>.fromOpaque(data).takeRetainedValue()
    waiter.continuation.resume(returning: Reply(message: dbus_pending_call_steal_reply(pending)))
}
