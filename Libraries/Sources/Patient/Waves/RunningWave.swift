/// A wave that a sensor may send because Bedside has started it and could not stop it yet.
///
/// It is remembered from one start to the next, so that a later run stops it if this one is killed, or the link is lost.
public struct RunningWave: Hashable, Sendable {
    /// The sensor's Bluetooth address in upper-case hexadecimal with colons.
    public var address: String
    /// What it sends.
    public var kind: WaveKind

    public init(address: String, kind: WaveKind) {
        (self.address, self.kind) = (address, kind)
    }
}
