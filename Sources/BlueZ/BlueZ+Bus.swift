import DBus
import EventLoop

extension BlueZ {
    /// Begins to reach for the bus and the daemon, and goes on for as long as it takes, until ``stop()``.
    ///
    /// It never fails: that something cannot be reached, and why, is told as an event.
    public func start() {
        if isStarted { return }
        isStarted = true
        Task(executorPreference: loop) { await self.reachBus() }
    }

    /// Lets go of the bus for good and ends every reader's events; links stay as they are.
    public func stop() async {
        isStarted = false
        if let busTimer { loop.cancel(busTimer) }
        busTimer = nil
        for path in Array(discoveries.keys) { forgetDiscovery(path) }
        let connection = connection
        forgetBus()
        broadcast.finish()
        complaintBroadcast.finish()
        await connection?.close()
    }

    /// How long a bus may take to let us in before that is told; it is tried again for as long as it takes.
    private static let connectLimit = Duration.seconds(5)

    private func reachBus() async {
        guard isStarted, connection == nil else { return }
        let connection: DBusConnection
        do throws(DBusFailure) {
            connection = try await DBusConnection.connect(
                to: busAddress, on: loop, within: Self.connectLimit)
        } catch {
            retryBus(reason: "The message bus cannot be reached: \(error).")
            return
        }
        guard isStarted else { return await connection.close() }
        self.connection = connection
        await connection.onDisconnect { [weak self, weak connection] in
            self?.assumeIsolated { bluez in
                if let connection {
                    bluez.busWasLost(connection, reason: "The connection to the message bus was lost.")
                }
            }
        }
        do throws(DBusFailure) {
            // Before anything is asked, so that nothing can happen unnoticed between an answer and the first signal.
            try await watchSignals(connection)
            try await lookForOtherNames(connection)
            guard self.connection === connection else { return }
            busState = .connected
            emit(.bus(.connected), at: .now())
            try await askForOwner(connection)
            busRetry.reset()
        } catch {
            busWasLost(connection, reason: "The message bus does not serve us: \(error).")
            await connection.close()
        }
    }

    private func lookForOtherNames(_ connection: DBusConnection) async throws(DBusFailure) {
        var present: Set<String> = []
        for name in otherNames where try await connection.owner(of: name) != nil { present.insert(name) }
        presentNames.withLock { [present] in $0 = present }
    }

    private func busWasLost(_ lost: DBusConnection, reason: String) {
        guard isStarted, connection === lost else { return }
        let announcement = BusState.lost(reason: reason)
        busState = announcement
        let now = Timestamp.now()
        emit(.bus(announcement), at: now)
        let removed = forgetBus()
        publish(removed, at: now)
        retryBus(reason: reason)
    }

    /// Forgets the connection and what is known through it; answers what has gone with it.
    @discardableResult
    private func forgetBus() -> [BlueZEvent.Kind] {
        connection = nil
        busIdentifier = nil
        daemonState = nil
        return forgetDaemon()
    }

    private func retryBus(reason: String) {
        let state = BusState.lost(reason: reason)
        if busState != state {
            busState = state
            emit(.bus(state), at: .now())
        }
        busTimer = loop.schedule(after: busRetry.next()) { [weak self] in
            self?.assumeIsolated { bluez in
                bluez.busTimer = nil
                _ = Task(executorPreference: bluez.loop) { await bluez.reachBus() }
            }
        }
    }
}
