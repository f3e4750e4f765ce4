import DBus

/// The D-Bus object of an adapter.
public typealias AdapterPath = ObjectPath

/// A local Bluetooth radio (`org.bluez.Adapter1`).
public struct Adapter: Hashable, Sendable {
    /// The object on the bus.
    public let path: ObjectPath
    /// Its system name, such as `hci0`.
    public let id: String
    /// Its own address; `nil` when BlueZ reports no valid one.
    public var address: BluetoothAddress?
    /// Its name for users (`Alias`); text from outside, not sanitized.
    public var name: String
    /// Whether it is switched on.
    public var isPowered: Bool
    /// Whether it is off because rfkill blocks it (`PowerState`); `nil` when the daemon is too old to report it.
    public var isBlocked: Bool?
    /// Whether any program's discovery is running.
    public var isDiscovering: Bool
    /// Its roles, such as `central` and `peripheral`; empty when the daemon does not report them.
    public var roles: [String]

    /// Creates an adapter that is off and not discovering; its system name is the last element of its path.
    public init(
        path: ObjectPath, address: BluetoothAddress? = nil, name: String = "", isPowered: Bool = false,
        isDiscovering: Bool = false, roles: [String] = []
    ) {
        self.path = path
        id = path.description.split(separator: "/").last.map { String($0) } ?? ""
        self.address = address
        self.name = name
        self.isPowered = isPowered
        self.isDiscovering = isDiscovering
        self.roles = roles
    }
}
