import DBus

/// Why a served characteristic refuses a request of a central.
///
/// Source: BlueZ, `org.bluez.GattCharacteristic`, the errors of `ReadValue` and `WriteValue`; the code of the Attribute
/// Protocol that the daemon makes of each is in parentheses (Core Specification, Vol 3 Part F, 3.4.1.1).
public enum AttributeRefusal: Error, Hashable, Sendable {
    /// The request does not exist for the characteristic (0x06).
    case notSupported
    /// This central may not do it (0x08).
    case notAuthorized
    /// The characteristic does not allow it (0x02 for a read, 0x03 for a write).
    case notPermitted
    /// An earlier request is still being carried out (0xFE).
    case inProgress
    /// The value has no octet at the offset (0x07).
    case invalidOffset
    /// The value has a wrong length, or does not decode as the declared type (0x0D).
    case invalidValueLength
    /// A code that the service defines, 0x80 to 0x9F; an older daemon sends 0x80 for all of them.
    case application(UInt8)
    /// Something went wrong that the central is not to blame for (0x0E).
    case unlikelyError
}

extension AttributeRefusal {
    /// The error that the daemon understands (`src/gatt-database.c` of BlueZ, `dbus_error_to_att_ecode`).
    var busError: DBusConnectionError {
        switch self {
        case .notSupported: Self.error("NotSupported", "Operation is not supported")
        case .notAuthorized: Self.error("NotAuthorized", "Operation Not Authorized")
        case .notPermitted: Self.error("NotPermitted", "Operation is not permitted")
        case .inProgress: Self.error("InProgress", "In Progress")
        case .invalidOffset: Self.error("InvalidOffset", "Invalid offset")
        case .invalidValueLength: Self.error("InvalidValueLength", "Invalid value length")
        case .application(let code):
            // The daemon reads the code from the text.
            (0x80...0x9F).contains(code)
                ? Self.error("Failed", "0x" + String(code, radix: 16)) : Self.unlikelyError.busError
        // The daemon has no error for this code; it makes it of every one that it does not know.
        case .unlikelyError: Self.error("InvalidArguments", "The request could not be carried out")
        }
    }

    private static func error(_ name: String, _ text: String) -> DBusConnectionError {
        .remote(name: "org.bluez.Error.\(name)", message: text)
    }
}
