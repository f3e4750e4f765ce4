/// A link to a sensor that Bedside has made, so that a later run knows it for Bedside's own when this one was killed.
///
/// It says by whom and through whom the link was made: another daemon, or another life of the same one, has other links.
public struct OwnedLink: Codable, Hashable, Sendable {
    /// The sensor's Bluetooth address in upper-case hexadecimal with colons.
    public var address: String
    /// The identifier of the message bus, which each bus chooses anew when it starts.
    public var bus: String
    /// The unique name of the Bluetooth service on that bus.
    public var daemon: String
    /// The unique name of the program that made the link.
    public var client: String

    /// Makes a record of a link.
    public init(address: String, bus: String, daemon: String, client: String) {
        (self.address, self.bus, self.daemon, self.client) = (address, bus, daemon, client)
    }
}
