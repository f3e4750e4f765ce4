/// Which message bus to connect to.
public enum BusAddress: Hashable, Sendable {
    /// The system bus, found by libdbus's own rules (`DBUS_SYSTEM_BUS_ADDRESS`, else the well-known socket).
    case system
    /// The session bus, found by libdbus's own rules (`DBUS_SESSION_BUS_ADDRESS`).
    case session
    /// The bus at a D-Bus address, such as `unix:path=/run/bus`.
    case address(String)
}
