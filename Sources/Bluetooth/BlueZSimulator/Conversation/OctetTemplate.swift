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
    }

    let parts: [Part]

    init(_ parts: [Part]) { self.parts = parts }

    init(octets: [UInt8]) { parts = octets.map(Part.octet) }

    /// Whether its octets never change.
    var isConstant: Bool { parts.allSatisfy { if case .octet = $0 { true } else { false } } }

    /// Whether it is a pattern, which cannot be sent.
    var isPattern: Bool { parts.contains { $0 == .anyOctet || $0 == .rest } }

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
        }
    }
}

/// The values for a template's placeholders.
struct TemplateFilling {
    /// The octets that were written to the sensor.
    var request: [UInt8] = []
    var saved: [String: [UInt8]] = [:]
    var identifier = ""
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
