/// A link to a sensor that Bedside made, so that a later run recognises it if this one is killed.
///
/// It names the daemon and the client, because another daemon, or the same one after a restart, has other links.
public struct OwnedLink: Codable, Hashable, Sendable {
    /// The sensor's Bluetooth address in upper-case hexadecimal with colons.
    public var address: String
    /// The identifier of the message bus, new at each start of the bus.
    public var bus: String
    /// The unique name of the Bluetooth service on that bus.
    public var daemon: String
    /// The unique name of the program that made the link.
    public var client: String

    /// Creates a record of a link.
    public init(address: String, bus: String, daemon: String, client: String) {
        (self.address, self.bus, self.daemon, self.client) = (address, bus, daemon, client)
    }
}
