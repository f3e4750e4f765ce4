import DBus
import EventLoops

/// How a value is written.
public enum WriteMode: String, Hashable, Sendable {
    /// The peripheral answers.
    case withResponse = "request"
    /// The peripheral does not answer; the write may get lost unnoticed.
    case withoutResponse = "command"
    /// The peripheral echoes the value before it takes effect, so that no corrupted value is written.
    ///
    /// For characteristics with ``CharacteristicFlags/reliableWrite`` (Core Specification, Vol 3 Part G, 4.9.5).
    case reliable
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
        notifySessions.beginRead(at: path)
        trace(characteristic.peripheral, .read(characteristic), .began)
        do throws(BlueZError) {
            let answer = try await call(
                path, Name.characteristic, "ReadValue", [.properties(options)], timeout: timeout)
            guard let octets = answer.first?.valueOctets else { throw BlueZError(.unexpectedAnswer) }
            trace(characteristic.peripheral, .read(characteristic), .succeeded(octets))
            finishRead(path, octets)
            return octets
        } catch {
            trace(characteristic.peripheral, .read(characteristic), .failed(error))
            finishRead(path, nil)
            throw error
        }
    }

    /// The newest value that the daemon has read or was notified, for any program, without asking the peripheral.
    ///
    /// When that was is not known, so it is no measurement of now. The daemon keeps it without a link, too, as long as it
    /// keeps the services. Source: BlueZ, `org.bluez.GattCharacteristic`, `Value`.
    ///
    /// - Parameters:
    ///   - characteristic: Which one.
    ///   - timeout: How long to wait for the daemon.
    /// - Returns: The octets; `nil` for no value yet, or an empty one, which the daemon does not distinguish.
    /// - Throws: ``BlueZError``: `unknownObject`, `daemonGone`, `busLost`, `timedOut`, `unexpectedAnswer`.
    public func lastValue(
        of characteristic: CharacteristicReference, timeout: Duration = .seconds(10)
    ) async throws(BlueZError) -> [UInt8]? {
        let path = try object(of: characteristic)
        do throws(BlueZError) {
            let value = try await property("Value", of: path, Name.characteristic, timeout: timeout)
            guard let octets = value.valueOctets else { throw BlueZError(.unexpectedAnswer) }
            return octets.isEmpty ? nil : octets
        } catch {
            if error.kind == .invalidArguments { return nil }
            throw error
        }
    }

    /// The offset among the options of a read or write, unless it is 0.
    static func options(offset: Int) throws(BlueZError) -> [(String, DBusValue)] {
        guard (0...Characteristic.greatestValueLength).contains(offset) else {
            throw BlueZError(.invalidArguments, text: "an offset is 0 to 512, not \(offset)")
        }
        return offset == 0 ? [] : [("offset", .uint16(UInt16(offset)))]
    }

    private func finishRead(_ path: ObjectPath, _ octets: [UInt8]?) {
        if let samples = notifySessions.finishRead(at: path, octets) { emit(samples) }
    }

    /// Emits samples as notifications, with the times at which they came.
    func emit(_ samples: NotifySessions.Samples) {
        for emission in samples.emissions {
            emit(.notification(samples.reference, emission.octets), at: emission.timestamp)
        }
    }

    /// Writes a characteristic.
    ///
    /// - Parameters:
    ///   - octets: The octets to write.
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
        trace(characteristic.peripheral, .write(characteristic, octets, mode), .began)
        do {
            try await call(
                path, Name.characteristic, "WriteValue", [.bytes(octets), .properties(options)], timeout: timeout)
            trace(characteristic.peripheral, .write(characteristic, octets, mode), .succeeded([]))
        } catch {
            trace(characteristic.peripheral, .write(characteristic, octets, mode), .failed(error))
            throw error
        }
    }

    /// Refuses a value that is too long; without a response the daemon would drop it silently.
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

    /// Subscribes to a characteristic; its values are emitted as ``BlueZEvent/Kind/notification(_:_:)``.
    ///
    /// Quirk acquire-notify: it does not keep other programs out, as ``acquireNotify(_:keeping:timeout:)`` does.
    ///
    /// Quirk session-outlives-link: after a reconnection within some 30 s values come again without a call, even before
    /// the services are resolved. The session ends with ``stopNotify(_:timeout:)``, when the daemon forgets the
    /// peripheral, and with the daemon or the bus. Calling this again is harmless.
    ///
    /// - Throws: ``BlueZError``: `notSupported` where the flag is missing, and as ``read(_:timeout:)-(CharacteristicReference,_)``.
    public func startNotify(
        _ characteristic: CharacteristicReference, timeout: Duration = .seconds(35)
    ) async throws(BlueZError) {
        notificationReaders.giveUpSession(of: characteristic)
        try await beginSession(of: characteristic, timeout: timeout)
    }

    /// Begins a notify session, or returns if there is one.
    func beginSession(of characteristic: CharacteristicReference, timeout: Duration) async throws(BlueZError) {
        let path = try object(of: characteristic)
        let epoch = daemon.epoch
        let gaps = serialGaps
        let isAlone = tree.characteristics[path]?.isNotifying == false
        let (session, isNew) = notifySessions.begin(characteristic, gaps: gaps)
        trace(characteristic.peripheral, .subscribe(characteristic), .began)
        do {
            try await call(path, Name.characteristic, "StartNotify", timeout: timeout)
            trace(characteristic.peripheral, .subscribe(characteristic), .succeeded([]))
            // There was no session, and the daemon has sent nothing to other programs since.
            if isNew, isAlone, serialGaps == gaps { emit(session.begin(alone: gaps)) }
        } catch {
            trace(characteristic.peripheral, .subscribe(characteristic), .failed(error))
            if isNew, daemon.epoch == epoch { notifySessions.end(at: path) }
            throw error
        }
    }

    /// Ends a subscription of ``startNotify(_:timeout:)``; later values are not reported.
    ///
    /// - Throws: ``BlueZError``: `nothingToStop` where there was no session.
    public func stopNotify(
        _ characteristic: CharacteristicReference, timeout: Duration = .seconds(35)
    ) async throws(BlueZError) {
        notifySessions.end(at: characteristic.path)
        notificationReaders.end { $0.path == characteristic.path ? .stopped : nil }
        trace(characteristic.peripheral, .unsubscribe(characteristic), .began)
        do {
            try await call(characteristic.path, Name.characteristic, "StopNotify", timeout: timeout)
            trace(characteristic.peripheral, .unsubscribe(characteristic), .succeeded([]))
        } catch {
            trace(characteristic.peripheral, .unsubscribe(characteristic), .failed(error))
            throw error
        }
    }

    /// The object of a characteristic, if its path still belongs to it.
    ///
    /// Quirk paths-from-handles: after a service change the same path may belong to another characteristic.
    func object(of characteristic: CharacteristicReference) throws(BlueZError) -> ObjectPath {
        try requireDaemon()
        guard tree.characteristics[characteristic.path]?.reference == characteristic else {
            throw BlueZError(.unknownObject, text: "\(characteristic.path) is not what it was")
        }
        return characteristic.path
    }
}

extension BluetoothUUID {
    /// Characteristic User Description (2901): text.
    public static let characteristicUserDescription = BluetoothUUID(0x2901)
    /// Client Characteristic Configuration (2902): whether a characteristic notifies or indicates to us.
    ///
    /// The daemon writes it itself for ``BluetoothCentral/startNotify(_:timeout:)``, and refuses other writes.
    public static let clientCharacteristicConfiguration = BluetoothUUID(0x2902)
    /// Characteristic Presentation Format (2904): type, exponent and unit of a value.
    public static let characteristicPresentationFormat = BluetoothUUID(0x2904)
}

extension BluetoothCentral {
    /// Reads a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: Which one; its peripheral must be connected.
    ///   - timeout: How long to wait.
    /// - Returns: The octets.
    /// - Throws: ``BlueZError``, as ``read(_:timeout:)-(CharacteristicReference,_)``.
    public func read(_ descriptor: Descriptor, timeout: Duration = .seconds(35)) async throws(BlueZError) -> [UInt8] {
        let answer = try await call(
            try object(of: descriptor), Name.descriptor, "ReadValue", [.properties([])], timeout: timeout)
        guard let octets = answer.first?.valueOctets else { throw BlueZError(.unexpectedAnswer) }
        return octets
    }

    /// Writes a descriptor.
    ///
    /// - Parameters:
    ///   - octets: The octets to write.
    ///   - descriptor: Which one; its peripheral must be connected.
    ///   - timeout: How long to wait for the peripheral's answer.
    /// - Throws: ``BlueZError``: `notPermitted` for `BluetoothUUID.clientCharacteristicConfiguration`, which only the
    ///   daemon writes, and as ``read(_:timeout:)-(CharacteristicReference,_)``.
    public func write(
        _ octets: [UInt8], to descriptor: Descriptor, timeout: Duration = .seconds(35)
    ) async throws(BlueZError) {
        try await call(
            try object(of: descriptor), Name.descriptor, "WriteValue", [.bytes(octets), .properties([])],
            timeout: timeout)
    }

    /// The object of a descriptor, if its path still belongs to it (quirk paths-from-handles).
    private func object(of descriptor: Descriptor) throws(BlueZError) -> ObjectPath {
        try requireDaemon()
        guard tree.characteristics[descriptor.path.parent]?.descriptors.contains(descriptor) == true else {
            throw BlueZError(.unknownObject, text: "\(descriptor.path) is not what it was")
        }
        return descriptor.path
    }

    /// Throws when there is no daemon to ask.
    func requireDaemon() throws(BlueZError) {
        if connection == nil { throw BlueZError(.busLost) }
        if daemon.owner == nil { throw BlueZError(.daemonGone) }
    }
}
