import Vitals

/// Which sensors to connect to without being asked for each one.
public enum ConnectPolicy: Hashable, Sendable {
    /// None; only what the user connects by hand.
    case none
    /// Every sensor whose readings we know how to make, as soon as it is heard.
    case everyVitalSensor
    /// The sensors with these names or addresses, compared without regard to case.
    case listed([String])
    /// Both: every sensor that we know how to read, and those with these names or addresses, whatever they are.
    case everyVitalSensorAndListed([String])

    /// The names and addresses that the user gave.
    private var entries: [String] {
        switch self {
        case .none, .everyVitalSensor: []
        case .listed(let entries), .everyVitalSensorAndListed(let entries): entries
        }
    }

    /// Whether a peripheral is among those to connect to.
    ///
    /// - Parameters:
    ///   - identity: Its address, harmless name and kind.
    ///   - names: The names exactly as the peripheral sends them or the user gave them.
    func wants(_ identity: SensorIdentity, names: [String]) -> Bool {
        switch self {
        case .none:
            return false
        case .everyVitalSensor:
            return SupportedSensors.isRead(identity.kind)
        case .listed:
            return self.names(identity, names: names)
        case .everyVitalSensorAndListed:
            return SupportedSensors.isRead(identity.kind) || self.names(identity, names: names)
        }
    }

    /// Whether the user has named this very peripheral, which is as good as connecting it by hand.
    func names(_ identity: SensorIdentity, names: [String]) -> Bool { entry(for: identity, names: names) != nil }

    /// What the user has named this peripheral by; `nil` when they have not.
    func entry(for identity: SensorIdentity, names: [String]) -> String? {
        if entries.isEmpty { return nil }
        let candidates = ([identity.address, identity.name] + names).map { $0.lowercased() }
        return entries.first { candidates.contains($0.lowercased()) }
    }

    /// Whether the user has named this very peripheral by its address, which no other one can have.
    func namesAddress(of identity: SensorIdentity) -> Bool {
        entries.contains { $0.lowercased() == identity.address.lowercased() }
    }
}
