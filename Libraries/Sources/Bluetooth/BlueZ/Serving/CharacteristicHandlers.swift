import EventLoops

/// What answers the requests of centrals about one served characteristic.
struct CharacteristicHandlers {
    /// Where the answer to a read comes from.
    enum Source {
        case nothing
        case octets([UInt8])
        case answer(@Sendable () async throws(AttributeRefusal) -> [UInt8])
    }

    /// Takes the octets of a write; returns why they are refused, or `nil`.
    typealias WriteTaker = @Sendable (ReceivedWrite<[UInt8]>) -> AttributeRefusal?

    var source = Source.nothing
    private(set) var takeWrite: WriteTaker?
    /// Ends the sequence of writes.
    private var finishWrites: (@Sendable () -> Void)?
    /// Whether a central is subscribed.
    private(set) var isSubscribed = false
    /// Reports changes of ``isSubscribed``.
    let subscriptions = Broadcast<Bool>()

    /// Gives the writes to another sequence.
    mutating func beginWrites(_ take: @escaping WriteTaker, finishing finish: @escaping @Sendable () -> Void) {
        finishWrites?()
        (takeWrite, finishWrites) = (take, finish)
    }

    mutating func endWrites() {
        finishWrites?()
        (takeWrite, finishWrites) = (nil, nil)
    }

    mutating func change(isSubscribed: Bool) {
        guard isSubscribed != self.isSubscribed else { return }
        self.isSubscribed = isSubscribed
        subscriptions.send(isSubscribed)
    }

    /// Ends all sequences.
    func finish() {
        finishWrites?()
        subscriptions.finish()
    }
}

/// A value that a central wrote to a served characteristic.
public struct ReceivedWrite<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// The central that wrote it; `nil` when the daemon does not tell.
    public let central: BluetoothAddress?
    /// Whether the central waits for an answer, which it gets when the value has been put into the sequence.
    public let mode: WriteMode
    /// When it was taken from the bus.
    public let timestamp: Timestamp

    /// Makes a write, for tests.
    public init(value: Value, central: BluetoothAddress?, mode: WriteMode, timestamp: Timestamp) {
        self.value = value
        self.central = central
        self.mode = mode
        self.timestamp = timestamp
    }
}
