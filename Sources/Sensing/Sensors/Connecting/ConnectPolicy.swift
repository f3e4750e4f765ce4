import KnownSensors
import Vitals

/// Which sensors to connect to without a request for each one.
public enum ConnectPolicy: Hashable, Sendable {
    /// None; only those that the user connects.
    case none
    /// Every sensor that Bedside can read, as soon as it is heard.
    case everyVitalSensor
    /// The sensors with these names or addresses; case is ignored.
    case listed([String])
    /// Both: every sensor that Bedside can read, and all peripherals with these names or addresses.
    case everyVitalSensorAndListed([String])

    /// The user's names and addresses.
    private var entries: [String] {
        switch self {
        case .none, .everyVitalSensor: []
        case .listed(let entries), .everyVitalSensorAndListed(let entries): entries
        }
    }

    /// Whether to connect to a peripheral.
    ///
    /// - Parameters:
    ///   - identity: Its address, sanitized name and kind.
    ///   - names: The names exactly as sent by the peripheral or given by the user.
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

    /// Whether the user has listed this peripheral, which counts as a request to connect it.
    func names(_ identity: SensorIdentity, names: [String]) -> Bool { entry(for: identity, names: names) != nil }

    /// The entry that lists this peripheral; `nil` for none.
    func entry(for identity: SensorIdentity, names: [String]) -> String? {
        if entries.isEmpty { return nil }
        let candidates = ([identity.address, identity.name] + names).map { $0.lowercased() }
        return entries.first { candidates.contains($0.lowercased()) }
    }

    /// Whether the user has listed this peripheral by its address, which is unique.
    func namesAddress(of identity: SensorIdentity) -> Bool {
        entries.contains { $0.lowercased() == identity.address.lowercased() }
    }
}
