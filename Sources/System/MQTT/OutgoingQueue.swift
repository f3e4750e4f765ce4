/// The messages that wait to be sent, within bounds.
///
/// A new message replaces a waiting one of its topic, because the newest value counts and an alarm's message is its
/// complete state. A full queue drops the oldest message with `atMostOnce`, else the oldest.
struct OutgoingQueue {
    private var waiting: [MQTTMessage] = []
    private var bytes = 0

    /// The number of messages that were dropped because the queue was full.
    private(set) var dropped = 0

    /// The largest number of messages and of payload bytes.
    static let bounds = (messages: 256, bytes: 2 << 20)

    var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    mutating func append(_ message: MQTTMessage) {
        if let index = waiting.firstIndex(where: { $0.topic == message.topic }) { remove(at: index) }
        waiting.append(message)
        bytes += message.payload.count
        while waiting.count > 1, waiting.count > Self.bounds.messages || bytes > Self.bounds.bytes {
            remove(at: waiting.firstIndex { $0.quality == .atMostOnce } ?? waiting.startIndex)
            dropped += 1
        }
    }

    /// Removes the oldest message that may be sent.
    ///
    /// - Parameter acknowledgeable: Whether messages that the broker must acknowledge may be sent.
    mutating func next(acknowledgeable: Bool) -> MQTTMessage? {
        guard let index = waiting.firstIndex(where: { acknowledgeable || $0.quality == .atMostOnce }) else {
            return nil
        }
        return remove(at: index)
    }

    /// Removes everything.
    mutating func removeAll() {
        waiting.removeAll()
        bytes = 0
    }

    @discardableResult
    private mutating func remove(at index: Int) -> MQTTMessage {
        bytes -= waiting[index].payload.count
        return waiting.remove(at: index)
    }
}
