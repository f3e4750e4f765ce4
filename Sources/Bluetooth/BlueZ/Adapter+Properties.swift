import DBus

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
