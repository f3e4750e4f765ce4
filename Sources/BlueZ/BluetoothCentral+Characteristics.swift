import DBus
import EventLoops

/// How a value is written.
public enum WriteMode: String, Hashable, Sendable {
    /// The peripheral answers.
    case withResponse = "request"
    /// The peripheral does not answer; the write may get lost unnoticed.
    case withoutResponse = "command"
    /// The peripheral repeats what it got before it takes effect, so nothing is written wrong.
    ///
    /// For characteristics with ``CharacteristicFlags/reliableWrite`` (Core Specification, Vol 3 Part G, 4.9.5).
    case reliable
}

/// A notify session of ours.
///
/// Used on the loop of its `BlueZ` only.
final class NotifySession {
    /// What it is about.
    let reference: CharacteristicReference
    /// Tells the samples from their copies.
    var emissions: RepeatedEmissions

    init(_ reference: CharacteristicReference, gaps: Int) {
        self.reference = reference
        emissions = RepeatedEmissions(gaps: gaps)
    }
}

/// Reads of one characteristic that have not been answered, and the values that came meanwhile.
struct ReadsInFlight {
    var count = 0
    var values: [(octets: [UInt8], timestamp: Timestamp)] = []
}

extension BluetoothCentral {
    /// Reads a characteristic.
    ///
    /// - Parameters:
    ///   - characteristic: Which one; its peripheral must be connected.
    ///   - timeout: How long to wait; the daemon itself ends a link whose peripheral does not answer for 30 s.
    /// - Returns: The octets.
    /// - Throws: ``BlueZError``: `notPermitted`, `notConnected`, `notAuthorized`, `unknownObject`, `attribute`.
    public func read(
        _ characteristic: CharacteristicReference, timeout: Duration = .seconds(35)
    ) async throws(BlueZError) -> [UInt8] {
        try await read(characteristic, from: 0, timeout: timeout)
    }

    /// Reads the rest of a characteristic's value; the daemon reads a long one to its end by itself.
    ///
    /// - Parameters:
    ///   - characteristic: Which one; its peripheral must be connected.
    ///   - offset: How many octets to leave out at the beginning, 0 to 512.
    ///   - timeout: How long to wait.
    /// - Returns: The octets from there on.
    /// - Throws: ``BlueZError``: `invalidArguments` when the value is shorter, and as ``read(_:timeout:)-(CharacteristicReference,_)``.
    public func read(
        _ characteristic: CharacteristicReference, from offset: Int, timeout: Duration = .seconds(35)
    ) async throws(BlueZError) -> [UInt8] {
        let options = try Self.options(offset: offset)
        let path = try object(of: characteristic)
        // Quirk read-is-signalled: what is read is signalled just as a notification is, before the answer. So while a
        // read is on its way values are held back, and the one that was read is taken out of them.
        let key = path.description
        reads[key, default: ReadsInFlight()].count += 1
        do throws(BlueZError) {
            let answer = try await call(
                path, Name.characteristic, "ReadValue", [.properties(options)], timeout: timeout)
            guard let octets = answer.first?.valueOctets else { throw BlueZError(.unexpectedAnswer) }
            finishRead(key, octets)
            return octets
        } catch {
            finishRead(key, nil)
            throw error
        }
    }

    /// The offset among the options of a read or write, where it is not the beginning.
    static func options(offset: Int) throws(BlueZError) -> [(String, DBusValue)] {
        guard (0...Characteristic.greatestValueLength).contains(offset) else {
            throw BlueZError(.invalidArguments, text: "an offset is 0 to 512, not \(offset)")
        }
        return offset == 0 ? [] : [("offset", .uint16(UInt16(offset)))]
    }

    private func finishRead(_ key: String, _ octets: [UInt8]?) {
        guard var read = reads[key] else { return }
        // What is signalled is the whole value, also of a read that left out its beginning.
        if let octets, let index = read.values.lastIndex(where: { $0.octets.suffix(octets.count) == octets[...] }) {
            read.values.remove(at: index)
        }
        read.count -= 1
        reads[key] = read
        if read.count > 0 { return }
        reportHeldValues(of: key)
        reads[key] = nil
    }

    /// Tells the values that came while a characteristic was being read.
    func reportHeldValues(of key: String) {
        guard let values = reads[key]?.values else { return }
        reads[key]?.values = []
        guard let session = subscriptions[key] else { return }
        for value in values { emit(.notification(session.reference, value.octets), at: value.timestamp) }
    }

    /// Writes a characteristic.
    ///
    /// - Parameters:
    ///   - octets: What to write.
    ///   - characteristic: Which one; its peripheral must be connected.
    ///   - mode: Whether the peripheral is to answer.
    ///   - offset: How many octets of the value to leave as they are, 0 to 512; only with a response.
    ///   - timeout: How long to wait for the daemon's answer.
    /// - Throws: ``BlueZError``: `notSupported` where the flag is missing, `invalidArguments` for more octets than can
    ///   be written (``Characteristic/greatestWriteLength(_:transferUnit:)``), and as ``read(_:timeout:)-(CharacteristicReference,_)``.
    public func write(
        _ octets: [UInt8], to characteristic: CharacteristicReference, _ mode: WriteMode = .withResponse,
        at offset: Int = 0, timeout: Duration = .seconds(35)
    ) async throws(BlueZError) {
        let path = try object(of: characteristic)
        var options = try Self.options(offset: offset)
        options.append(("type", .string(mode.rawValue)))
        try await checkLength(octets.count + offset, of: characteristic, mode)
        try await call(
            path, Name.characteristic, "WriteValue", [.bytes(octets), .properties(options)], timeout: timeout)
    }

    /// Refuses what does not fit; without a response the daemon would drop it without a word.
    private func checkLength(
        _ count: Int, of reference: CharacteristicReference, _ mode: WriteMode
    ) async throws(BlueZError) {
        guard let characteristic = tree.characteristics[reference.path] else { return }
        var greatest = characteristic.greatestWriteLength(mode)
        if count > greatest, mode == .withoutResponse, let unit = try? await transferUnit(of: reference) {
            greatest = characteristic.greatestWriteLength(mode, transferUnit: unit)
        }
        guard count <= greatest else {
            throw BlueZError(
                .invalidArguments, text: "\(count) octets are more than the \(greatest) that one write can carry")
        }
    }

    /// Has a characteristic notify or indicate, and tells its values as ``BlueZEvent/Kind/notification(_:_:)``.
    ///
    /// Quirk acquire-notify: that way to values is not used.
    ///
    /// Quirk session-outlives-link: after a reconnection within some 30 s values come again by themselves, even before
    /// the services are resolved. The session ends with ``stopNotify(_:timeout:)``, when the daemon forgets the
    /// peripheral, and with the daemon or the bus. To call this again is harmless.
    ///
    /// - Throws: ``BlueZError``: `notSupported` where the flag is missing, and as ``read(_:timeout:)-(CharacteristicReference,_)``.
    public func startNotify(
        _ characteristic: CharacteristicReference, timeout: Duration = .seconds(35)
    ) async throws(BlueZError) {
        streams[characteristic.path.description]?.ownsSession = false
        try await beginSession(of: characteristic, timeout: timeout)
    }

    /// Begins a notify session, or finds that it has begun.
    func beginSession(of characteristic: CharacteristicReference, timeout: Duration) async throws(BlueZError) {
        let path = try object(of: characteristic)
        let key = path.description
        let isNew = subscriptions[key] == nil
        let epoch = ownerEpoch
        let gaps = serialGaps
        let isAlone = tree.characteristics[path]?.isNotifying == false
        // Quirk value-before-answer: the first notification may come before the answer of `StartNotify`.
        let session = subscriptions[key] ?? NotifySession(characteristic, gaps: gaps)
        subscriptions[key] = session
        do {
            try await call(path, Name.characteristic, "StartNotify", timeout: timeout)
            // Nobody had a session, and nobody was answered since.
            if isNew, isAlone, serialGaps == gaps { report(session.emissions.begin(alone: gaps), of: session) }
        } catch {
            if isNew, ownerEpoch == epoch { subscriptions[key] = nil }
            throw error
        }
    }

    /// Ends what ``startNotify(_:timeout:)`` began; values that still come are not told.
    ///
    /// - Throws: ``BlueZError``: `nothingToStop` where there was no session.
    public func stopNotify(
        _ characteristic: CharacteristicReference, timeout: Duration = .seconds(35)
    ) async throws(BlueZError) {
        subscriptions[characteristic.path.description] = nil
        endStreams(.stopped) { $0.path == characteristic.path }
        try await call(characteristic.path, Name.characteristic, "StopNotify", timeout: timeout)
    }

    /// The object of a characteristic, if the one that is there now is still what it was.
    ///
    /// Quirk paths-from-handles: after a service change the same path may stand for something else.
    func object(of characteristic: CharacteristicReference) throws(BlueZError) -> ObjectPath {
        try requireDaemon()
        guard tree.characteristics[characteristic.path]?.reference == characteristic else {
            throw BlueZError(.unknownObject, text: "\(characteristic.path) is not what it was")
        }
        return characteristic.path
    }
}
