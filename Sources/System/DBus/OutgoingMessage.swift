import CDBus

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
        _ path: ObjectPath, _ interface: String, _ member: String
    ) throws(DBusConnectionError) -> OpaquePointer {
        try check(interface, dbus_validate_interface, "interface name")
        try check(member, dbus_validate_member, "signal name")
        return try made(dbus_message_new_signal(path.description, interface, member))
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
