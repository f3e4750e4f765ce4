import DBus

/// The named properties of an object's interfaces, as `InterfacesAdded` and `GetManagedObjects` carry them.
typealias InterfaceProperties = [String: [String: DBusValue]]

extension DBusValue {
    /// The interfaces and properties of an `a{sa{sv}}`; `nil` for any other type.
    var interfaceProperties: InterfaceProperties? {
        guard let entries else { return nil }
        var result: InterfaceProperties = [:]
        for entry in entries {
            guard case .string(let name) = entry.key, let values = entry.value.namedValues else { return nil }
            result[name] = values
        }
        return result
    }

    /// The path of an object path; otherwise `nil`.
    var path: ObjectPath? {
        if case .objectPath(let path) = self { path } else { nil }
    }

    /// The texts of an `as`; `nil` for any other type.
    var texts: [String]? {
        guard case .array(let elements, of: .string) = self else { return nil }
        return elements.compactMap(\.text)
    }

    /// The octets of an `ay`, in a variant or not; `nil` if they are longer than an advertisement.
    var advertisedOctets: [UInt8]? {
        guard let bytes = unwrapped.bytes, bytes.count <= InputBounds.advertisedOctets else { return nil }
        return bytes
    }

    /// A value's octets; `nil` for any other type and for more than an attribute can have.
    var valueOctets: [UInt8]? {
        guard let bytes, bytes.count <= InputBounds.valueLength else { return nil }
        return bytes
    }

    /// The UUID in a string; otherwise `nil`.
    var uuid: BluetoothUUID? {
        if case .string(let text) = self { BluetoothUUID(text) } else { nil }
    }

    /// The text of a string, cut to the length of a device name (Core Specification, Vol 3 Part C, 12.1).
    var deviceName: String? {
        guard case .string(let text) = self else { return nil }
        if text.utf8.count <= 248 { return text }
        var name = ""
        for scalar in text.unicodeScalars {
            if name.utf8.count + UTF8.width(scalar) > 248 { break }
            name.unicodeScalars.append(scalar)
        }
        return name
    }
}
