import EventLoops

extension BluetoothCentral {
    /// Has a characteristic notify or indicate, and gives its values, and only those, to one reader.
    ///
    /// Nothing is lost between this call and the first iteration, and nothing that is not read yet is dropped. Several
    /// readers of one characteristic share its notify session.
    ///
    /// ```swift
    /// for try await value in try await bluez.notifications(of: measurement.reference) {
    ///     print(value.octets)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - characteristic: Which one; its peripheral must be connected.
    ///   - timeout: How long the subscription may take.
    /// - Returns: The values; the iteration throws ``NotificationsEndedError`` when the link, the characteristic, the daemon
    ///   or the bus goes.
    /// - Throws: ``BlueZError``, as ``startNotify(_:timeout:)``, and `notConnected` without a link.
    public func notifications(
        of characteristic: CharacteristicReference, timeout: Duration = .seconds(35)
    ) async throws(BlueZError) -> NotificationSequence {
        _ = try object(of: characteristic)
        guard tree.peripheral(characteristic.peripheral)?.isConnected == true else { throw BlueZError(.notConnected) }
        let key = characteristic.path.description
        // A session that somebody began by hand is theirs to end.
        let isShared = streams[key] == nil && subscriptions[key] != nil
        var group =
            streams[key]
            ?? NotificationStreams(
                reference: characteristic, ownsSession: !isShared, serial: nextStreamSerial())
        group.leases += 1
        streams[key] = group
        let serial = group.serial
        let sequence = NotificationSequence(
            elements: group.broadcast.subscribe(),
            lease: NotificationLease { [weak self] in
                guard let self else { return }
                Task(executorPreference: self.loop) { await self.endLease(key, serial) }
            })
        // A failure lets the sequence go, and with it what was noted for it.
        try await beginSession(of: characteristic, timeout: timeout)
        return sequence
    }

    private func nextStreamSerial() -> UInt64 {
        streamSerial += 1
        return streamSerial
    }

    private func endLease(_ key: String, _ serial: UInt64) async {
        guard var group = streams[key], group.serial == serial else { return }
        group.leases -= 1
        streams[key] = group.leases > 0 ? group : nil
        guard group.leases == 0, group.ownsSession, subscriptions[key] != nil else { return }
        // There may be nothing left to end, and nobody waits for it.
        try? await stopNotify(group.reference)
    }

    /// Gives an event to the readers whom it concerns.
    func reportStreams(_ kind: BlueZEvent.Kind, at timestamp: Timestamp) {
        switch kind {
        case .notification(let reference, let octets):
            streams[reference.path.description]?.broadcast.send(
                .value(Notification(octets: octets, timestamp: timestamp)))
        case .disconnected(let peripheral):
            endStreams(.linkLost) { $0.path.isBelow(peripheral.path) }
        case .daemon(.gone), .daemon(.unusable): endStreams(.daemonGone) { _ in true }
        case .bus(.lost), .bus(.foreign): endStreams(.busLost) { _ in true }
        default: break
        }
    }

    /// Tells the readers of some characteristics that no more can come.
    func endStreams(
        _ reason: NotificationsEndedError.Reason, where isConcerned: (CharacteristicReference) -> Bool
    ) {
        for (key, group) in streams where isConcerned(group.reference) {
            streams[key] = nil
            group.broadcast.send(.ended(reason))
            group.broadcast.finish()
            // Quirk session-outlives-link: values would come again with the next link, though nobody wants them.
            guard reason == .linkLost, group.ownsSession, subscriptions[key] != nil else { continue }
            Task(executorPreference: loop) { try? await self.stopNotify(group.reference) }
        }
    }
}
