import CDBus
import Glibc

/// Creates messages to be sent; the caller owns them.
///
/// Quirk libdbus-aborts: libdbus ends the process on a name or a path that D-Bus does not allow, so each is checked
/// first.
enum OutgoingMessage {
    static func call(
        _ destination: String, _ path: ObjectPath, _ interface: String, _ member: String
    ) throws(DBusConnectionError) -> OpaquePointer {
        try check(destination, dbus_validate_bus_name, "bus name")
        try check(interface, dbus_validate_interface, "interface name")
        try check(member, dbus_validate_member, "method name")
        return try made(dbus_message_new_method_call(destination, path.description, interface, member))
    }

    static func signal(
        _ path: ObjectPath, _ interface: String, _ member: String, to destination: String? = nil
    ) throws(DBusConnectionError) -> OpaquePointer {
        try check(interface, dbus_validate_interface, "interface name")
        try check(member, dbus_validate_member, "signal name")
        if let destination { try check(destination, dbus_validate_bus_name, "bus name") }
        let message = try made(dbus_message_new_signal(path.description, interface, member))
        guard dbus_message_set_destination(message, destination) != 0 else {
            dbus_message_unref(message)
            return try made(nil)
        }
        return message
    }

    static func reply(to call: OpaquePointer) throws(DBusConnectionError) -> OpaquePointer {
        try made(dbus_message_new_method_return(call))
    }

    /// An error answer; a failure without a valid error name is sent as `org.freedesktop.DBus.Error.Failed`.
    static func error(_ failure: DBusConnectionError, to call: OpaquePointer) throws(DBusConnectionError)
        -> OpaquePointer
    {
        if case .remote(let name, let text) = failure, dbus_validate_error_name(name, nil) != 0 {
            return try made(dbus_message_new_error(call, name, text))
        }
        return try made(dbus_message_new_error(call, "org.freedesktop.DBus.Error.Failed", failure.description))
    }

    private static func check(
        _ text: String, _ isValid: (UnsafePointer<CChar>?, UnsafeMutablePointer<DBusError>?) -> dbus_bool_t,
        _ what: String
    ) throws(DBusConnectionError) {
        guard isValid(text, nil) != 0, !text.utf8.contains(0) else {
            throw .invalidMessage("'\(text)' is not a valid \(what)")
        }
    }

    private static func made(_ message: OpaquePointer?) throws(DBusConnectionError) -> OpaquePointer {
        guard let message else { throw .invalidMessage("no memory is left for a message") }
        return message
    }
}

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

/// Detects messages that a peer sent to others, by gaps in the serials of those received.
///
/// A sender numbers its messages consecutively, whatever their destination (D-Bus specification, "Message Format"). So
/// a missing number is a message to another program: an answer to its call, or a signal that this program did not
/// subscribe to.
struct SerialSequence {
    /// The unique name of the sender.
    let sender: String
    private var last: UInt32?
    /// The number of gaps.
    private(set) var gaps = 0

    init(sender: String) {
        self.sender = sender
    }

    /// Records a message, in the order of the bus; messages of other senders are ignored.
    mutating func record(_ message: OpaquePointer) {
        // The sender is compared in place: a String of it would be a copy.
        guard let name = dbus_message_get_sender(message), sender.withCString({ strcmp(name, $0) }) == 0 else { return }
        record(serial: dbus_message_get_serial(message))
    }

    /// Records the serial of the sender's next message.
    mutating func record(serial: UInt32) {
        defer { last = serial }
        // Serials skip 0, even after the greatest number.
        guard let last, serial != (last == .max ? 1 : last + 1) else { return }
        gaps += 1
    }
}
