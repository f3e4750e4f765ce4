/// Whether what a session measures comes from sensors of this world or from a simulator.
///
/// It is known from the moment the message bus has said who it is, and the same from then on.
public enum Provenance: String, Codable, Hashable, Sendable {
    /// No bus has been reached yet, so nothing can have been measured.
    case unknown
    /// Real sensors.
    case real
    /// Simulated sensors.
    case simulated
}
