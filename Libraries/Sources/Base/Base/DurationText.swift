/// Lengths of time as typed by users: a positive number with a unit, `ms`, `s` (the default), `min` or `h`.
public enum DurationText {
    /// The longest time that is accepted: a thousand days.
    private static let longest = 86_400_000_000

    /// Reads a length of time such as `15s`, `1.5 h` or `500ms`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isZeroAllowed: Whether zero is allowed.
    /// - Returns: `nil` when the text is not a length of time, is not positive, has a fraction of a millisecond, or is
    ///   too long.
    public static func duration(_ text: String, allowingZero isZeroAllowed: Bool = false) -> Duration? {
        let digits = text.unicodeScalars.prefix { ("0"..."9").contains($0) || $0 == "." }
        let unit = text.unicodeScalars.dropFirst(digits.count).drop { $0 == " " }
        let milliseconds: Int
        switch String(String.UnicodeScalarView(unit)) {
        case "ms": milliseconds = 1
        case "", "s": milliseconds = 1000
        case "m", "min": milliseconds = 60_000
        case "h": milliseconds = 3_600_000
        default: return nil
        }
        guard let number = ExactDecimal(String(String.UnicodeScalarView(digits))) else { return nil }
        var divisor = 1
        for _ in 0..<number.decimals { divisor *= 10 }
        let (product, overflow) = number.significand.multipliedReportingOverflow(by: milliseconds)
        guard !overflow, product >= (isZeroAllowed ? 0 : 1), product % divisor == 0, product / divisor <= longest else {
            return nil
        }
        return .milliseconds(product / divisor)
    }

    /// The shortest form of a length of time, such as `2min` for 120 s.
    public static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        if seconds == 0, attoseconds == 0 { return "0s" }
        if attoseconds != 0 {
            let milliseconds = Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
            if seconds == 0 { return "\(milliseconds)ms" }
            return ExactDecimal(significand: milliseconds, decimals: 3).shortened().text + "s"
        }
        if seconds.isMultiple(of: 3600) { return "\(seconds / 3600)h" }
        if seconds.isMultiple(of: 60) { return "\(seconds / 60)min" }
        return "\(seconds)s"
    }
}

extension Duration {
    /// The duration in nanoseconds, clamped to 64 bits.
    @inlinable
    public var nanoseconds: Int64 {
        // Checked first, because the components of a very long duration would trap.
        if self >= .nanoseconds(Int64.max) { return .max }
        if self <= .nanoseconds(Int64.min) { return .min }
        let (seconds, attoseconds) = components
        return (seconds &* 1_000_000_000).addingSaturated(attoseconds / 1_000_000_000)
    }
}
