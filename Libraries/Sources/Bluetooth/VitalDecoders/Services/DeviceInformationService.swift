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

/// The value of System ID (2A23): an EUI-64 in two parts.
///
/// Source: Device Information Service 1.2, section 3.7; GATT Specification Supplement, System ID.
public struct SystemIdentifier: CharacteristicValue {
    /// The 40 bits assigned to this device by the manufacturer.
    public let manufacturerIdentifier: UInt64
    /// The 24 bits assigned to the manufacturer by the IEEE.
    public let organizationallyUniqueIdentifier: UInt32

    /// Creates an identifier of the low 40 and the low 24 bits of its parts.
    public init(manufacturerIdentifier: UInt64, organizationallyUniqueIdentifier: UInt32) {
        self.manufacturerIdentifier = manufacturerIdentifier & 0xFF_FFFF_FFFF
        self.organizationallyUniqueIdentifier = organizationallyUniqueIdentifier & 0xFF_FFFF
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        manufacturerIdentifier = try reader.uint40("manufacturer identifier")
        organizationallyUniqueIdentifier = try reader.uint24("organizationally unique identifier")
        try reader.expectEnd()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint40(manufacturerIdentifier)
        writer.uint24(organizationallyUniqueIdentifier)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("manufacturer_identifier", FieldValue(manufacturerIdentifier)),
            Field("organizationally_unique_identifier", FieldValue(organizationallyUniqueIdentifier)),
        ]
    }
}

/// The value of IEEE 11073-20601 Regulatory Certification Data List (2A2A), which is not decoded.
///
/// Source: Device Information Service 1.2, section 3.8.
public struct RegulatoryCertification: CharacteristicValue {
    /// The octets as sent.
    public var data: [UInt8]

    /// Creates a list of octets.
    public init(data: [UInt8]) {
        self.data = data
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        data = reader.rest("certification data list")
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.append(contentsOf: data)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [Field("data", .list(data.map { FieldValue($0) }))]
    }
}

/// The value of PnP ID (2A50): maker, product and version.
///
/// Source: Device Information Service 1.2, section 3.9; GATT Specification Supplement, PnP ID.
public struct PlugAndPlayIdentifier: CharacteristicValue {
    /// The authority that assigned ``vendor``.
    public var vendorSource: VendorSource
    /// The maker.
    public var vendor: UInt16
    /// The product number of the maker.
    public var product: UInt16
    /// The version as 0xJJMN: major, minor, and sub-minor version.
    public var version: UInt16

    public init(vendorSource: VendorSource, vendor: UInt16, product: UInt16, version: UInt16) {
        self.vendorSource = vendorSource
        self.vendor = vendor
        self.product = product
        self.version = version
    }

    /// The version as `JJ.M.N` in hexadecimal without leading zeros.
    public var versionText: String {
        [version >> 8, version >> 4 & 15, version & 15].map { String($0, radix: 16) }.joined(separator: ".")
    }

    /// The authority that assigns numbers of makers.
    public struct VendorSource: AssignedNumber {
        /// The number on the wire.
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The Bluetooth SIG.
        public static let bluetoothSIG = VendorSource(rawValue: 1)
        /// The USB Implementers Forum.
        public static let usbImplementersForum = VendorSource(rawValue: 2)

        /// The assigned numbers, with the names that `bedside decode` prints.
        public static let assigned: [(number: VendorSource, name: String)] = [
            (bluetoothSIG, "bluetooth_sig"), (usbImplementersForum, "usb_if"),
        ]
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        vendorSource = try reader.assigned("vendor ID source")
        vendor = try reader.uint16("vendor ID")
        product = try reader.uint16("product ID")
        version = try reader.uint16("product version")
        let text = versionText
        reader.explain(text)
        try reader.expectEnd()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint8(vendorSource.rawValue)
        writer.uint16(vendor)
        writer.uint16(product)
        writer.uint16(version)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("vendor_id_source", FieldValue(vendorSource.rawValue)),
            Field("vendor_id_source_name", .text(vendorSource.name)),
            Field("vendor_id", FieldValue(vendor)),
            Field("product_id", FieldValue(product)),
            Field("product_version", FieldValue(version)),
            Field("product_version_text", .text(versionText)),
        ]
    }
}
