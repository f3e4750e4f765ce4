import CDBus
import Glibc
import UserFiles

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
        case .system: Environment.value(Self.systemVariable) ?? "unix:path=/run/dbus/system_bus_socket"
        // Without a socket libdbus may find or start a bus by way of the X server.
        case .session: Environment.value(Self.sessionVariable) ?? Self.userBus ?? "autolaunch:"
        case .address(let text): text
        }
    }

    /// Whether it is the system bus at its well-known address, not at one set by the environment.
    public var isUsualSystemBus: Bool { self == .system && Environment.value(Self.systemVariable) == nil }

    private static let systemVariable = "DBUS_SYSTEM_BUS_ADDRESS"
    private static let sessionVariable = "DBUS_SESSION_BUS_ADDRESS"

    /// Whether there seems to be a session bus (`dbus-daemon(1)`, `sd_bus_open_user(3)`); libdbus might start one
    /// otherwise.
    public static var hasSessionBus: Bool {
        Environment.value(sessionVariable) != nil
            || Environment.value("XDG_RUNTIME_DIR").map { access("\($0)/bus", F_OK) == 0 } ?? false
    }

    /// The bus that systemd starts for each user; only one that belongs to this user counts.
    private static var userBus: String? {
        guard let folder = Environment.value("XDG_RUNTIME_DIR") else { return nil }
        let path = "\(folder)/bus"
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == getuid(),
            let escaped = dbus_address_escape_value(path)
        else { return nil }
        defer { dbus_free(escaped) }
        return "unix:path=\(String(cString: escaped))"
    }
}
