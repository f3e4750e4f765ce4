import Base

/// Why a word is no number.
struct TOMLNumberError: Error, Hashable {
    let reason: String
}

/// Reads the numbers of TOML: integers in four bases, decimal fractions, exponents, infinities.
enum TOMLNumber {
    static func value(_ word: String) throws(TOMLNumberError) -> ConfigurationValue {
        var digits = Array(word.utf8)[...]
        let bases: [(prefix: String, radix: Int)] = [("0x", 16), ("0o", 8), ("0b", 2)]
        if let base = bases.first(where: { word.hasPrefix($0.prefix) }) {
            digits = digits.dropFirst(2)
            guard let text = run(&digits, radix: base.radix), digits.isEmpty else { throw other(word) }
            return try integer(text, radix: base.radix, word)
        }
        var sign = ""
        if let first = digits.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            digits = digits.dropFirst()
            if first == UInt8(ascii: "-") { sign = "-" }
        }
        switch String(decoding: digits, as: UTF8.self) {
        case "inf": return .float(sign.isEmpty ? .infinity : -.infinity)
        case "nan": return .float(.nan)
        default: break
        }
        guard let whole = run(&digits, radix: 10) else { throw other(word) }
        if whole.utf8.count > 1, whole.hasPrefix("0") {
            guard digits.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) else {
                throw other(word)
            }
            throw TOMLNumberError(reason: "a number does not begin with 0; put a text into double quotes")
        }
        if digits.isEmpty { return try integer(sign + whole, radix: 10, word) }
        return try fraction(sign, whole, &digits, word)
    }

    private static func fraction(
        _ sign: String, _ whole: String, _ digits: inout ArraySlice<UInt8>, _ word: String
    ) throws(TOMLNumberError) -> ConfigurationValue {
        var text = sign + whole
        if digits.first == UInt8(ascii: ".") {
            digits = digits.dropFirst()
            guard let fraction = run(&digits, radix: 10) else { throw other(word) }
            text += "." + fraction
            // -0.0 cannot be kept exactly.
            if digits.isEmpty, let number = ExactDecimal(text), number.significand != 0 || sign.isEmpty {
                return .number(number)
            }
        }
        if let first = digits.first, first == UInt8(ascii: "e") || first == UInt8(ascii: "E") {
            digits = digits.dropFirst()
            text += "e"
            if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                text.unicodeScalars.append(Unicode.Scalar(sign))
                digits = digits.dropFirst()
            }
            guard let exponent = run(&digits, radix: 10) else { throw other(word) }
            text += exponent
        }
        guard digits.isEmpty, let number = Double(text) else { throw other(word) }
        // 3.83e1 is the same number as 38.3.
        if number != 0, let short = ExactDecimal(number.description) { return .number(short) }
        return .float(number)
    }

    private static func integer(
        _ text: String, radix: Int, _ word: String
    ) throws(TOMLNumberError) -> ConfigurationValue {
        guard let number = Int(text, radix: radix) else {
            throw TOMLNumberError(reason: "\(word) is too large a number")
        }
        return .number(ExactDecimal(significand: number))
    }

    /// Digits, with single underscores between them removed.
    private static func run(_ rest: inout ArraySlice<UInt8>, radix: Int) -> String? {
        var text = ""
        var isAfterDigit = false
        while let byte = rest.first {
            let scalar = Unicode.Scalar(byte)
            if scalar == "_" {
                guard isAfterDigit else { return nil }
                isAfterDigit = false
            } else if Int(String(scalar), radix: radix) != nil {
                text.unicodeScalars.append(scalar)
                isAfterDigit = true
            } else {
                break
            }
            rest = rest.dropFirst()
        }
        return isAfterDigit ? text : nil
    }

    private static func other(_ word: String) -> TOMLNumberError {
        let isNumeric = word.first.map { $0.isNumber || $0 == "+" || $0 == "-" } ?? false
        return TOMLNumberError(
            reason: isNumeric
                ? "'\(word)' is neither a number, a date nor a time; put a text into double quotes"
                : "'\(word)' is not a value; put a text into double quotes")
    }
}
