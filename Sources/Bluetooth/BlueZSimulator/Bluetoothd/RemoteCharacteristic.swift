import DBus

/// A characteristic of a device, a bluetoothd object (`org.bluez.GattCharacteristic1`).
final class RemoteCharacteristic {
    static let interface = "org.bluez.GattCharacteristic1"

    let path: ObjectPath
    let definition: GattDatabase.Characteristic
    /// The clients with a notify session; the sessions outlive the link.
    var clients: [String] = []
    /// Whether the sensor sends values on the present link.
    var isArmed = false
    /// The value of `Notifying`, which outlives the link, too.
    var isNotifying = false

    init(path: ObjectPath, definition: GattDatabase.Characteristic) {
        self.path = path
        self.definition = definition
    }

    /// The short UUID, such as `2a37`, for reports.
    var shortUUID: String { definition.uuid.description.lowercased() }

    /// The path of the Client Characteristic Configuration descriptor, where there is one.
    var configurationPath: ObjectPath? {
        definition.configurationHandle.map { path.child("desc" + RemoteCharacteristic.hexadecimal($0)) }
    }

    /// Four hexadecimal digits, as in object paths.
    static func hexadecimal(_ handle: Int) -> String {
        let digits = String(handle, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}
