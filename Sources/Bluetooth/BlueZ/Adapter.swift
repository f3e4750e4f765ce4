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

extension [Adapter] {
    /// The one to use where none is chosen: the first one that is on, or else the first.
    package var preferred: Adapter? { first(where: \.isPowered) ?? first }
}

extension Adapter {
    /// Reads an adapter from the properties of its object; missing or invalid ones keep their neutral values.
    ///
    /// - Returns: The adapter, and how many properties are malformed.
    static func read(_ path: ObjectPath, _ properties: [String: DBusValue]) -> (adapter: Adapter, malformed: Int) {
        var adapter = Adapter(path: path)
        let malformed = properties.count { !adapter.set($0.key, to: $0.value) }
        return (adapter, malformed)
    }

    /// Sets a property; returns `false` when its type or value is invalid.
    mutating func set(_ property: String, to value: DBusValue) -> Bool {
        switch property {
        case "Address":
            guard let address = value.text.flatMap({ BluetoothAddress($0) }) else { return false }
            self.address = address
        case "Alias":
            guard let name = value.deviceName else { return false }
            self.name = name
        case "Powered":
            guard let isTrue = value.isTrue else { return false }
            isPowered = isTrue
        case "PowerState":
            guard let state = value.text else { return false }
            isBlocked = state == "off-blocked"
        case "Discovering":
            guard let isTrue = value.isTrue else { return false }
            isDiscovering = isTrue
        case "Roles":
            guard let texts = value.texts, texts.count <= 16, texts.allSatisfy({ $0.utf8.count <= 64 }) else {
                return false
            }
            roles = texts
        default:
            break
        }
        return true
    }
}
