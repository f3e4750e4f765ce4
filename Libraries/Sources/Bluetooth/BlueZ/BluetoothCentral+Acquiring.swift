import DBus
import EventLoops

// Characteristics whose values go through a socket and not over the bus.
extension BluetoothCentral {
    /// Acquires the notifications of a characteristic: they come through a socket, past the message bus.
    ///
    /// For characteristics that send very much. Nobody else gets the values meanwhile, they are no
    /// ``BlueZEvent/Kind/notification(_:_:)``, and ``startNotify(_:timeout:)`` fails as `notPermitted`; where that does not
    /// matter, ``notifications(of:timeout:)`` is the better choice. Quirk acquire-notify: the daemon drops what the socket
    /// cannot hold, and refuses characteristics that only indicate.
    ///
    /// Source: BlueZ, `org.bluez.GattCharacteristic`, `AcquireNotify`.
    ///
    /// - Parameters:
    ///   - characteristic: Which one; its peripheral must be connected.
    ///   - limit: The most unread notifications that are kept, at least 1; of more the oldest are dropped and counted.
    ///   - timeout: The limit for the acquisition.
    /// - Returns: The values; the iteration throws ``NotificationsEndedError`` when the link, the characteristic, the
    ///   daemon or the bus is lost.
    /// - Throws: ``BlueZError``: `notPermitted` where another acquisition exists, `inProgress` where a notify session does,
    ///   `notSupported` where the flag is missing, `notConnected` without a link, and as
    ///   ``read(_:timeout:)-(CharacteristicReference,_)``.
    public func acquireNotify(
        _ characteristic: CharacteristicReference, keeping limit: Int = 1024, timeout: Duration = .seconds(35)
    ) async throws(BlueZError) -> AcquiredNotifications {
        let values = AcquiredValues(keeping: limit)
        trace(characteristic.peripheral, .subscribe(characteristic), .began)
        do {
            let (number, unit) = try await acquire("AcquireNotify", characteristic, values, timeout: timeout)
            trace(characteristic.peripheral, .subscribe(characteristic), .succeeded([]))
            return AcquiredNotifications(transferUnit: unit, values: values, lease: lease(ofSocket: number))
        } catch {
            trace(characteristic.peripheral, .subscribe(characteristic), .failed(error))
            throw error
        }
    }

    /// Acquires the writes without response to a characteristic: they go through a socket, past the message bus.
    ///
    /// For characteristics that are written very often, such as for an update of a sensor's firmware. Meanwhile
    /// ``write(_:to:_:at:timeout:)`` fails as `notPermitted`.
    ///
    /// Source: BlueZ, `org.bluez.GattCharacteristic`, `AcquireWrite`.
    ///
    /// - Parameters:
    ///   - characteristic: Which one; its peripheral must be connected.
    ///   - timeout: The limit for the acquisition.
    /// - Returns: What writes to it; its writes fail after the link is lost.
    /// - Throws: ``BlueZError``: `notPermitted` where another acquisition exists, `notSupported` where the flag is missing,
    ///   `notConnected` without a link, and as ``read(_:timeout:)-(CharacteristicReference,_)``.
    public func acquireWrite(
        _ characteristic: CharacteristicReference, timeout: Duration = .seconds(35)
    ) async throws(BlueZError) -> AcquiredWriter {
        let (number, unit) = try await acquire("AcquireWrite", characteristic, nil, timeout: timeout)
        return AcquiredWriter(
            characteristic: characteristic, transferUnit: unit, central: self, number: number,
            lease: lease(ofSocket: number))
    }

    private func acquire(
        _ member: String, _ characteristic: CharacteristicReference, _ values: AcquiredValues?, timeout: Duration
    ) async throws(BlueZError) -> (number: UInt64, transferUnit: Int) {
        let path = try object(of: characteristic)
        guard tree.peripheral(characteristic.peripheral)?.isConnected == true else { throw BlueZError(.notConnected) }
        let epoch = daemon.epoch
        let answer = try await call(path, Name.characteristic, member, [.properties([])], timeout: timeout)
        guard daemon.epoch == epoch else { throw BlueZError(.daemonGone) }
        guard case .unixFileDescriptor(let descriptor)? = answer.first, descriptor.isPacketSocket,
            let unit = answer.dropFirst().first?.integer, (Characteristic.leastTransferUnit...0xFFFF).contains(unit)
        else { throw BlueZError(.unexpectedAnswer) }
        let number = acquiredSockets.add(AcquiredSocket(characteristic, descriptor, values: values))
        watchSocket(number, descriptor)
        return (number, unit)
    }

    private func lease(ofSocket number: UInt64) -> NotificationLease {
        NotificationLease { [weak self] in
            guard let self else { return }
            Task(executorPreference: self.loop) { await self.releaseSocket(number) }
        }
    }

    // MARK: Events of the sockets

    private func watchSocket(_ number: UInt64, _ descriptor: DBusFileDescriptor) {
        var watch: DescriptorWatch?
        // The handler keeps the descriptor, so that its number belongs to nothing else while it is watched.
        watch = loop.watch(descriptor.number, for: .readable) {
            [weak self, weak loop = self.loop, descriptor] readiness in
            guard let self else {
                if let watch { loop?.unwatch(watch) }
                return withExtendedLifetime(descriptor) {}
            }
            self.assumeIsolated { $0.handle(readiness, ofSocket: number) }
        }
        acquiredSockets[number]?.watch = watch
    }

    private func handle(_ readiness: Readiness, ofSocket number: UInt64) {
        guard let socket = acquiredSockets[number] else { return }
        if readiness.contains(.writable) { socket.sendWaitingValues() }
        let isOver = receive(from: socket)
        if isOver || readiness.contains(.failed) {
            endSocket(socket, reasonForEnd(of: socket.characteristic))
        } else {
            adjustInterest(of: socket)
        }
    }

    /// Takes what waits in a socket; returns whether the daemon has closed it.
    private func receive(from socket: AcquiredSocket, isLast: Bool = false) -> Bool {
        let (isOver, malformed) = socket.receive(isLast: isLast)
        for _ in 0..<malformed { ignore(.value, socket.characteristic.path.description) }
        return isOver
    }

    private func adjustInterest(of socket: AcquiredSocket) {
        guard let watch = socket.watch else { return }
        loop.setInterest(socket.hasWaitingValues ? [.readable, .writable] : .readable, of: watch)
    }

    /// Why the daemon has closed a socket, which it mostly does before it reports the cause.
    private func reasonForEnd(of characteristic: CharacteristicReference) -> NotificationsEndedError.Reason {
        if connection == nil { return .busLost }
        if daemon.owner == nil { return .daemonGone }
        return tree.characteristics[characteristic.path] == nil ? .characteristicGone : .linkLost
    }

    private func endSocket(_ socket: AcquiredSocket, _ reason: NotificationsEndedError.Reason) {
        if let watch = socket.watch { loop.unwatch(watch) }
        socket.watch = nil
        if socket.end == nil { socket.finish(reason) }
    }

    // MARK: Writing

    /// Passes a value to the daemon, as soon as a socket takes it.
    func write(
        _ octets: [UInt8], toSocket number: UInt64, of characteristic: CharacteristicReference, timeout: Duration
    ) async throws(BlueZError) {
        let kind = PeripheralOperation.Kind.write(characteristic, octets, .withoutResponse)
        trace(characteristic.peripheral, kind, .began)
        do throws(BlueZError) {
            guard let socket = acquiredSockets[number] else { throw BlueZError(afterEnd: .stopped) }
            if try !socket.sendAtOnce(octets) {
                let waiter = EventWaiters.Waiter { _ in nil }
                socket.enqueue(octets, waiter)
                adjustInterest(of: socket)
                let result = await wait(for: waiter, until: Self.deadline(after: timeout))
                socket.forget(waiter)
                adjustInterest(of: socket)
                try result.get()
            }
            trace(characteristic.peripheral, kind, .succeeded([]))
        } catch {
            trace(characteristic.peripheral, kind, .failed(error))
            throw error
        }
    }

    // MARK: The end

    /// Closes a socket; its writer stays and fails.
    func closeSocket(_ number: UInt64) {
        guard let socket = acquiredSockets.remove(number) else { return }
        endSocket(socket, .stopped)
    }

    /// Closes the socket of a reader or writer that has gone.
    private func releaseSocket(_ number: UInt64) {
        guard let socket = acquiredSockets[number] else { return }
        let isReleased = socket.values != nil && socket.end == nil
        if isReleased { trace(socket.characteristic.peripheral, .unsubscribe(socket.characteristic), .began) }
        closeSocket(number)
        if isReleased { trace(socket.characteristic.peripheral, .unsubscribe(socket.characteristic), .succeeded([])) }
    }

    /// Ends the sockets that an event concerns; what waits in them came before it.
    func endSockets(after kind: BlueZEvent.Kind) {
        endSockets { kind.endOfNotifications(of: $0) }
    }

    /// Ends the sockets of the characteristics for which there is a reason.
    func endSockets(_ reason: (CharacteristicReference) -> NotificationsEndedError.Reason?) {
        for socket in acquiredSockets.sockets.values where socket.end == nil {
            guard let reason = reason(socket.characteristic) else { continue }
            _ = receive(from: socket, isLast: true)
            endSocket(socket, reason)
        }
    }
}
