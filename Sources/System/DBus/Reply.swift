import CDBus

/// The answer to a call, passed from libdbus's callback to the caller.
struct Reply: @unchecked Sendable {
    // `@unchecked Sendable`: it is made, handed over and read on the connection's thread only.

    /// The answer, owned by this value's reader; `nil` when the call failed locally.
    let message: OpaquePointer?
    /// Whether libdbus generated the answer because the connection was lost.
    let isConnectionLost: Bool

    /// The answer of a call that could not be sent, or whose connection has been closed.
    static let notSent = Reply(message: nil, isConnectionLost: true)

    /// Reads the values and releases the message.
    func values() throws(DBusConnectionError) -> [DBusValue] {
        guard let message else { throw .disconnected }
        defer { dbus_message_unref(message) }
        guard dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_ERROR else {
            var reader = ArgumentReader(message: message)
            return reader.readValues()
        }
        let name = dbus_message_get_error_name(message).map { String(cString: $0) } ?? ""
        var reader = ArgumentReader(message: message)
        let text = reader.readText() ?? ""
        // Quirk libdbus-answers: it generates these two itself, without a sender; the bus sends NoReply for a lost
        // peer.
        let isOwn = dbus_message_get_sender(message) == nil
        switch name {
        case "org.freedesktop.DBus.Error.NoReply" where isOwn: throw isConnectionLost ? .disconnected : .timedOut
        case "org.freedesktop.DBus.Error.Disconnected" where isOwn: throw .disconnected
        default: throw .remote(name: name, message: text)
        }
    }
}

/// A caller that waits for an answer.
struct Waiter {
    let continuation: CheckedContinuation<Reply, Never>

    init(_ continuation: CheckedContinuation<Reply, Never>) {
        self.continuation = continuation
    }
}
