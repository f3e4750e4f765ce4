import CGcrypt
import Glibc
import VitalDecoders

/// Octets with placeholders, to be sent or compared, such as `55 00 FF {u8 oxygenSaturation} {crc8}`.
///
/// The article <doc:WritingScenarios> lists the placeholders.
struct OctetTemplate: Hashable, Sendable {
    /// A part of a template.
    indirect enum Part: Hashable, Sendable {
        case octet(UInt8)
        /// Any one octet, and any number of octets at the end; in patterns only.
        case anyOctet, rest
        case number(NumberFormat, QuantityExpression)
        /// Octets of the request from one index up to, but without, another.
        case request(Int, Int?)
        case saved(String)
        case random(Int)
        /// The sensor's clock as a Date Time (2A08).
        case time
        case text([UInt8])
        /// A checksum of the octets before it, from an index on.
        case checksum(OctetChecksum, from: Int)
        /// The hash of Dexcom's authentication, keyed with the sensor's identifier.
        case dexcomHash(Part)
        /// The 344 octets of a FreeStyle Libre 1 memory whose glucose is a quantity.
        case libreMemory(String)
        /// The samples of a wave.
        case samples
    }

    let parts: [Part]

    init(_ parts: [Part]) { self.parts = parts }

    init(octets: [UInt8]) { parts = octets.map(Part.octet) }

    /// Whether its octets never change.
    var isConstant: Bool { parts.allSatisfy { if case .octet = $0 { true } else { false } } }

    /// Whether it is a pattern, which cannot be sent.
    var isPattern: Bool { parts.contains { $0 == .anyOctet || $0 == .rest } }

    /// Whether it has the samples of a wave.
    var hasSamples: Bool { parts.contains(.samples) }

    /// The names of the quantities in it.
    var quantities: [String] {
        parts.compactMap {
            switch $0 {
            case .number(_, let expression): expression.name
            case .libreMemory(let name): name
            default: nil
            }
        }
    }

    /// The octets, with the placeholders replaced.
    func octets(_ filling: TemplateFilling) -> [UInt8] {
        var octets: [UInt8] = []
        for part in parts { octets += Self.octets(of: part, after: octets, filling) }
        return octets
    }

    /// Whether octets match; placeholders must have the values that they would have now.
    func matches(_ octets: [UInt8], _ filling: TemplateFilling) -> Bool {
        var place = 0
        for part in parts {
            switch part {
            case .rest: return true
            case .anyOctet: place += 1
            default:
                let expected = Self.octets(of: part, after: Array(octets.prefix(place)), filling)
                guard octets.dropFirst(place).starts(with: expected) else { return false }
                place += expected.count
            }
        }
        return place == octets.count
    }

    private static func octets(of part: Part, after before: [UInt8], _ filling: TemplateFilling) -> [UInt8] {
        switch part {
        case .octet(let octet): [octet]
        case .anyOctet, .rest: []
        case .number(let format, let expression): format.octets(expression.value(of: filling.quantity(expression.name)))
        case .request(let first, let end):
            Array(filling.request.dropFirst(first).prefix(end.map { $0 - first } ?? .max))
        case .saved(let name): filling.saved[name] ?? []
        case .random(let count): filling.random(count)
        case .time: filling.time.octets
        case .text(let octets): octets
        case .checksum(let checksum, let first): checksum.octets(of: before.dropFirst(first))
        case .dexcomHash(let inner):
            DexcomPeer.hash(of: octets(of: inner, after: before, filling), identifier: filling.identifier)
        case .libreMemory(let name): LibreImage.octets(now: filling.seconds) { filling.quantityAt(name, $0) }
        case .samples: filling.samples
        }
    }
}

/// The values for a template's placeholders.
struct TemplateFilling {
    /// The octets that were written to the sensor.
    var request: [UInt8] = []
    var saved: [String: [UInt8]] = [:]
    var identifier = ""
    /// The octets of a wave's samples.
    var samples: [UInt8] = []
    /// The time of the scenario at which quantities are evaluated, in seconds.
    var seconds: Double
    /// The sensor's clock at that time.
    var time: DateTime
    /// The value of a quantity at a time.
    var quantityAt: (String, Double) -> Double
    /// Random octets of a given number.
    var random: (Int) -> [UInt8]

    func quantity(_ name: String) -> Double { quantityAt(name, seconds) }
}

extension DateTime {
    /// The local time for a number of seconds since 1970.
    init(localTime seconds: Double) {
        var seconds = time_t(seconds)
        var parts = tm()
        localtime_r(&seconds, &parts)
        self.init(
            year: UInt16(clamping: parts.tm_year + 1900), month: UInt8(clamping: parts.tm_mon + 1),
            day: UInt8(clamping: parts.tm_mday), hour: UInt8(clamping: parts.tm_hour),
            minute: UInt8(clamping: parts.tm_min), second: UInt8(clamping: min(parts.tm_sec, 59)))
    }

    var octets: [UInt8] {
        let year = year ?? 0
        return [UInt8(truncatingIfNeeded: year), UInt8(year >> 8), month ?? 0, day ?? 0, hour, minute, second]
    }
}

/// The transmitter's side of Dexcom's authentication.
enum DexcomPeer {
    /// The first 8 octets of AES-128-ECB over the octets twice, with the key "00" identifier "00" identifier.
    ///
    /// Empty without an identifier of six characters, for other than 8 octets, or without libgcrypt, so that it matches no
    /// answer.
    static func hash(of octets: [UInt8], identifier: String) -> [UInt8] {
        let half = Array("00\(identifier)".utf8)
        guard half.count == 8, octets.count == 8 else { return [] }
        var block = [UInt8](repeating: 0, count: 16)
        let failure = block.withUnsafeMutableBytes { cgcrypt_aes128(half + half, octets + octets, $0.baseAddress) }
        return failure == 0 ? Array(block.prefix(8)) : []
    }
}

/// The memory of a FreeStyle Libre 1 sensor in use.
enum LibreImage {
    /// The sensor's age in minutes when the scenario begins.
    static let firstMinute = 5000

    /// 43 blocks of 8 octets: values of each of the last 16 minutes, and of each quarter of an hour of the last 8 hours.
    ///
    /// - Parameters:
    ///   - now: Seconds since the scenario began.
    ///   - glucose: mg/dL at a time, which may be before the beginning.
    static func octets(now: Double, glucose: (Double) -> Double) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: 344)
        let age = firstMinute + Int(now / 60)
        func put(_ minute: Int, at place: Int) {
            // A raw unit is 0.117647 mg/dL; 13 bits.
            let value = glucose(Double(minute - firstMinute) * 60) * 1000 / 117.647
            let raw = Int(max(0, min(8191, value.rounded())))
            (octets[place], octets[place + 1]) = (UInt8(raw & 0xFF), UInt8(raw >> 8))
        }
        octets[4] = 3
        let trend = age % 16
        octets[26] = UInt8(trend)
        for back in 0..<16 { put(age - back, at: 28 + 6 * ((trend + 31 - back) % 16)) }
        let newest = age - ((age + 12) % 15 + 3)
        let history = newest / 15 % 32
        octets[27] = UInt8(history)
        for back in 0..<32 { put(newest - 15 * back, at: 124 + 6 * ((history + 63 - back) % 32)) }
        (octets[316], octets[317]) = (UInt8(age & 0xFF), UInt8(age >> 8 & 0xFF))
        for region in [0..<24, 24..<320, 320..<344] {
            let sum = checksum(octets[(region.lowerBound + 2)..<region.upperBound])
            (octets[region.lowerBound], octets[region.lowerBound + 1]) = (UInt8(sum & 0xFF), UInt8(sum >> 8))
        }
        return octets
    }

    /// CRC-16, polynomial 0x8408, initial value 0xFFFF, with the bits reversed at the end.
    private static func checksum(_ octets: ArraySlice<UInt8>) -> UInt16 {
        let crc = octets.reduce(UInt16.max) { crc, octet in
            (0..<8).reduce(crc ^ UInt16(octet)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x8408 }
        }
        return (0..<16).reduce(0) { $0 << 1 | crc >> $1 & 1 }
    }
}

/// A checksum in a template; the raw value is its word.
enum OctetChecksum: String, CaseIterable, Hashable, Sendable {
    /// CRC-8, polynomial 0x07 (Viatom).
    case crc8
    /// CRC-16/XMODEM, little-endian (Dexcom).
    case crc16
    /// E2E-CRC of the Bluetooth health services, CRC-16/MCRF4XX, little-endian.
    case endToEnd = "e2e-crc"
    /// The sum modulo 256.
    case sum

    func octets(of octets: ArraySlice<UInt8>) -> [UInt8] {
        switch self {
        case .crc8: [Checksum.crc8(octets)]
        case .crc16: Self.lowestFirst(Checksum.crc16XModem(octets))
        case .endToEnd:
            Self.lowestFirst(
                octets.reduce(0xFFFF) { crc, octet in
                    (0..<8).reduce(crc ^ UInt16(octet)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x8408 }
                })
        case .sum: [Checksum.sum(octets)]
        }
    }

    static func lowestFirst(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
}

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
