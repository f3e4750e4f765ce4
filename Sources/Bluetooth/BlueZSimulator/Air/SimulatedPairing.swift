/// How a simulated sensor is paired; the raw value is the word in a scenario.
enum PairingMethod: String, CaseIterable, Hashable, Sendable {
    /// Without anything to compare or type.
    case justWorks = "just-works"
    /// The computer displays a passkey that is typed on the sensor.
    case passkeyDisplay = "passkey-display"
    /// Both sides show six digits that the user compares.
    case numericComparison = "numeric-comparison"
    /// The sensor shows a passkey that is typed on the computer.
    case passkeyEntry = "passkey-entry"

    /// Whether an agent with a capability (`RegisterAgent`) can carry it out.
    func isPossible(with capability: String) -> Bool {
        switch self {
        case .justWorks: true
        case .passkeyDisplay: ["DisplayOnly", "DisplayYesNo", "KeyboardDisplay"].contains(capability)
        case .numericComparison: ["DisplayYesNo", "KeyboardDisplay"].contains(capability)
        case .passkeyEntry: ["KeyboardOnly", "KeyboardDisplay"].contains(capability)
        }
    }
}

/// The behaviour of a sensor and its user during pairing.
struct PairingBehaviour: Hashable, Sendable {
    var method: PairingMethod
    /// The passkey that it shows, 0 to 999999.
    var passkey = 123_456

    /// The reaction at the sensor; the raw value is the argument of the command `pairing`.
    enum Conduct: String, CaseIterable, Hashable, Sendable {
        /// The right keys are pressed, after a second.
        case yes
        /// The digits differ, or are typed wrong.
        case no
        /// No key is pressed.
        case hang
        /// It refuses pairing.
        case refuse
    }
    var conduct = Conduct.yes
}
