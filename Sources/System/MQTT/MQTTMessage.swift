/// A message for a topic.
public struct MQTTMessage: Hashable, Sendable {
    /// How surely it is delivered.
    public enum Quality: Int32, Hashable, Sendable {
        /// It may be lost.
        case atMostOnce = 0
        /// It may come twice.
        case atLeastOnce = 1
    }

    /// Where it goes.
    public var topic: String
    /// Its content.
    public var payload: [UInt8]
    /// How surely it is delivered.
    public var quality: Quality
    /// Whether the broker keeps it for later subscribers.
    public var isRetained: Bool
    /// The seconds after which the broker no longer delivers it; `nil` for no limit.
    public var expirySeconds: UInt32?

    public init(
        _ topic: String, _ payload: [UInt8], _ quality: Quality = .atMostOnce, isRetained: Bool = false,
        expirySeconds: UInt32? = nil
    ) {
        (self.topic, self.payload, self.quality) = (topic, payload, quality)
        (self.isRetained, self.expirySeconds) = (isRetained, expirySeconds)
    }
}

/// A message as it arrived.
public struct ReceivedMessage: Hashable, Sendable {
    /// Its topic.
    public var topic: String
    /// Its content.
    public var payload: [UInt8]
    /// Whether the broker keeps it; one that came while it was heard has no mark with MQTT 3.1.1.
    public var isRetained: Bool

    public init(topic: String, payload: [UInt8], isRetained: Bool) {
        (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
    }
}
