/// Reads numbers; JSON5 adds plus signs, hexadecimal digits, bare points, `Infinity` and `NaN` to those of JSON.
enum JSON5Number {
    static func parse(_ scanner: inout JSON5Scanner) throws(JSON5Error) -> JSON5Value.Content {
        let start = scanner.position()
        let isNegative = scanner.next == "-"
        if isNegative || scanner.next == "+" { scanner.consume() }
        if let magnitude = scanner.consumeShortInteger() { return .integer(isNegative ? -magnitude : magnitude) }
        let token = token(&scanner)
        if token.isEmpty { throw scanner.error("expected a number, found \(scanner.found)") }
        if let integer = integer(token, isNegative: isNegative, scanner.syntax) { return .integer(integer) }
        if let magnitude = magnitude(token, scanner.syntax) { return .number(isNegative ? -magnitude : magnitude) }
        throw JSON5Error(position: start, reason: "'\(token)' is no number")
    }

    private static func token(_ scanner: inout JSON5Scanner) -> String {
        var token = scanner.consume { $0 == "." || JSON5Parser.isNamePart($0) }
        // The sign of an exponent belongs to the number; `0x1e+5` has no exponent.
        if token.hasSuffix("e") || token.hasSuffix("E"), !isHexadecimal(token), let sign = scanner.next,
            sign == "+" || sign == "-"
        {
            scanner.consume()
            token.unicodeScalars.append(sign)
            token += scanner.consume { "0"..."9" ~= $0 }
        }
        return token
    }

    private static func isHexadecimal(_ token: String) -> Bool {
        token.hasPrefix("0x") || token.hasPrefix("0X")
    }

    /// A whole number of 64 bits.
    private static func integer(_ token: String, isNegative: Bool, _ syntax: JSON5Parser.Syntax) -> Int64? {
        if token.utf8.first != UInt8(ascii: "0") || token.utf8.count == 1 {
            return Int64(isNegative ? "-" + token : token)
        }
        guard syntax == .json5, isHexadecimal(token) else { return nil }
        return Int64(token.dropFirst(2), radix: 16).map { isNegative ? -$0 : $0 }
    }

    private static func magnitude(_ token: String, _ syntax: JSON5Parser.Syntax) -> Double? {
        if syntax == .json { return isDecimal(token) && isStrict(token) ? Double(token) : nil }
        switch token {
        case "Infinity": return .infinity
        case "NaN": return .nan
        default: break
        }
        if isHexadecimal(token) { return hexadecimal(token.dropFirst(2)) }
        return isDecimal(token) ? Double(token.hasSuffix(".") ? token + "0" : token) : nil
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

    /// Whether a token has only the characters of a decimal number: `Double` accepts more, such as `nan` and `0x1p3`.
    private static func isDecimal(_ token: String) -> Bool {
        let hasLeadingZero = token.hasPrefix("0") && token.count > 1
        let isOctal = hasLeadingZero && !token.hasPrefix("0.") && !token.hasPrefix("0e") && !token.hasPrefix("0E")
        return !isOctal && token.utf8.contains(where: isDigit) && token.utf8.allSatisfy { decimalBytes.contains($0) }
    }

    private static let decimalBytes = Set("0123456789.eE+-".utf8)

    /// Whether the points of a decimal number are between digits, as JSON requires.
    private static func isStrict(_ token: String) -> Bool {
        token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .allSatisfy { $0.first.map(isDigit) ?? false }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
