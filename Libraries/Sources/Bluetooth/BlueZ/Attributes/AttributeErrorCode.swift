/// Why a peripheral refused a read, a write or a subscription: the error code of the Attribute Protocol.
///
/// Source: Core Specification, Vol 3 Part F, table 3.4 (0x01 to 0x13), and Core Specification Supplement, Part B, table
/// 1.1 (0xE0 to 0xFF). The characteristic's service defines 0x80 to 0x9F.
public struct AttributeErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code as transmitted.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// 0x05: the link is not authenticated strongly enough.
    public static let insufficientAuthentication = AttributeErrorCode(rawValue: 0x05)
    /// 0x08: this client may not do it.
    public static let insufficientAuthorization = AttributeErrorCode(rawValue: 0x08)
    /// 0x0C: the link's encryption key is too short.
    public static let encryptionKeySizeTooShort = AttributeErrorCode(rawValue: 0x0C)
    /// 0x0F: the link is not encrypted.
    public static let insufficientEncryption = AttributeErrorCode(rawValue: 0x0F)

    /// Whether the peripheral requires pairing for the request.
    public var isAboutPairing: Bool {
        switch self {
        case .insufficientAuthentication, .insufficientAuthorization, .encryptionKeySizeTooShort,
            .insufficientEncryption:
            true
        default: false
        }
    }

    /// Whether the service defines the code (0x80 to 0x9F).
    public var isApplicationError: Bool { (0x80...0x9F).contains(rawValue) }

    /// The name of the code in the specification, or of its range.
    public var name: String {
        switch rawValue {
        case 0x01: "Invalid Handle"
        case 0x02: "Read Not Permitted"
        case 0x03: "Write Not Permitted"
        case 0x04: "Invalid PDU"
        case 0x05: "Insufficient Authentication"
        case 0x06: "Request Not Supported"
        case 0x07: "Invalid Offset"
        case 0x08: "Insufficient Authorization"
        case 0x09: "Prepare Queue Full"
        case 0x0A: "Attribute Not Found"
        case 0x0B: "Attribute Not Long"
        case 0x0C: "Encryption Key Size Too Short"
        case 0x0D: "Invalid Attribute Value Length"
        case 0x0E: "Unlikely Error"
        case 0x0F: "Insufficient Encryption"
        case 0x10: "Unsupported Group Type"
        case 0x11: "Insufficient Resources"
        case 0x12: "Database Out Of Sync"
        case 0x13: "Value Not Allowed"
        case 0x80...0x9F: "Application Error"
        case 0xFC: "Write Request Rejected"
        case 0xFD: "Client Characteristic Configuration Descriptor Improperly Configured"
        case 0xFE: "Procedure Already in Progress"
        case 0xFF: "Out of Range"
        case 0xE0...0xFB: "Common Profile and Service Error"
        default: "Reserved for Future Use"
        }
    }

    /// The name with the number, such as `Insufficient Encryption (0x0f)`.
    public var description: String { "\(name) (0x\(Hexadecimal.text(UInt64(rawValue), digits: 2).lowercased()))" }
}

extension BlueZError {
    /// The error code of the Attribute Protocol behind this error, if the daemon reports one.
    ///
    /// Quirk codes-become-words: BlueZ replaces known codes by text (`src/gatt-client.c`).
    public var attributeErrorCode: AttributeErrorCode? {
        if case .attribute(let code) = kind { return AttributeErrorCode(rawValue: code) }
        return switch (name, text) {
        case ("org.bluez.Error.NotPermitted", "Read not permitted"): AttributeErrorCode(rawValue: 0x02)
        case ("org.bluez.Error.NotPermitted", "Write not permitted"): AttributeErrorCode(rawValue: 0x03)
        case ("org.bluez.Error.InvalidArguments", "Invalid offset"), ("org.bluez.Error.InvalidOffset", _):
            AttributeErrorCode(rawValue: 0x07)
        case ("org.bluez.Error.InvalidArguments", "Invalid Length"), ("org.bluez.Error.InvalidValueLength", _):
            AttributeErrorCode(rawValue: 0x0D)
        default: nil
        }
    }

    /// Whether the peripheral, or the daemon, requires pairing for the request.
    ///
    /// Quirk codes-become-words: BlueZ reports `NotPermitted: Not paired` for the codes 0x05, 0x0C and 0x0F, and
    /// `NotAuthorized` for 0x08. A sensor can also require it without an error (quirk pairing-without-agent).
    public var wantsPairing: Bool {
        if attributeErrorCode?.isAboutPairing == true { return true }
        return switch (kind, text) {
        case (.notPermitted, "Not paired"), (.notAuthorized, _): true
        default: false
        }
    }
}
