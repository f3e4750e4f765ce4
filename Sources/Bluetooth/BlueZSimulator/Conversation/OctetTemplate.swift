import VitalDecoders

/// Octets with places that are filled in when they are sent, or compared when they come, such as
/// `55 00 FF {u8 oxygenSaturation} {crc8}`.
///
/// The article <doc:WritingScenarios> lists the places.
struct OctetTemplate: Hashable, Sendable {
    /// A part of a template.
    indirect enum Part: Hashable, Sendable {
        case octet(UInt8)
        /// Any one octet, and any number of them at the end; in patterns only.
        case anyOctet, rest
        case number(NumberFormat, QuantityExpression)
        /// Octets of the request from a place up to, and without, another.
        case request(Int, Int?)
        case saved(String)
        case random(Int)
        /// The sensor's clock as a Date Time (2A08).
        case time
        case text([UInt8])
        /// A checksum of what is before it, from a place on.
        case checksum(OctetChecksum, from: Int)
        /// The hash of Dexcom's authentication, keyed with the sensor's identifier.
        case dexcomHash(Part)
        /// The 344 octets of a FreeStyle Libre 1 whose glucose is a quantity.
        case libreMemory(String)
    }

    let parts: [Part]

    init(_ parts: [Part]) { self.parts = parts }

    init(octets: [UInt8]) { parts = octets.map(Part.octet) }

    /// Whether it is always the same octets.
    var isConstant: Bool { parts.allSatisfy { if case .octet = $0 { true } else { false } } }

    /// Whether it says what octets may be, and cannot be sent.
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

    /// The octets, with its places filled in.
    func octets(_ filling: TemplateFilling) -> [UInt8] {
        var octets: [UInt8] = []
        for part in parts { octets += Self.octets(of: part, after: octets, filling) }
        return octets
    }

    /// Whether octets fit to it; its places must be as they would be filled in now.
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

/// What a template's places are filled from.
struct TemplateFilling {
    /// What was written to the sensor.
    var request: [UInt8] = []
    var saved: [String: [UInt8]] = [:]
    var identifier = ""
    /// Seconds of the scenario at which quantities are taken.
    var seconds: Double
    /// The sensor's clock then.
    var time: DateTime
    /// The value of a quantity at a time.
    var quantityAt: (String, Double) -> Double
    /// So many octets that nobody can guess.
    var random: (Int) -> [UInt8]

    func quantity(_ name: String) -> Double { quantityAt(name, seconds) }
}
