/// Reads the numbers of JSON5: signs, hexadecimal, bare points, `Infinity` and `NaN`.
enum JSON5Number {
    static func parse(_ scanner: inout JSON5Scanner) throws(JSON5Error) -> Double {
        let start = scanner.position
        let isNegative = scanner.next == "-"
        if isNegative || scanner.next == "+" { scanner.consume() }
        let magnitude = try magnitude(&scanner, start)
        return isNegative ? -magnitude : magnitude
    }

    private static func magnitude(
        _ scanner: inout JSON5Scanner, _ start: TextPosition
    ) throws(JSON5Error) -> Double {
        var token = scanner.consume { $0 == "." || $0.properties.isIDContinue }
        // The sign of an exponent belongs to the number; in `0x1e+5` there is none.
        if token.hasSuffix("e") || token.hasSuffix("E"), !isHexadecimal(token), let sign = scanner.next,
            sign == "+" || sign == "-"
        {
            scanner.consume()
            token.unicodeScalars.append(sign)
            token += scanner.consume { "0"..."9" ~= $0 }
        }
        switch token {
        case "Infinity": return .infinity
        case "NaN": return .nan
        default: break
        }
        if isHexadecimal(token), let value = hexadecimal(token.dropFirst(2)) { return value }
        if isDecimal(token), let value = Double(token.hasSuffix(".") ? token + "0" : token) { return value }
        if token.isEmpty { throw scanner.mistake("expected a number, found \(scanner.found)") }
        throw JSON5Error(position: start, reason: "'\(token)' is no number")
    }

    private static func isHexadecimal(_ token: String) -> Bool {
        token.hasPrefix("0x") || token.hasPrefix("0X")
    }

    private static func hexadecimal(_ digits: Substring) -> Double? {
        guard !digits.isEmpty else { return nil }
        var value = 0.0
        for character in digits {
            guard character.isASCII, let digit = character.hexDigitValue else { return nil }
            value = value * 16 + Double(digit)
        }
        return value
    }

    /// Whether a token has only what a decimal number has: `Double` reads more, such as `nan` and `0x1p3`.
    private static func isDecimal(_ token: String) -> Bool {
        let digits = token.utf8.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
        let hasLeadingZero = token.hasPrefix("0") && token.count > 1
        let isOctal = hasLeadingZero && !token.hasPrefix("0.") && !token.hasPrefix("0e") && !token.hasPrefix("0E")
        return digits > 0 && !isOctal && token.utf8.allSatisfy { Self.decimalOctets.contains($0) }
    }

    private static let decimalOctets = Set("0123456789.eE+-".utf8)
}
