import DBus
import EventLoop

/// How a value is written.
public enum WriteMode: String, Hashable, Sendable {
    /// The peripheral answers.
    case withResponse = "request"
    /// The peripheral does not answer; the write may get lost unnoticed.
    case withoutResponse = "command"
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

extension BlueZ {
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
        let path = try object(of: characteristic)
        // Quirk read-is-signalled: what is read is signalled just as a notification is, before the answer. So while a
        // read is on its way values are held back, and the one that was read is taken out of them.
        let key = path.description
        reads[key, default: ReadsInFlight()].count += 1
        do throws(BlueZError) {
            let answer = try await call(
                path, Name.characteristic, "ReadValue", [.properties([])], timeout: timeout)
            guard let octets = answer.first?.octets else { throw BlueZError(.unexpectedAnswer) }
            finishRead(key, octets)
            return octets
        } catch {
            finishRead(key, nil)
            throw error
        }
    }

    private func finishRead(_ key: String, _ octets: [UInt8]?) {
        guard var read = reads[key] else { return }
        if let octets, let index = read.values.lastIndex(where: { $0.octets == octets }) {
            read.values.remove(at: index)
        }
        read.count -= 1
        reads[key] = read
        if read.count > 0 { return }
        tellHeldValues(of: key)
        reads[key] = nil
    }

    /// Tells the values that came while a characteristic was being read.
    func tellHeldValues(of key: String) {
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
    ///   - timeout: How long to wait for the daemon's answer.
    /// - Throws: ``BlueZError``: `notSupported` where the flag is missing, and as ``read(_:timeout:)``.
    public func write(
        _ octets: [UInt8], to characteristic: CharacteristicReference, _ mode: WriteMode = .withResponse,
        timeout: Duration = .seconds(35)
    ) async throws(BlueZError) {
        try await call(
            try object(of: characteristic), Name.characteristic, "WriteValue",
            [.bytes(octets), .properties([("type", .string(mode.rawValue))])], timeout: timeout)
    }

    /// Has a characteristic notify or indicate, and tells its values as ``BlueZEvent/Kind/notification(_:_:)``.
    ///
    /// Quirk acquire-notify: that way to values is not used.
    ///
    /// Quirk session-outlives-link: after a reconnection within some 30 s values come again by themselves, even before
    /// the services are resolved. The session ends with ``stopNotify(_:timeout:)``, when the daemon forgets the
    /// peripheral, and with the daemon or the bus. To call this again is harmless.
    ///
    /// - Throws: ``BlueZError``: `notSupported` where the flag is missing, and as ``read(_:timeout:)``.
    public func startNotify(
        _ characteristic: CharacteristicReference, timeout: Duration = .seconds(35)
    ) async throws(BlueZError) {
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
            if isNew, isAlone, serialGaps == gaps { tell(session.emissions.begin(alone: gaps), of: session) }
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
        try await call(characteristic.path, Name.characteristic, "StopNotify", timeout: timeout)
    }

    /// The object of a characteristic, if the one that is there now is still what it was.
    ///
    /// Quirk paths-from-handles: after a service change the same path may stand for something else.
    private func object(of characteristic: CharacteristicReference) throws(BlueZError) -> ObjectPath {
        if connection == nil { throw BlueZError(.busLost) }
        if owner == nil { throw BlueZError(.daemonGone) }
        guard tree.characteristics[characteristic.path]?.reference == characteristic else {
            throw BlueZError(.unknownObject, text: "\(characteristic.path) is not what it was")
        }
        return characteristic.path
    }
}
