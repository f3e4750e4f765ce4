/// How a simulated sensor is paired; the raw value is the word in a scenario.
enum PairingMethod: String, CaseIterable, Hashable, Sendable {
    /// Without anything to compare or type.
    case justWorks = "just-works"
    /// The computer displays a passkey that is typed on the sensor.
    case passkeyDisplay = "passkey-display"
    /// Both sides show six digits that a person compares.
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

/// What a sensor that is paired does on its side, by itself or at its person's hand.
struct PairingBehaviour: Hashable, Sendable {
    var method: PairingMethod
    /// What it shows where it shows digits of its own, 0 to 999999.
    var passkey = 123_456

    /// What happens at the sensor; the raw value is the word of the command `pairing`.
    enum Conduct: String, CaseIterable, Hashable, Sendable {
        /// The right keys are pressed, a second after they are wanted.
        case yes
        /// Digits are found to differ, or typed wrong.
        case no
        /// Nobody presses anything.
        case hang
        /// It does not let itself be paired at all.
        case refuse
    }
    var conduct = Conduct.yes
}
