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
