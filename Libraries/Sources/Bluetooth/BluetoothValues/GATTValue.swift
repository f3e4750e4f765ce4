/// A value that is decoded from the octets of a characteristic.
///
/// Numbers, texts and lists of octets conform already. A type that is read and written conforms to both
/// ``GATTDecodable`` and ``GATTEncodable``, which is ``GATTValue``.
///
/// ```swift
/// struct BodySensorLocation: GATTDecodable {
///     let code: UInt8
///     init(gatt octets: [UInt8]) throws(GATTDecodingError) { code = try UInt8(gatt: octets) }
/// }
/// ```
public protocol GATTDecodable: Sendable {
    /// Decodes a value from a characteristic's octets, which come from the air and may be anything.
    ///
    /// - Throws: ``GATTDecodingError`` for malformed octets.
    init(gatt octets: [UInt8]) throws(GATTDecodingError)
}

/// A value that can be written to a characteristic.
public protocol GATTEncodable: Sendable {
    /// The octets to send, little-endian.
    var gattOctets: [UInt8] { get }
}

/// A value that can be read from a characteristic and written to one.
public typealias GATTValue = GATTDecodable & GATTEncodable

/// Why octets cannot be decoded as a type.
public struct GATTDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence about the expected and the received octets.
    public let description: String

    /// Creates an error.
    ///
    /// - Parameter description: A sentence about the expected and the received octets.
    public init(_ description: String) {
        self.description = description
    }
}

extension GATTDecodable where Self: FixedWidthInteger {
    /// Decodes exactly the octets of the number, little-endian.
    public init(gatt octets: [UInt8]) throws(GATTDecodingError) {
        guard octets.count == Self.bitWidth / 8 else {
            throw GATTDecodingError("Expected \(Self.bitWidth / 8) octets for a number, but \(octets.count) came.")
        }
        self = octets.reversed().reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }
}

extension GATTEncodable where Self: FixedWidthInteger {
    /// The octets of the number, little-endian.
    public var gattOctets: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }
}

extension UInt8: GATTValue {
    /// Decodes exactly one octet.
    public init(gatt octets: [UInt8]) throws(GATTDecodingError) {
        guard let octet = octets.first, octets.count == 1 else {
            throw GATTDecodingError("Expected 1 octet for a number, but \(octets.count) came.")
        }
        self = octet
    }
}
extension UInt16: GATTValue {}
extension UInt32: GATTValue {}
extension UInt64: GATTValue {}
extension Int8: GATTValue {}
extension Int16: GATTValue {}
extension Int32: GATTValue {}
extension Int64: GATTValue {}

extension Bool: GATTValue {
    /// Decodes one octet, 0 or 1 (GATT Specification Supplement, `boolean`).
    public init(gatt octets: [UInt8]) throws(GATTDecodingError) {
        switch octets {
        case [0]: self = false
        case [1]: self = true
        default: throw GATTDecodingError("Expected the octet 0 or 1, but \(octets) came.")
        }
    }

    /// One octet, 0 or 1.
    public var gattOctets: [UInt8] { [self ? 1 : 0] }
}

extension String: GATTValue {
    /// Decodes UTF-8 (GATT Specification Supplement, `utf8s`); the text is not sanitized.
    public init(gatt octets: [UInt8]) throws(GATTDecodingError) {
        guard let text = String(validating: octets, as: UTF8.self) else {
            throw GATTDecodingError("Expected a text in UTF-8, but the \(octets.count) octets that came are none.")
        }
        self = text
    }

    /// The text in UTF-8, without a terminator.
    public var gattOctets: [UInt8] { Array(utf8) }
}

extension [UInt8]: GATTDecodable, GATTEncodable {
    /// Returns the octets unchanged.
    public init(gatt octets: [UInt8]) throws(GATTDecodingError) {
        self = octets
    }

    /// The octets themselves.
    public var gattOctets: [UInt8] { self }
}
