import DBus

/// Octets at a place of an advertised field, by which the daemon recognises advertisements
/// (``BluetoothCentral/monitorAdvertisements(_:within:on:timeout:)``).
///
/// Source: BlueZ, `org.bluez.AdvertisementMonitor`, `Patterns`.
public struct AdvertisementPattern: Hashable, Sendable {
    /// The type of the field (Assigned Numbers, "Common Data Types").
    public var type: UInt8
    /// How many octets of the field's data come before.
    public var start: UInt8
    /// The octets; at least 1, and at most 31 together with those before.
    public var octets: [UInt8]

    /// Creates a pattern; by default its octets begin the field's data.
    public init(type: UInt8, start: UInt8 = 0, octets: [UInt8]) {
        self.type = type
        self.start = start
        self.octets = octets
    }

    /// The data of a manufacturer, with a beginning.
    ///
    /// - Parameters:
    ///   - company: The company (Assigned Numbers, "Company Identifiers").
    ///   - beginning: The first octets of its data, at most 29.
    public static func companyData(_ company: UInt16, beginning: [UInt8] = []) -> AdvertisementPattern {
        AdvertisementPattern(type: 0xFF, octets: octets(of: company) + beginning)
    }

    /// A service with a 16-bit UUID that is the first one of an advertised list; one pattern for each kind of list.
    ///
    /// - Parameter service: The UUID.
    public static func firstService(_ service: UInt16) -> [AdvertisementPattern] {
        // Incomplete and complete list of 16-bit service UUIDs.
        [2, 3].map { AdvertisementPattern(type: $0, octets: octets(of: service)) }
    }

    private static func octets(of number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
    }

    /// Whether an advertisement can have it.
    var isPossible: Bool { !octets.isEmpty && Int(start) + octets.count <= 31 }

    /// The pattern as the daemon reads it, `(yyay)`.
    var value: DBusValue { .structure([.byte(start), .byte(type), .bytes(octets)]) }
}
