import CDBus
import Glibc

/// Which message bus to connect to.
public enum BusAddress: Hashable, Sendable {
    /// The system bus, found by libdbus's own rules (`DBUS_SYSTEM_BUS_ADDRESS`, else the well-known socket).
    case system
    /// The session bus, found by libdbus's own rules (`DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in
    /// `XDG_RUNTIME_DIR`).
    case session
    /// The bus at a D-Bus address, such as `unix:path=/run/bus`.
    case address(String)

    /// The present D-Bus address.
    ///
    /// libdbus applies these rules only in calls that also wait for the bus (quirk libdbus-blocks).
    var text: String {
        switch self {
        case .system: Self.variable(Self.systemVariable) ?? "unix:path=/run/dbus/system_bus_socket"
        // Without a socket libdbus may find or start a bus by way of the X server.
        case .session: Self.variable("DBUS_SESSION_BUS_ADDRESS") ?? Self.userBus ?? "autolaunch:"
        case .address(let text): text
        }
    }

    /// Whether it is the system bus at its well-known address, not at one set by the environment.
    public var isUsualSystemBus: Bool { self == .system && Self.variable(Self.systemVariable) == nil }

    private static let systemVariable = "DBUS_SYSTEM_BUS_ADDRESS"

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The bus that systemd starts for each user; only one that belongs to this user counts.
    private static var userBus: String? {
        guard let folder = variable("XDG_RUNTIME_DIR") else { return nil }
        let path = "\(folder)/bus"
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == getuid(),
            let escaped = dbus_address_escape_value(path)
        else { return nil }
        defer { dbus_free(escaped) }
        return "unix:path=\(String(cString: escaped))"
    }
}
