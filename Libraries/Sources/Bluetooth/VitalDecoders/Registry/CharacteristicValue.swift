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

/// A field of a decoded value: the name and value that `bedside decode` prints.
public struct Field: Hashable, Sendable {
    /// The name, such as `heart_rate_bpm`.
    public var name: String
    /// The value.
    public var value: FieldValue

    public init(_ name: String, _ value: FieldValue) {
        self.name = name
        self.value = value
    }
}

/// The value of a ``Field``.
public enum FieldValue: Hashable, Sendable {
    /// The field is missing, or its value is unknown.
    case absent
    /// Yes or no.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A decimal number, exactly.
    case decimal(DecimalNumber)
    /// A text, or the name of a special value.
    case text(String)
    /// Several values of the same kind.
    case list([FieldValue])
    /// Values with names.
    case object([Field])
}

extension Field {
    /// The fields of a time stamp: the time, and the octets as sent if no calendar has that time.
    static func time(_ name: String, _ time: DateTime?) -> [Field] {
        guard let time, !time.isPossible else { return [Field(name, FieldValue(time))] }
        return [Field(name, .absent), Field("\(name)_raw", .text(time.hexadecimal))]
    }
}

extension FieldValue {
    /// A whole number, or ``absent``.
    public init(_ number: (some FixedWidthInteger)?) {
        self = number.map { .integer(Int64(clamping: $0)) } ?? .absent
    }

    /// A FLOAT or SFLOAT, or ``absent``.
    public init(_ number: (some MedicalNumberFormat)?) {
        self = number.map { FieldValue($0.value) } ?? .absent
    }

    /// A number, or the name of a special.
    public init(_ number: MedicalNumber) {
        self = number.decimal.map(FieldValue.decimal) ?? .text(number.specialName ?? "")
    }

    /// A number, or ``absent``.
    public init(_ number: DecimalNumber?) {
        self = number.map(FieldValue.decimal) ?? .absent
    }

    /// A text, or ``absent``.
    public init(_ text: String?) {
        self = text.map(FieldValue.text) ?? .absent
    }

    /// A date and time as an object with the unknown parts ``absent``, or ``absent``.
    public init(_ dateTime: DateTime?) {
        guard let dateTime else {
            self = .absent
            return
        }
        self = .object([
            Field("year", FieldValue(dateTime.year)),
            Field("month", FieldValue(dateTime.month)),
            Field("day", FieldValue(dateTime.day)),
            Field("hour", FieldValue(dateTime.hour)),
            Field("minute", FieldValue(dateTime.minute)),
            Field("second", FieldValue(dateTime.second)),
        ])
    }
}
