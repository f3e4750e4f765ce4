import EventLoops

/// A declared characteristic of a ``DeviceServer``.
///
/// Before ``DeviceServer/start(advertising:on:)`` its value, its readers and its flags decide how it is served; later only
/// what is served can be changed.
public struct ServedCharacteristic<Value: Sendable>: Sendable {
    let key: CharacteristicKey
    let application: ServedApplication

    /// States what centrals can do with it, instead of what follows from the declaration.
    ///
    /// By default a characteristic with a value can be read, one whose writes are taken can be written with a response, and
    /// one that is declared as ``DeclaredOption/notifies`` notifies.
    ///
    /// - Parameter flags: The flags, such as ``CharacteristicFlags/indicate``.
    /// - Throws: ``ServingError/alreadyStarted``.
    public func offer(_ flags: CharacteristicFlags) async throws(ServingError) {
        try await application.setFlags(flags, of: key)
    }

    /// Adds a descriptor that can be read, such as `BluetoothUUID.characteristicUserDescription`.
    ///
    /// - Parameters:
    ///   - descriptor: Its type.
    ///   - value: Its value.
    /// - Throws: ``ServingError``: `invalidDescriptor`, `valueTooLong`, `alreadyStarted`.
    public func addDescriptor(
        _ descriptor: BluetoothUUID, _ value: some GATTEncodable
    ) async throws(ServingError) {
        try await application.add(descriptor, value.gattOctets, to: key)
    }

    /// Whether a central is subscribed to it.
    public var isSubscribed: Bool {
        get async { await application.handlers[key]?.isSubscribed ?? false }
    }

    /// Whether a central is subscribed to it from now on, beginning with the present state.
    public func subscriptions() async -> BroadcastSequence<Bool> {
        await application.subscriptionSequence(of: key)
    }
}

extension ServedCharacteristic where Value: GATTEncodable {
    /// Sets the value that centrals read.
    ///
    /// - Throws: ``ServingError``: `valueTooLong`, `notServed` when it is served without being readable.
    public func setValue(_ value: Value) async throws(ServingError) {
        try await application.set(.octets(value.gattOctets), of: key)
    }

    /// Answers every read of a central by a closure.
    ///
    /// A central gives up after 30 s. It reads a long value in several requests, all parts of the same answer.
    ///
    /// - Parameter answer: Returns the value, or throws why it is refused.
    /// - Throws: ``ServingError/notServed(_:)`` when it is served without being readable.
    public func answerReads(
        with answer: @escaping @Sendable () async throws(AttributeRefusal) -> Value
    ) async throws(ServingError) {
        try await application.set(
            .answer { () async throws(AttributeRefusal) in try await answer().gattOctets }, of: key)
    }

    /// Sends a value to all subscribed centrals; also the value that they read from now on, if one was set.
    ///
    /// More octets than the ATT MTU of a link less three are cut off for its central. The daemon waits for the confirmation
    /// of an indication.
    ///
    /// - Returns: Whether a central is subscribed; otherwise nothing is sent.
    /// - Throws: ``ServingError``: `valueTooLong`, `notServed` when it neither notifies nor indicates.
    @discardableResult
    public func send(_ value: Value) async throws(ServingError) -> Bool {
        try await application.send(value.gattOctets, from: key)
    }
}

/// The most received writes that wait for their reader.
private let greatestUnreadWrites = 256

extension ServedCharacteristic where Value: GATTDecodable {
    /// The values that centrals write from now on, for one reader; a later call ends the sequence of an earlier one.
    ///
    /// Octets that do not decode are refused as ``AttributeRefusal/invalidValueLength``, and a value that 256 unread ones
    /// precede as ``AttributeRefusal/inProgress``. The sequence ends with ``DeviceServer/stop()``.
    ///
    /// - Parameter refusal: Why a value is refused, `nil` to take it; called on the loop of the client.
    /// - Throws: ``ServingError/notServed(_:)`` when it is served without being writable.
    public func receivedWrites(
        refusing refusal: @escaping @Sendable (Value) -> AttributeRefusal? = { _ in nil }
    ) async throws(ServingError) -> AsyncStream<ReceivedWrite<Value>> {
        let (writes, continuation) = AsyncStream<ReceivedWrite<Value>>.makeStream(
            bufferingPolicy: .bufferingOldest(greatestUnreadWrites))
        try await application.receiveWrites(of: key) { write in
            guard let value = try? Value(gatt: write.value) else { return .invalidValueLength }
            if let reason = refusal(value) { return reason }
            let typed = ReceivedWrite(
                value: value, central: write.central, mode: write.mode, timestamp: write.timestamp)
            return switch continuation.yield(typed) {
            case .enqueued: nil
            case .dropped: .inProgress
            // Its reader has gone.
            case .terminated: .notSupported
            @unknown default: .unlikelyError
            }
        } finishing: {
            continuation.finish()
        }
        return writes
    }
}
