/// A number format of IEEE 11073-20601: a signed mantissa in the low bits, a signed power of ten in the high bits.
///
/// The bit pattern is kept, because it carries the precision (`100` and `100.0` are different patterns) and is what
/// must be sent to reproduce it exactly.
public protocol MedicalNumberFormat: Hashable, Sendable, CustomStringConvertible {
    /// The transmitted word.
    associatedtype BitPattern: FixedWidthInteger & UnsignedInteger & Sendable

    /// The number of bits of the mantissa; the exponent has the others.
    static var mantissaBitCount: Int { get }

    /// The transmitted word, read little-endian.
    var bitPattern: BitPattern { get }

    /// The number or special value of the word.
    ///
    /// A special value has an exponent of 0; the same mantissa with another exponent is a number.
    var value: MedicalNumber { get }

    /// Creates a value from the transmitted word; every word is a value.
    init(bitPattern: BitPattern)
}

/// A FLOAT-Type: 24 bits of mantissa and 8 bits of exponent, so up to ±8388605 × 10^−128 to 10^127.
public struct MedicalFloat: MedicalNumberFormat {
    /// 24 bits.
    @inlinable
    public static var mantissaBitCount: Int { 24 }
    /// The transmitted word, read little-endian.
    public let bitPattern: UInt32

    /// Creates a value from the transmitted word; every word is a value.
    @inlinable
    public init(bitPattern: UInt32) {
        self.bitPattern = bitPattern
    }

    /// The number or special value of the word.
    @inlinable
    public var value: MedicalNumber {
        let word = Int32(bitPattern: bitPattern)
        return Self.value(mantissa: Int64((word << 8) >> 8), exponent: Int(word >> 24))
    }
}

/// An SFLOAT-Type: 12 bits of mantissa and 4 bits of exponent, so up to ±2045 × 10^−8 to 10^7.
public struct MedicalShortFloat: MedicalNumberFormat {
    /// 12 bits.
    @inlinable
    public static var mantissaBitCount: Int { 12 }
    /// The transmitted word, read little-endian.
    public let bitPattern: UInt16

    /// Creates a value from the transmitted word; every word is a value.
    @inlinable
    public init(bitPattern: UInt16) {
        self.bitPattern = bitPattern
    }

    /// The number or special value of the word.
    @inlinable
    public var value: MedicalNumber {
        let word = Int16(bitPattern: bitPattern)
        return Self.value(mantissa: Int64((word << 4) >> 4), exponent: Int(word >> 12))
    }
}

extension MedicalNumberFormat {
    /// Not a number.
    public static var nan: Self { Self(special: greatestMantissa) }
    /// NRes: not at this resolution.
    public static var notAtThisResolution: Self { Self(special: -greatestMantissa - 1) }
    /// Above the range of the sensor.
    public static var positiveInfinity: Self { Self(special: greatestMantissa - 1) }
    /// Below the range of the sensor.
    public static var negativeInfinity: Self { Self(special: -greatestMantissa + 1) }
    /// The code that is reserved for future use.
    public static var reserved: Self { Self(special: -greatestMantissa) }

    /// The number, or `nil` for a special.
    @inlinable
    public var decimal: DecimalNumber? { value.decimal }

    /// The number in hundredths, rounded half away from zero; `nil` for a special and beyond the range of `Int`.
    @inlinable
    public var hundredths: Int? { value.hundredths }

    /// The nearest `Double`, or `nil` for a special.
    @inlinable
    public var doubleValue: Double? { value.doubleValue }

    /// The number without trailing zeros, or the name of the special.
    @inlinable
    public var description: String { value.description }

    /// Creates exactly `decimal`, with its exponent when the format allows it; `nil` when no word represents it.
    public init?(_ decimal: DecimalNumber) {
        guard let (mantissa, exponent) = Self.fitted(decimal) else { return nil }
        self.init(mantissa: mantissa, exponent: exponent)
    }

    /// Creates the nearest number to `decimal`, rounding half away from zero; `nil` when it is too large for the
    /// format.
    public init?(rounding decimal: DecimalNumber) {
        if let exact = Self(decimal) {
            self = exact
            return
        }
        var exponent = max(decimal.exponent, -Self.greatestExponent - 1)
        while exponent <= Self.greatestExponent {
            if let mantissa = decimal.rounded(toExponent: exponent),
                let result = Self(DecimalNumber(mantissa, exponent: exponent))
            {
                self = result
                return
            }
            exponent += 1
        }
        return nil
    }

    /// Creates a value from a whole number of hundredths, rounded half away from zero where the format is too coarse.
    public init?(hundredths: Int) {
        self.init(rounding: DecimalNumber(Int64(hundredths), exponent: -2))
    }

    /// Creates a whole number, rounded half away from zero where the format is too coarse.
    public init?(whole: Int) {
        self.init(rounding: DecimalNumber(Int64(whole), exponent: 0))
    }
}

extension MedicalNumberFormat {
    @inlinable @inline(__always)
    static func value(mantissa: Int64, exponent: Int) -> MedicalNumber {
        if exponent == 0, let special = special(mantissa) {
            return special
        }
        return .number(DecimalNumber(mantissa, exponent: exponent))
    }

    @inlinable
    static var greatestMantissa: Int64 { 1 << (mantissaBitCount - 1) - 1 }
    private static var exponentSpan: Int { 1 << (BitPattern.bitWidth - mantissaBitCount) }
    private static var greatestExponent: Int { exponentSpan / 2 - 1 }

    private init(special mantissa: Int64) {
        self.init(mantissa: mantissa, exponent: 0)
    }

    private init(mantissa: Int64, exponent: Int) {
        let low = BitPattern(truncatingIfNeeded: mantissa) & (1 << Self.mantissaBitCount - 1)
        self.init(bitPattern: low | BitPattern(truncatingIfNeeded: exponent) << Self.mantissaBitCount)
    }

    @inlinable
    static func special(_ mantissa: Int64) -> MedicalNumber? {
        switch mantissa {
        case greatestMantissa: .nan
        case greatestMantissa - 1: .positiveInfinity
        case -greatestMantissa - 1: .notAtThisResolution
        case -greatestMantissa: .reserved
        case -greatestMantissa + 1: .negativeInfinity
        default: nil
        }
    }

    /// The first exact encoding of `decimal` that is not the code of a special value.
    private static func fitted(_ decimal: DecimalNumber) -> (mantissa: Int64, exponent: Int)? {
        let mantissas = -greatestMantissa - 1...greatestMantissa
        let exponents = -greatestExponent - 1...greatestExponent
        if mantissas.contains(decimal.mantissa), exponents.contains(decimal.exponent),
            decimal.exponent != 0 || special(decimal.mantissa) == nil
        {
            return (decimal.mantissa, decimal.exponent)
        }
        var (mantissa, exponent) = (decimal.normalized.mantissa, decimal.normalized.exponent)
        if mantissa == 0 {
            return (0, 0)
        }
        while mantissas.contains(mantissa), exponent >= exponents.lowerBound {
            if exponents.contains(exponent), exponent != 0 || special(mantissa) == nil {
                return (mantissa, exponent)
            }
            mantissa *= 10
            exponent -= 1
        }
        return nil
    }
}

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
