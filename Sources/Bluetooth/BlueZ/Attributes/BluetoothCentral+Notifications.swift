import EventLoops

extension BluetoothCentral {
    /// Subscribes to a characteristic; one reader receives its values.
    ///
    /// Nothing is lost between this call and the first iteration, and unread values are not dropped. Several
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
    ///   - timeout: The limit for the subscription.
    /// - Returns: The values; the iteration throws ``NotificationsEndedError`` when the link, the characteristic, the daemon
    ///   or the bus is lost.
    /// - Throws: ``BlueZError``, as ``startNotify(_:timeout:)``, and `notConnected` without a link.
    public func notifications(
        of characteristic: CharacteristicReference, timeout: Duration = .seconds(35)
    ) async throws(BlueZError) -> NotificationSequence {
        _ = try object(of: characteristic)
        guard tree.peripheral(characteristic.peripheral)?.isConnected == true else { throw BlueZError(.notConnected) }
        let (values, serial) = notificationReaders.join(
            characteristic, hasSession: notifySessions.hasSession(at: characteristic.path.description))
        let sequence = NotificationSequence(
            elements: values,
            lease: NotificationLease { [weak self] in
                guard let self else { return }
                Task(executorPreference: self.loop) { await self.leave(characteristic, serial) }
            })
        // A failure releases the sequence with its state.
        try await beginSession(of: characteristic, timeout: timeout)
        return sequence
    }

    private func leave(_ characteristic: CharacteristicReference, _ serial: UInt64) {
        if notificationReaders.leave(characteristic, serial: serial) { stopNotify([characteristic]) }
    }

    /// Ends unused notify sessions.
    func stopNotify(_ unneeded: [CharacteristicReference]) {
        for characteristic in unneeded
        where notifySessions.hasSession(at: characteristic.path.description) {
            // Nothing may be left to end, and no caller waits for it.
            Task(executorPreference: loop) { try? await self.stopNotify(characteristic) }
        }
    }
}
