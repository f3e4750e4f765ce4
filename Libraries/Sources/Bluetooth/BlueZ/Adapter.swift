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
    /// Its name for users (`Alias`), changed by ``BluetoothCentral/setAlias(_:on:)``; text from outside, not sanitized.
    public var name: String
    /// The computer's own name for it (`Name`); text from outside, not sanitized.
    public var systemName = ""
    /// Whether it is switched on.
    public var isPowered: Bool
    /// Whether it is off because rfkill blocks it (`PowerState`); `nil` when the daemon is too old to report it.
    public var isBlocked: Bool?
    /// Whether any program's discovery is running.
    public var isDiscovering: Bool
    /// Whether other devices can see it (``BluetoothCentral/setDiscoverable(_:for:on:)``).
    public var isDiscoverable = false
    /// After how long the daemon makes it invisible again; zero for never, `nil` where it does not report it.
    public var discoverableTimeout: Duration?
    /// Whether other devices can begin a pairing with it (``BluetoothCentral/setPairable(_:for:on:)``).
    public var isPairable = false
    /// After how long the daemon refuses pairings again; zero for never, `nil` where it does not report it.
    public var pairableTimeout: Duration?
    /// Its class of device, 24 bits (Assigned Numbers, "Class of Device"); 0 without Bluetooth Classic.
    public var deviceClass: UInt32?
    /// The kernel's identification of the daemon as a device, such as `usb:v1D6Bp0246d0542`.
    ///
    /// The last four digits are the version of BlueZ, here 5.66 (0x05 and 0x42). Text from outside, not sanitized.
    public var modalias: String?
    /// The services that this computer offers to others.
    public var uuids: [BluetoothUUID] = []
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
    public var preferred: Adapter? { first(where: \.isPowered) ?? first }
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
        case "Name":
            guard let name = value.deviceName else { return false }
            systemName = name
        case "Discoverable":
            guard let isTrue = value.isTrue else { return false }
            isDiscoverable = isTrue
        case "DiscoverableTimeout":
            guard let limit = value.seconds else { return false }
            discoverableTimeout = limit
        case "Pairable":
            guard let isTrue = value.isTrue else { return false }
            isPairable = isTrue
        case "PairableTimeout":
            guard let limit = value.seconds else { return false }
            pairableTimeout = limit
        case "Class":
            guard let number = value.integer, 0...0xFF_FFFF ~= number else { return false }
            deviceClass = UInt32(number)
        case "Modalias":
            guard let text = value.text, text.utf8.count <= InputBounds.modaliasLength else { return false }
            modalias = text
        case "UUIDs":
            guard let found = value.uuids else { return false }
            uuids = found.valid
            return found.malformed == 0
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
