import EventLoops

/// A value of a characteristic with the time at which it arrived.
public struct DeviceReading<Value: Sendable>: Sendable {
    /// The value, or why the octets are malformed.
    public let result: Result<Value, GATTDecodingError>
    /// The received octets.
    public let octets: [UInt8]
    /// When they were taken from the bus.
    public let timestamp: Timestamp

    /// The value; `nil` for malformed octets.
    public var value: Value? { try? result.get() }
}

extension DeviceReading where Value: GATTDecodable {
    init(_ notification: Notification) {
        octets = notification.octets
        timestamp = notification.timestamp
        do {
            result = .success(try Value(gatt: notification.octets))
        } catch {
            result = .failure(error)
        }
    }
}

/// A declared characteristic of a device.
public struct DeviceCharacteristic<Value: Sendable>: Sendable {
    let key: CharacteristicKey
    let link: DeviceLink

    /// What can be done with it; empty while the device is not connected or does not have it.
    public var flags: CharacteristicFlags {
        get async { await link.characteristic(key)?.flags ?? [] }
    }

    /// Whether the connected device has it.
    public var isPresent: Bool {
        get async { await link.characteristic(key) != nil }
    }

    /// Subscribes to it, if the declaration did not; ends with the link.
    public func subscribe() async throws(DeviceError) {
        try await link.subscribe(key)
    }

    /// Ends the notifications.
    public func unsubscribe() async {
        await link.unsubscribe(key)
    }

    /// Whether its notifications come to this device: it is subscribed to, by the declaration or by ``subscribe()``.
    public var isNotifying: Bool {
        get async { await link.isSubscribed(to: key) }
    }

    /// Whether it is read once after connecting; first as declared (``DeclaredOption/isRead``).
    public var isReadAutomatically: Bool {
        get async { await link.isReadAutomatically(key) }
    }

    /// Switches the automatic reading after connecting on or off, from the next connection on.
    ///
    /// - Parameter isOn: Whether to read it.
    public func setReadAutomatically(_ isOn: Bool) async {
        await link.setReadAutomatically(isOn, key)
    }
}

extension DeviceCharacteristic where Value: GATTDecodable {
    /// Reads it.
    ///
    /// - Throws: ``DeviceError``: `malformed` for malformed octets.
    public func read(timeout: Duration = .seconds(35)) async throws(DeviceError) -> Value {
        let octets = try await link.read(key, timeout: timeout)
        do {
            return try Value(gatt: octets)
        } catch {
            throw .malformed(error)
        }
    }

    /// The last value on this link, read or notified, with its time; `nil` for none yet.
    public var latest: DeviceReading<Value>? {
        get async { await link.latest[key].map { DeviceReading($0) } }
    }

    /// All later values, across reconnections, for one reader; including malformed ones.
    ///
    /// - Parameter isStartingWithLatest: Whether to begin with the last value.
    public func readings(
        startingWithLatest isStartingWithLatest: Bool = false
    ) async -> DeviceReadings<Value> {
        DeviceReadings(notifications: await link.notifications(of: key, startingWithLatest: isStartingWithLatest))
    }

    /// All later values, across reconnections, for one reader.
    ///
    /// Malformed octets are omitted here, and reported by ``readings(startingWithLatest:)``.
    ///
    /// - Parameter isStartingWithLatest: Whether to begin with the last value.
    public func values(
        startingWithLatest isStartingWithLatest: Bool = false
    ) async -> DeviceValues<Value> {
        DeviceValues(notifications: await link.notifications(of: key, startingWithLatest: isStartingWithLatest))
    }
}

extension DeviceCharacteristic where Value: GATTEncodable {
    /// Writes it.
    ///
    /// - Parameters:
    ///   - value: What to write.
    ///   - mode: Whether the device answers.
    ///   - timeout: How long to wait for the answer.
    public func write(
        _ value: Value, _ mode: WriteMode = .withResponse, timeout: Duration = .seconds(35)
    ) async throws(DeviceError) {
        try await link.write(value.gattOctets, to: key, mode, timeout: timeout)
    }

    /// Writes a request to a control point, and waits for the answer that it indicates.
    ///
    /// A control point handles one request at a time.
    ///
    /// - Parameters:
    ///   - request: What to write.
    ///   - answer: The type of the answers.
    ///   - timeout: How long to wait; profiles give a device 30 s.
    ///   - isAnswer: Whether a value is the answer to this request; by default any is.
    /// - Throws: ``DeviceError``: `busy`, `timedOut`.
    public func request<Answer: GATTDecodable>(
        _ request: Value, answeredBy answer: Answer.Type, timeout: Duration = .seconds(30),
        where isAnswer: @escaping @Sendable (Answer) -> Bool = { _ in true }
    ) async throws(DeviceError) -> Answer {
        let (octets, _) = try await link.request(request.gattOctets, key, timeout: timeout) { octets in
            (try? Answer(gatt: octets)).map { isAnswer($0) } ?? false
        }
        return try Self.decode(octets)
    }

    /// Writes a request to a control point, collects what another characteristic notifies, and ends with the answer.
    ///
    /// This is how stored records are transferred: the Record Access Control Point indicates its answer after the last
    /// record. A control point handles one request at a time.
    ///
    /// - Parameters:
    ///   - request: What to write.
    ///   - answer: The type of the answers.
    ///   - records: The characteristic that notifies the records; it is subscribed to.
    ///   - silence: The longest time without a record or the answer; profiles give a device 30 s.
    ///   - isAnswer: Whether a value is the answer to this request; by default any is.
    /// - Returns: The answer, and all records that came before it, malformed ones too, in their order.
    /// - Throws: ``DeviceError``: `busy`, `timedOut`.
    public func request<Answer: GATTDecodable, Record: GATTDecodable>(
        _ request: Value, answeredBy answer: Answer.Type, collecting records: DeviceCharacteristic<Record>,
        silence: Duration = .seconds(30), where isAnswer: @escaping @Sendable (Answer) -> Bool = { _ in true }
    ) async throws(DeviceError) -> (answer: Answer, records: [DeviceReading<Record>]) {
        let result = try await link.request(
            request.gattOctets, key, timeout: silence, collecting: records.key
        ) { octets in
            (try? Answer(gatt: octets)).map { isAnswer($0) } ?? false
        }
        return (try Self.decode(result.answer), result.records.map { DeviceReading($0) })
    }

    private static func decode<Answer: GATTDecodable>(_ octets: [UInt8]) throws(DeviceError) -> Answer {
        do throws(GATTDecodingError) {
            return try Answer(gatt: octets)
        } catch {
            throw .malformed(error)
        }
    }
}
