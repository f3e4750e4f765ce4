/// Whether a session's data come from real sensors or from a simulator.
///
/// It is known once the message bus has identified itself, and does not change afterwards.
public enum Provenance: String, Codable, Hashable, Sendable {
    /// No bus has been reached yet, so nothing can have been measured.
    case unknown
    /// Real sensors.
    case real
    /// Simulated sensors.
    case simulated
}
