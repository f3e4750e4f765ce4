/// What a peripheral says of itself in its advertisements, as BlueZ reports it.
///
/// It comes from the air, so ``init(services:companies:serviceData:appearance:transmitPower:flags:)`` bounds it.
public struct AdvertisedData: Codable, Hashable, Sendable {
    /// The UUIDs of its services, as `bedside decode` prints them; after a connection those that it has.
    public private(set) var services: [String]
    /// The data of manufacturers, in the order of their company identifiers.
    public private(set) var companies: [Company]
    /// The data of services, in the order of their UUIDs.
    public private(set) var serviceData: [Service]
    /// Its appearance (Assigned Numbers, 2.6), as BlueZ knows it from an advertisement or a connection.
    public var appearance: UInt16?
    /// Its transmission power, in dBm.
    public var transmitPower: Int?
    /// Its flags (Core Specification Supplement, Part A, 1.3); empty where BlueZ does not report them.
    public private(set) var flags: [UInt8]

    /// The data of one manufacturer.
    public struct Company: Codable, Hashable, Sendable {
        /// The identifier that the Bluetooth SIG assigned.
        public var identifier: UInt16
        public var octets: [UInt8]

        public init(identifier: UInt16, octets: [UInt8]) {
            (self.identifier, self.octets) = (identifier, octets)
        }
    }

    /// The data of one service.
    public struct Service: Codable, Hashable, Sendable {
        /// Its UUID, as `bedside decode` prints it.
        public var uuid: String
        public var octets: [UInt8]

        public init(uuid: String, octets: [UInt8]) {
            (self.uuid, self.octets) = (uuid, octets)
        }
    }

    /// The most services, and the most data of each kind, that are kept; no more fit into most advertisements.
    public static let entryLimit = 32
    /// The most octets of one manufacturer or service.
    public static let octetLimit = 255

    /// Creates data; what exceeds the limits is dropped.
    public init(
        services: [String] = [], companies: [Company] = [], serviceData: [Service] = [], appearance: UInt16? = nil,
        transmitPower: Int? = nil, flags: [UInt8] = []
    ) {
        self.services = Array(services.prefix(Self.entryLimit))
        self.companies = companies.prefix(Self.entryLimit).map {
            Company(identifier: $0.identifier, octets: Array($0.octets.prefix(Self.octetLimit)))
        }
        self.serviceData = serviceData.prefix(Self.entryLimit).map {
            Service(uuid: $0.uuid, octets: Array($0.octets.prefix(Self.octetLimit)))
        }
        self.appearance = appearance
        self.transmitPower = transmitPower
        self.flags = Array(flags.prefix(Self.octetLimit))
    }

    /// Whether nothing is known.
    public var isEmpty: Bool { self == AdvertisedData() }
}
