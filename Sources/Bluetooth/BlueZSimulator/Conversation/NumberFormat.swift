import VitalDecoders

/// How a number is encoded; the words are `u8`, `i8`, `u16`, `i16`, `u24`, `i24`, `u32`, `i32`, with `be` for
/// big-endian, and `sfloat`, with an exponent such as `e-5`.
enum NumberFormat: Hashable, Sendable {
    case integer(octets: Int, isSigned: Bool, isHighestFirst: Bool)
    /// A MedicalShortFloat whose mantissa is the rounded number.
    case shortFloat(exponent: Int)

    /// Reads a word; `nil` for an unknown one.
    init?(_ word: Substring) {
        if word == "sfloat" {
            self = .shortFloat(exponent: 0)
            return
        }
        let isHighestFirst = word.hasSuffix("be")
        let rest = isHighestFirst ? word.dropLast(2) : word
        guard let sign = rest.first, sign == "u" || sign == "i", let bits = Int(rest.dropFirst()),
            [8, 16, 24, 32].contains(bits)
        else { return nil }
        self = .integer(octets: bits / 8, isSigned: sign == "i", isHighestFirst: isHighestFirst)
    }

    /// The octets of the nearest number that can be encoded.
    func octets(_ number: Double) -> [UInt8] {
        switch self {
        case .shortFloat(let exponent):
            let mantissa = Int64(max(-2046, min(2045, number.rounded())))
            let word = (MedicalShortFloat(DecimalNumber(mantissa, exponent: exponent)) ?? .nan).bitPattern
            return [UInt8(word & 0xFF), UInt8(word >> 8)]
        case .integer(let count, let isSigned, let isHighestFirst):
            let bits = 8 * count
            let least = isSigned ? -(1 << (bits - 1)) : 0
            let greatest = (1 << (isSigned ? bits - 1 : bits)) - 1
            let integer = Int(max(Double(least), min(Double(greatest), number.rounded())))
            let octets = (0..<count).map { UInt8(truncatingIfNeeded: integer >> (8 * $0)) }
            return isHighestFirst ? octets.reversed() : octets
        }
    }
}

/// A quantity and operations on it, from left to right, such as `pulseRate>>1&64`.
struct QuantityExpression: Hashable, Sendable {
    /// Bit operations apply to the rounded number.
    enum Operator: String, CaseIterable, Hashable, Sendable {
        case shiftRight = ">>"
        case shiftLeft = "<<"
        case times = "*"
        case divided = "/"
        case plus = "+"
        case minus = "-"
        case and = "&"
        case or = "|"
    }

    struct Step: Hashable, Sendable {
        var operation: Operator
        var number: Double
    }

    var name: String
    var steps: [Step] = []

    /// Reads an expression; `nil` when it is invalid.
    init?(_ text: Substring) {
        let name = text.prefix { $0.isLetter || $0.isNumber }
        guard name.first?.isLetter == true else { return nil }
        self.name = String(name)
        var rest = text.dropFirst(name.count)
        while !rest.isEmpty {
            guard let operation = Operator.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else { return nil }
            rest = rest.dropFirst(operation.rawValue.count)
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            guard let number = Double(digits), number.isFinite, operation != .divided || number != 0 else { return nil }
            steps.append(Step(operation: operation, number: number))
            rest = rest.dropFirst(digits.count)
        }
    }

    func value(of quantity: Double) -> Double {
        steps.reduce(quantity) { value, step in
            let bits = Int(max(-1e15, min(1e15, value.rounded())))
            let operand = Int(max(0, min(1e15, step.number)))
            return switch step.operation {
            case .shiftRight: Double(bits >> operand)
            case .shiftLeft: Double(bits << min(16, operand))
            case .times: value * step.number
            case .divided: value / step.number
            case .plus: value + step.number
            case .minus: value - step.number
            case .and: Double(bits & operand)
            case .or: Double(bits | operand)
            }
        }
    }
}
