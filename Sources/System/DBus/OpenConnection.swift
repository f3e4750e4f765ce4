import CDBus

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
