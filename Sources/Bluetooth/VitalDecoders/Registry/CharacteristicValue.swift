/// A value of a characteristic, decoded from octets and encoded to them.
///
/// Decoding its ``octets`` returns an equal value. Every such value is a `GATTValue`, too, so it can be the type of a
/// declared characteristic of `BlueZ`.
public protocol CharacteristicValue: Hashable, Sendable, GATTDecodable, GATTEncodable {
    /// Reads the value; octets after the last announced field are left unread.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not allowed for the characteristic.
    init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError)

    /// Decodes a value without copying it.
    ///
    /// There is a default; frequent types implement it themselves, so that the compiler specialises it.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not allowed for the characteristic.
    init(decoding octets: Span<UInt8>, context: DecodingContext) throws(MalformedValueError)

    /// Writes the value.
    func encode(to writer: inout OctetWriter)

    /// The fields, in the order in which `bedside decode` prints them.
    var fields: [Field] { get }
}

extension CharacteristicValue {
    /// Decodes a value without copying it.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not allowed for the characteristic.
    public init(decoding octets: Span<UInt8>, context: DecodingContext) throws(MalformedValueError) {
        var reader = OctetReader(octets, context: context, log: NoFieldLog())
        try self.init(from: &reader)
    }

    /// Decodes a value without copying it.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not allowed for the characteristic.
    @inlinable
    public init(decoding octets: Span<UInt8>) throws(MalformedValueError) {
        try self.init(decoding: octets, context: DecodingContext())
    }

    /// Decodes a value.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not allowed for the characteristic.
    @inlinable
    public init(_ octets: [UInt8], context: DecodingContext = DecodingContext()) throws(MalformedValueError) {
        try self.init(decoding: octets.span, context: context)
    }

    /// The value as it is sent.
    public var octets: [UInt8] {
        var writer = OctetWriter()
        encode(to: &writer)
        return writer.octets
    }
}

extension CharacteristicValue {
    /// Decodes a value that was read or notified.
    ///
    /// - Throws: `GATTDecodingError` with the reason of the ``MalformedValueError``.
    public init(gatt octets: [UInt8]) throws(GATTDecodingError) {
        do throws(MalformedValueError) {
            try self.init(octets)
        } catch {
            throw GATTDecodingError("\(error)")
        }
    }

    /// The value as it is written.
    public var gattOctets: [UInt8] { octets }
}

/// A number from a list of assigned numbers of the Bluetooth SIG; unassigned numbers are kept.
public protocol AssignedNumber: RawRepresentable, Hashable, Sendable where RawValue: FixedWidthInteger {
    /// All numbers that are assigned, with their names.
    static var assigned: [(number: Self, name: String)] { get }

    /// Creates a number, assigned or not.
    init(rawValue: RawValue)
}

extension AssignedNumber {
    /// The name, or `reserved` for a number that is not assigned.
    public var name: String {
        Self.assigned.first { $0.number == self }?.name ?? "reserved"
    }

    /// The number with this name, or `nil` for an unknown name.
    public init?(name: String) {
        guard let number = Self.assigned.first(where: { $0.name == name })?.number else { return nil }
        self = number
    }
}
