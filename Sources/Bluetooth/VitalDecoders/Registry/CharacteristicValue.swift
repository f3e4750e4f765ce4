/// A value of a characteristic, decoded from octets and encoded to them.
///
/// For every value, decoding its ``octets`` gives an equal value again. Every such value is a `GATTValue` too, so it can
/// be the type of a characteristic that is declared for `BlueZ`.
public protocol CharacteristicValue: Hashable, Sendable, GATTDecodable, GATTEncodable {
    /// Reads the value; octets after the last announced field are left unread.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not what the characteristic allows.
    init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError)

    /// Decodes a value without copying it.
    ///
    /// There is a default; frequent types implement it themselves, so that it is compiled for them alone.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not what the characteristic allows.
    init(decoding octets: Span<UInt8>, context: DecodingContext) throws(MalformedValueError)

    /// Writes the value.
    func encode(to writer: inout OctetWriter)

    /// The fields, in the order in which `bedside decode` prints them.
    var fields: [Field] { get }
}

extension CharacteristicValue {
    /// Decodes a value without copying it.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not what the characteristic allows.
    public init(decoding octets: Span<UInt8>, context: DecodingContext) throws(MalformedValueError) {
        var reader = OctetReader(octets, context: context, log: NoFieldLog())
        try self.init(from: &reader)
    }

    /// Decodes a value without copying it.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not what the characteristic allows.
    @inlinable
    public init(decoding octets: Span<UInt8>) throws(MalformedValueError) {
        try self.init(decoding: octets, context: DecodingContext())
    }

    /// Decodes a value.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not what the characteristic allows.
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

/// A number from a list of assigned numbers of the Bluetooth SIG; numbers that are not assigned are kept.
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

    /// The number that has this name, or `nil` when none has.
    public init?(name: String) {
        guard let number = Self.assigned.first(where: { $0.name == name })?.number else { return nil }
        self = number
    }
}
