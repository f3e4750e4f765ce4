import Glibc

/// How a peripheral is recognised when it advertises; all given criteria must apply.
public struct DiscoveryCriteria: Hashable, Sendable {
    /// Services that it must advertise, or have been seen with.
    public var services: Set<BluetoothUUID>
    /// Text that its name must contain; case is ignored.
    public var name: String?
    /// The company whose data it must advertise (Assigned Numbers, "Company Identifiers").
    public var company: UInt16?
    /// The prefix of those data.
    public var companyData: [UInt8]
    /// The bits of that prefix that count, octet by octet; all bits of octets without a mask do.
    public var companyMask: [UInt8]
    /// Services whose data it must advertise, each with the prefix of those data.
    public var serviceData: [BluetoothUUID: [UInt8]]
    /// What it must look like: exactly so, or anything of a category in general.
    public var appearance: BluetoothAppearance?
    /// The weakest signal that counts, in dBm; a peripheral of unknown strength always matches.
    public var minimumStrength: Int?

    /// Creates criteria; omitted ones match everything.
    public init(
        services: Set<BluetoothUUID> = [], name: String? = nil, company: UInt16? = nil, companyData: [UInt8] = [],
        companyMask: [UInt8] = [], serviceData: [BluetoothUUID: [UInt8]] = [:],
        appearance: BluetoothAppearance? = nil, minimumStrength: Int? = nil
    ) {
        self.services = services
        self.name = name
        self.company = company
        self.companyData = companyData
        self.companyMask = companyMask
        self.serviceData = serviceData
        self.appearance = appearance
        self.minimumStrength = minimumStrength
    }

    /// Whether a peripheral meets the criteria.
    public func matches(_ peripheral: Peripheral) -> Bool {
        if !services.isSubset(of: peripheral.uuids) { return false }
        if let name {
            let names = [peripheral.name, peripheral.alias].compactMap { $0?.lowercased() }
            guard names.contains(where: { strstr($0, name.lowercased()) != nil }) else { return false }
        }
        if let company {
            guard let data = peripheral.manufacturerData[company], matchesCompany(data) else { return false }
        }
        for (service, beginning) in serviceData {
            guard let data = peripheral.serviceData[service], data.starts(with: beginning) else { return false }
        }
        if let appearance, peripheral.appearance?.isKind(of: appearance) != true { return false }
        // Controllers report 127 when they have no strength.
        if let minimumStrength, let strength = peripheral.rssi, strength != 127, strength < minimumStrength {
            return false
        }
        return true
    }

    private func matchesCompany(_ data: [UInt8]) -> Bool {
        let masks = companyMask + Array(repeating: 0xFF, count: max(0, companyData.count - companyMask.count))
        return data.count >= companyData.count
            && zip(zip(data, companyData), masks).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
    }
}

extension BluetoothCentral {
    /// Looks for peripherals, and returns each that meets the criteria once, as soon as it is heard.
    ///
    /// A discovery runs until the last such sequence ends, unless the caller wants one
    /// (``startDiscovery(on:_:)``). Peripherals that are only remembered by BlueZ are omitted, unless connected.
    ///
    /// - Parameter criteria: What to look for.
    public func peripherals(matching criteria: DiscoveryCriteria) -> PeripheralSequence {
        PeripheralSequence(events: events(), criteria: criteria, search: search())
    }
}

/// Peripherals that meet the criteria, each once (``BluetoothCentral/peripherals(matching:)``), to be iterated once.
public struct PeripheralSequence: AsyncSequence, Sendable {
    let events: BroadcastSequence<BlueZEvent>
    let criteria: DiscoveryCriteria
    let search: PeripheralSearch

    /// Begins to iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: events.makeAsyncIterator(), criteria: criteria, search: search)
    }

    /// Gives one peripheral after another.
    public struct Iterator: AsyncIteratorProtocol {
        var base: BroadcastSequence<BlueZEvent>.Iterator
        let criteria: DiscoveryCriteria
        let search: PeripheralSearch
        var given: Set<BluetoothAddress> = []

        /// The next peripheral that meets the criteria; `nil` when the task is cancelled or BlueZ is stopped.
        public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Peripheral? {
            while let event = await base.next(isolation: isolation) {
                switch event.kind {
                case .adapter(.added, _): await search.resume()
                case .peripheral(let change, let peripheral) where change != .removed:
                    guard peripheral.isPresent, criteria.matches(peripheral), given.insert(peripheral.address).inserted
                    else {
                        continue
                    }
                    return peripheral
                default: continue
                }
            }
            return nil
        }
    }
}
