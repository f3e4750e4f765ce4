import DBus

/// The object that stands for an adapter on the bus.
public typealias AdapterPath = ObjectPath

/// A local Bluetooth radio (`org.bluez.Adapter1`).
public struct Adapter: Hashable, Sendable {
    /// The object on the bus.
    public let path: ObjectPath
    /// Its system name, such as `hci0`.
    public let id: String
    /// Its own address; `nil` when BlueZ reports no valid one.
    public var address: BluetoothAddress?
    /// Its name as people see it (`Alias`); text from outside, not made harmless.
    public var name: String
    /// Whether it is switched on.
    public var isPowered: Bool
    /// Whether it is off because rfkill blocks it (`PowerState`); `nil` when the daemon does not report it, as older
    /// ones.
    public var isBlocked: Bool?
    /// Whether any program's discovery is running.
    public var isDiscovering: Bool
    /// Its roles, such as `central` and `peripheral`; empty when the daemon does not report them.
    public var roles: [String]

    /// Makes an adapter, off and without a discovery; its name in the system is the last element of its path.
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
