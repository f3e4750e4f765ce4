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
