/// The Device Information Service (180A).
public enum DeviceInformationService {
    /// The UUID of the service.
    public static let uuid = BluetoothUUID(0x180A)

    /// Its characteristics.
    public static let characteristics: [CharacteristicType] = [
        .systemIdentifier, .modelNumber, .serialNumber, .firmwareRevision, .hardwareRevision, .softwareRevision,
        .manufacturerName, .regulatoryCertification, .plugAndPlayIdentifier,
    ]
}

extension Specification {
    /// Device Information Service 1.2.
    public static let deviceInformation = Specification("Device Information Service", "1.2")
}

extension CharacteristicType {
    /// System ID (2A23, read).
    public static let systemIdentifier = CharacteristicType(
        BluetoothUUID(0x2A23), "System ID", .deviceInformation, SystemIdentifier.self)

    /// Model Number String (2A24, read).
    public static let modelNumber = CharacteristicType(
        BluetoothUUID(0x2A24), "Model Number String", .deviceInformation, DeviceInformationText.self)

    /// Serial Number String (2A25, read).
    public static let serialNumber = CharacteristicType(
        BluetoothUUID(0x2A25), "Serial Number String", .deviceInformation, DeviceInformationText.self)

    /// Firmware Revision String (2A26, read).
    public static let firmwareRevision = CharacteristicType(
        BluetoothUUID(0x2A26), "Firmware Revision String", .deviceInformation, DeviceInformationText.self)

    /// Hardware Revision String (2A27, read).
    public static let hardwareRevision = CharacteristicType(
        BluetoothUUID(0x2A27), "Hardware Revision String", .deviceInformation, DeviceInformationText.self)

    /// Software Revision String (2A28, read).
    public static let softwareRevision = CharacteristicType(
        BluetoothUUID(0x2A28), "Software Revision String", .deviceInformation, DeviceInformationText.self)

    /// Manufacturer Name String (2A29, read).
    public static let manufacturerName = CharacteristicType(
        BluetoothUUID(0x2A29), "Manufacturer Name String", .deviceInformation, DeviceInformationText.self)

    /// IEEE 11073-20601 Regulatory Certification Data List (2A2A, read).
    public static let regulatoryCertification = CharacteristicType(
        BluetoothUUID(0x2A2A), "IEEE 11073-20601 Regulatory Certification Data List", .deviceInformation,
        RegulatoryCertification.self)

    /// PnP ID (2A50, read).
    public static let plugAndPlayIdentifier = CharacteristicType(
        BluetoothUUID(0x2A50), "PnP ID", .deviceInformation, PlugAndPlayIdentifier.self)
}

/// The value of one of the strings of the Device Information Service (2A24 to 2A29).
///
/// The text is not trustworthy: sanitize it before you show it. Source: Device Information Service 1.2, section 3.
public struct DeviceInformationText: CharacteristicValue {
    /// The text up to the first NUL.
    public let text: String

    /// Creates a value from a text, cut at its first NUL.
    public init(_ text: String) {
        self.text = String(text.unicodeScalars.prefix { $0 != "\0" })
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        text = try reader.text("text")
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.append(contentsOf: Array(text.utf8))
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [Field("text", .text(text))]
    }
}
