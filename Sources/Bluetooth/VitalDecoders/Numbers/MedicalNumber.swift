/// The value of a FLOAT or SFLOAT: a decimal number, or a special value that means "no number".
///
/// Source: IEEE 11073-20601, FLOAT-Type and SFLOAT-Type.
public enum MedicalNumber: Hashable, Sendable {
    /// A number, exactly as it was sent.
    case number(DecimalNumber)
    /// Not a number: there is no value, or it is invalid.
    case nan
    /// NRes: the value cannot be expressed at this resolution.
    case notAtThisResolution
    /// Above the range of the sensor.
    case positiveInfinity
    /// Below the range of the sensor.
    case negativeInfinity
    /// The code that is reserved for future use.
    case reserved

    /// The number, or `nil` for a special.
    @inlinable
    public var decimal: DecimalNumber? {
        guard case .number(let decimal) = self else { return nil }
        return decimal
    }

    /// The number in hundredths, rounded half away from zero; `nil` for a special and beyond the range of `Int`.
    public var hundredths: Int? { decimal?.hundredths }

    /// The nearest `Double`, or `nil` for a special.
    public var doubleValue: Double? { decimal?.doubleValue }

    /// The name of the special (`NaN`, `NRes`, `+INFINITY`, `-INFINITY`, `Reserved`), or `nil` for a number.
    public var specialName: String? {
        switch self {
        case .number: nil
        case .nan: "NaN"
        case .notAtThisResolution: "NRes"
        case .positiveInfinity: "+INFINITY"
        case .negativeInfinity: "-INFINITY"
        case .reserved: "Reserved"
        }
    }

    /// The result of `transform` for a number; a special value is unchanged.
    public func map(_ transform: (DecimalNumber) -> DecimalNumber) -> MedicalNumber {
        guard case .number(let decimal) = self else { return self }
        return .number(transform(decimal))
    }
}

extension MedicalNumber: CustomStringConvertible {
    /// The number without trailing zeros, or the name of the special.
    public var description: String {
        decimal?.description ?? specialName ?? ""
    }
}
