import DBus

/// A pairing of bluetoothd with a device.
final class Bonding {
    /// The pending call of `Pair`; `nil` for a pairing caused by a protected characteristic.
    let answer: Answer?
    /// The agent that is asked; `nil` without an agent.
    let agent: Agents.Agent?
    /// Whether the agent has an open question.
    var isAsking = false
    /// The operations that wait for encryption.
    var held: [(operation: (Device) -> Void, answer: Answer)] = []

    /// Whether the link existed before.
    let isOnOldLink: Bool

    init(answer: Answer?, agent: Agents.Agent?, isOnOldLink: Bool) {
        self.answer = answer
        self.isOnOldLink = isOnOldLink
        self.agent = agent
    }
}

extension DBusConnectionError {
    private static func authentication(_ name: String, _ message: String) -> DBusConnectionError {
        .remote(name: "org.bluez.Error.Authentication\(name)", message: message)
    }

    static let authenticationFailed = authentication("Failed", "Authentication Failed")
    static let authenticationCancelled = authentication("Canceled", "Authentication Canceled")
    static let authenticationRejected = authentication("Rejected", "Authentication Rejected")
    static let alreadyPaired = DBusConnectionError.remote(
        name: "org.bluez.Error.AlreadyExists", message: "Already Paired")
    static let notPaired = DBusConnectionError.notPermitted("Not paired")
}
