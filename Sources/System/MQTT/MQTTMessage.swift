public struct MQTTMessage: Hashable, Sendable {
    /// The delivery guarantee (MQTT quality of service).
    public enum Quality: Int32, Hashable, Sendable {
        /// It may be lost.
        case atMostOnce = 0
        /// It may come twice.
        case atLeastOnce = 1
    }

    public var topic: String
    public var payload: [UInt8]
    /// The delivery guarantee.
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

public struct ReceivedMessage: Hashable, Sendable {
    public var topic: String
    public var payload: [UInt8]
    /// Whether the broker had stored the message; MQTT 3.1.1 does not mark those that arrive while subscribed.
    public var isRetained: Bool

    public init(topic: String, payload: [UInt8], isRetained: Bool) {
        (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
    }
}
