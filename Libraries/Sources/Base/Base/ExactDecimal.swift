/// A decimal number as it is written, kept exactly: 38.30 is 3830 with two decimals, and equals 38.3.
public struct ExactDecimal: Hashable, Sendable {
    /// The number without its decimal point.
    public let significand: Int
    /// How many digits follow the decimal point.
    public let decimals: Int

    /// The most digits of a number.
    private static let digitLimit = 15

    public init(significand: Int, decimals: Int = 0) {
        self.significand = significand
        self.decimals = max(0, decimals)
    }

    /// The same number without zeros at the end of its fraction, down to a number of decimals.
    public func shortened(toDecimals least: Int = 0) -> ExactDecimal {
        var (significand, decimals) = (significand, decimals)
        while decimals > max(0, least), significand.isMultiple(of: 10) {
            significand /= 10
            decimals -= 1
        }
        return ExactDecimal(significand: significand, decimals: decimals)
    }

    /// Whether two numbers are equal, regardless of trailing zeros.
    public static func == (lhs: ExactDecimal, rhs: ExactDecimal) -> Bool {
        let (one, other) = (lhs.shortened(), rhs.shortened())
        return one.significand == other.significand && one.decimals == other.decimals
    }

    /// Hashes the number without trailing zeros.
    public func hash(into hasher: inout Hasher) {
        let shortest = shortened()
        hasher.combine(shortest.significand)
        hasher.combine(shortest.decimals)
    }

    /// How a number may be written.
    public struct Form: Hashable, Sendable {
        /// What may separate the fraction.
        var separators: [Unicode.Scalar]
        /// Whether a sign may precede it, and underscores may separate digits.
        var isTOML: Bool
        /// The most digits before the separator, and after it.
        var (digits, decimals): (Int, Int)

        /// As TOML has it.
        public static let toml = Form(separators: ["."], isTOML: true, digits: digitLimit, decimals: digitLimit)

        /// As people type it: without a sign, with a point or a comma.
        public static func typed(digits: Int, decimals: Int) -> Form {
            Form(separators: [".", ","], isTOML: false, digits: digits, decimals: decimals)
        }
    }

    /// Reads a number.
    ///
    /// - Returns: `nil` when the text is no number of that form, or has more digits than any number here needs.
    public init?(_ text: some StringProtocol, _ form: Form = .toml) {
        var (digits, count, isNegative) = (0, 0, false)
        var decimals: Int?
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "+" where previous == nil && form.isTOML: break
            case "-" where previous == nil && form.isTOML: isNegative = true
            case "0"..."9":
                count += 1
                decimals = decimals.map { $0 + 1 }
                guard count <= Self.digitLimit, decimals ?? 0 <= form.decimals,
                    decimals != nil || count <= form.digits
                else { return nil }
                digits = digits * 10 + Int(scalar.value - 48)
            case _ where form.separators.contains(scalar) && decimals == nil && Self.isDigit(previous): decimals = 0
            case "_" where Self.isDigit(previous) && form.isTOML: break
            default: return nil
            }
            previous = scalar
        }
        guard Self.isDigit(previous) else { return nil }
        self.init(significand: isNegative ? -digits : digits, decimals: decimals ?? 0)
    }

    private static func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { ("0"..."9").contains($0) } ?? false
    }

    /// The number times a power of ten, such as the hundredths of 38.3 for 2.
    ///
    /// - Returns: `nil` when the number has more decimals than that, or the product is too large.
    public func scaled(decimals wanted: Int) -> Int? {
        let shortest = shortened()
        guard wanted >= shortest.decimals else { return nil }
        var result = shortest.significand
        for _ in shortest.decimals..<wanted {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            result = product
        }
        return result
    }

    /// The number as text, such as `38.3`.
    public var text: String {
        let digits = String(significand.magnitude)
        let sign = significand < 0 ? "-" : ""
        guard decimals > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }
}

/// A whole number without a sign in text; `nil` where there is anything but digits, or more of them.
///
/// - Parameter digits: The most digits, 15 at most.
public func wholeNumber(_ text: some StringProtocol, digits: Int) -> Int? {
    ExactDecimal(text, .typed(digits: digits, decimals: 0))?.significand
}
