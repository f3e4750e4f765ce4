/// An exact decimal number: mantissa × 10^exponent.
///
/// Equality and order are those of the numbers (36.5 equals 36.50); the exponent is kept as sent, because it determines
/// the precision.
public struct DecimalNumber: Sendable {
    /// The digits, with the sign.
    public let mantissa: Int64
    /// The power of ten.
    public let exponent: Int

    /// Creates mantissa × 10^exponent.
    @inlinable
    public init(_ mantissa: Int64, exponent: Int) {
        self.mantissa = mantissa
        self.exponent = exponent
    }

    /// The same number without trailing zeros in the mantissa; zero has the exponent 0.
    public var normalized: DecimalNumber {
        guard mantissa != 0 else { return DecimalNumber(0, exponent: 0) }
        var (digits, power) = (mantissa, exponent)
        while digits % 10 == 0, power < .max {
            digits /= 10
            power += 1
        }
        return DecimalNumber(digits, exponent: power)
    }

    /// The number in units of 10^`target`, rounded half away from zero, or `nil` beyond the range of `Int64`.
    public func rounded(toExponent target: Int) -> Int64? {
        guard mantissa != 0 else { return 0 }
        let (difference, overflow) = exponent.subtractingReportingOverflow(target)
        if overflow {
            return exponent < target ? 0 : nil
        }
        if difference >= 0 {
            return Self.power(of: difference).flatMap { power in
                let (product, overflow) = mantissa.multipliedReportingOverflow(by: power)
                return overflow ? nil : product
            }
        }
        // 10^19 is more than twice the greatest mantissa, so smaller parts round to zero.
        guard difference >= -18, let power = Self.power(of: -difference) else {
            return difference == -19 && mantissa.magnitude >= 5_000_000_000_000_000_000 ? mantissa.signum() : 0
        }
        let (quotient, remainder) = mantissa.quotientAndRemainder(dividingBy: power)
        return remainder.magnitude >= power.magnitude / 2 ? quotient + mantissa.signum() : quotient
    }

    /// The number in hundredths, rounded half away from zero, or `nil` beyond the range of `Int`.
    public var hundredths: Int? {
        rounded(toExponent: -2).flatMap { Int(exactly: $0) }
    }

    /// The nearest `Double`; beyond its range, infinity or zero.
    public var doubleValue: Double {
        let exact = Int64(1) << 53
        let small = normalized
        if (-exact...exact).contains(small.mantissa), -18...18 ~= small.exponent,
            let power = Self.power(of: abs(small.exponent))
        {
            // Both operands are exact, so the one operation rounds correctly.
            return small.exponent < 0 ? Double(small.mantissa) / Double(power) : Double(small.mantissa) * Double(power)
        }
        return Double("\(mantissa)e\(exponent)") ?? .nan
    }

    /// 10^`exponent`, or `nil` outside of 0 to 18.
    static func power(of exponent: Int) -> Int64? {
        guard 0...18 ~= exponent else { return nil }
        var result: Int64 = 1
        for _ in 0..<exponent {
            result *= 10
        }
        return result
    }
}

extension DecimalNumber: Hashable {
    /// Whether both are the same number, independent of their exponents.
    public static func == (lhs: DecimalNumber, rhs: DecimalNumber) -> Bool {
        let (left, right) = (lhs.normalized, rhs.normalized)
        return left.mantissa == right.mantissa && left.exponent == right.exponent
    }

    /// Hashes the number, independent of its exponent.
    public func hash(into hasher: inout Hasher) {
        let number = normalized
        hasher.combine(number.mantissa)
        hasher.combine(number.exponent)
    }
}

extension DecimalNumber: Comparable {
    /// Orders numbers exactly.
    public static func < (lhs: DecimalNumber, rhs: DecimalNumber) -> Bool {
        guard lhs.mantissa.signum() == rhs.mantissa.signum() else {
            return lhs.mantissa.signum() < rhs.mantissa.signum()
        }
        let isNegative = lhs.mantissa < 0
        return switch compareMagnitudes(lhs, rhs) {
        case 0: false
        case ..<0: !isNegative
        default: isNegative
        }
    }

    /// −1, 0 or 1 as the magnitude of `lhs` is less than, equal to or greater than that of `rhs`.
    private static func compareMagnitudes(_ lhs: DecimalNumber, _ rhs: DecimalNumber) -> Int {
        let (left, right) = (lhs.normalized, rhs.normalized)
        if left.exponent == right.exponent {
            return (left.mantissa.magnitude > right.mantissa.magnitude ? 1 : 0)
                - (left.mantissa.magnitude < right.mantissa.magnitude ? 1 : 0)
        }
        if left.exponent < right.exponent {
            return -compareMagnitudes(right, left)
        }
        // Magnitudes are below 2^64 < 10^20: a left side that cannot be scaled to the right's exponent is greater.
        let (difference, overflow) = left.exponent.subtractingReportingOverflow(right.exponent)
        guard !overflow, left.mantissa != 0, let power = power(of: difference) else {
            return left.mantissa == 0 ? (right.mantissa == 0 ? 0 : -1) : 1
        }
        let (scaled, tooLarge) = left.mantissa.magnitude.multipliedReportingOverflow(by: power.magnitude)
        if tooLarge || scaled > right.mantissa.magnitude {
            return 1
        }
        return scaled < right.mantissa.magnitude ? -1 : 0
    }
}

extension DecimalNumber: CustomStringConvertible {
    /// The number without trailing zeros, such as `37.6`; also a JSON number.
    ///
    /// Numbers from 10^21 and those with more than six zeros after the point have an exponent, such as `1.5e+30`.
    public var description: String {
        var text: [UInt8] = []
        appendText(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends ``description`` as ASCII.
    public func appendText(to text: inout [UInt8]) {
        let number = normalized
        if number.mantissa < 0 {
            text.append(UInt8(ascii: "-"))
        }
        let start = text.count
        Self.appendDigits(of: number.mantissa.magnitude, to: &text)
        let digitCount = text.count - start
        // The position of the point, counted from the first digit.
        let (point, overflow) = number.exponent.addingReportingOverflow(digitCount)
        switch point {
        case _ where overflow:
            Self.appendScientific(number.exponent, start: start, digitCount: digitCount, to: &text)
        case digitCount...21:
            text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: point - digitCount))
        case 1..<digitCount:
            text.insert(UInt8(ascii: "."), at: start + point)
        case -6...0:
            text.insert(contentsOf: repeatElement(UInt8(ascii: "0"), count: 2 - point), at: start)
            text[start + 1] = UInt8(ascii: ".")
        default:
            Self.appendScientific(number.exponent, start: start, digitCount: digitCount, to: &text)
        }
    }

    /// Appends the digits from `start` on in the form `d.ddde±x`.
    private static func appendScientific(_ exponent: Int, start: Int, digitCount: Int, to text: inout [UInt8]) {
        if digitCount > 1 {
            text.insert(UInt8(ascii: "."), at: start + 1)
        }
        let power = exponent.addingReportingOverflow(digitCount - 1)
        let shown = power.overflow ? Int.max : power.partialValue
        text.append(UInt8(ascii: "e"))
        text.append(shown < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        appendDigits(of: UInt64(shown.magnitude), to: &text)
    }

    /// Appends the decimal digits of a whole number.
    static func appendDigits(of number: UInt64, to text: inout [UInt8]) {
        let start = text.count
        var rest = number
        repeat {
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        text[start...].reverse()
    }
}
