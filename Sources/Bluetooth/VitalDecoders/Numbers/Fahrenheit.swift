/// Conversions from degrees Fahrenheit to degrees Celsius in whole numbers only, so that 100.94 °F is exactly 38.3 °C.
extension DecimalNumber {
    /// This number of degrees Fahrenheit in hundredths of a degree Celsius, rounded half away from zero.
    ///
    /// `nil` beyond the range of `Int`.
    public var celsiusHundredthsFromFahrenheit: Int? {
        let (numerator, exponent) = ninefoldCelsiusFromFahrenheit
        // Hundredths = numerator × 10^(exponent + 2) / 9, and the numerator is at most 5 × 10^18.
        let (scale, tooLarge) = exponent.addingReportingOverflow(2)
        if scale >= 0 || tooLarge {
            guard let power = Self.power(of: scale) else { return numerator == 0 ? 0 : nil }
            let (scaled, overflow) = numerator.multipliedReportingOverflow(by: power)
            return overflow ? nil : Int(exactly: Self.divided(scaled, by: 9))
        }
        guard let power = Self.power(of: -scale) else { return 0 }
        let (divisor, overflow) = power.multipliedReportingOverflow(by: 9)
        return overflow ? 0 : Int(exactly: Self.divided(numerator, by: divisor))
    }

    /// This number of degrees Fahrenheit in degrees Celsius: exact where a decimal can be (98.6 °F is 37 °C), else
    /// rounded to 16 significant digits.
    public var celsiusFromFahrenheit: DecimalNumber {
        var (numerator, exponent) = ninefoldCelsiusFromFahrenheit
        if numerator % 9 == 0 {
            return DecimalNumber(numerator / 9, exponent: exponent)
        }
        while numerator.magnitude < 9_000_000_000_000_000 {
            numerator *= 10
            exponent -= 1
        }
        return DecimalNumber(Self.divided(numerator, by: 9), exponent: exponent)
    }

    /// Nine times the temperature in degrees Celsius: 5 × (number − 32), with a magnitude of at most 5.1 × 10^18.
    private var ninefoldCelsiusFromFahrenheit: (numerator: Int64, exponent: Int) {
        let limit = Int64(100_000_000_000_000_000)
        var (digits, power) = (mantissa, exponent)
        // More than fifteen decimal places, or more than 17 digits, are rounded to odd, which does not change any later
        // rounding to hundredths or sixteen digits.
        var isInexact = false
        while digits != 0, power < -15 || digits.magnitude >= limit.magnitude {
            isInexact = isInexact || digits % 10 != 0
            digits /= 10
            power = power == .max ? power : power + 1
        }
        if digits == 0 {
            return (-160, 0)
        }
        if isInexact, digits % 5 == 0 {
            digits += mantissa.signum()
        }
        while power > 0, digits.magnitude < limit.magnitude / 10 {
            digits *= 10
            power -= 1
        }
        guard power <= 0, let scale = Self.power(of: -power) else {
            // The number is so large that 32 degrees are less than its last digit.
            return (digits * 5, power)
        }
        return ((digits - 32 * scale) * 5, power)
    }

    /// The quotient, rounded half away from zero.
    private static func divided(_ numerator: Int64, by divisor: Int64) -> Int64 {
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: divisor)
        return remainder.magnitude >= (divisor.magnitude + 1) / 2 ? quotient + numerator.signum() : quotient
    }
}
