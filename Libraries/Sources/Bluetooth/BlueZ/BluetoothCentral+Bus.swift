import DBus
import EventLoops

extension BluetoothCentral {
    /// Connects to the bus and the daemon, and keeps trying until ``stop()``.
    ///
    /// It never fails: an event reports what cannot be reached, and why.
    public func start() {
        if isStarted { return }
        isStarted = true
        Task(executorPreference: loop) { await self.reachBus() }
    }

    /// Disconnects from the bus permanently and ends every reader's events; links stay as they are.
    public func stop() async {
        isStarted = false
        if let busTimer { loop.cancel(busTimer) }
        busTimer = nil
        discoveries.forgetAll()
        forgetServers()
        let connection = connection
        endSockets { _ in .stopped }
        endMonitors(after: nil)
        forgetBus()
        broadcast.finish()
        stateBroadcast.finish()
        radioSwitchWatch?.stop()
        radioSwitchWatch = nil
        operationBroadcast.finish()
        warningBroadcast.finish()
        await connection?.close()
    }

    /// The time limit for connecting to a bus, before it is reported as lost; attempts continue.
    private static let connectLimit = Duration.seconds(5)

    private func reachBus() async {
        guard isStarted, connection == nil else { return }
        let connection: DBusConnection
        do throws(DBusConnectionError) {
            connection = try await DBusConnection.connect(
                to: busAddress, on: loop, within: Self.connectLimit)
        } catch {
            retryBus(.lost(reason: "The message bus cannot be reached: \(error)."))
            return
        }
        guard isStarted else { return await connection.close() }
        bus.use(connection)
        await connection.onDisconnect { [weak self, weak connection] in
            self?.assumeIsolated { bluez in
                if let connection {
                    bluez.busWasLost(connection, reason: "The connection to the message bus was lost.")
                }
            }
        }
        do throws(DBusConnectionError) {
            // Before any signal is received, because nothing from a bus of another kind may be used.
            guard try await checkMark(connection) else { return }
            // Before any question, so that nothing can happen unnoticed between an answer and the first signal.
            try await watchSignals(connection)
            guard self.connection === connection else { return }
            changeBus(to: .connected, at: .now())
            try await askForOwner(connection)
            bus.recordSuccess()
        } catch {
            busWasLost(connection, reason: "The message bus does not serve us: \(error).")
            await connection.close()
        }
    }

    /// Checks the mark of a bus, and disconnects when it differs from that of the first bus.
    ///
    /// - Returns: Whether the bus may be used.
    func checkMark(_ connection: DBusConnection) async throws(DBusConnectionError) -> Bool {
        guard let mark else { return true }
        let isMarked = try await connection.owner(of: mark) != nil
        guard self.connection === connection else { return false }
        let isOurs = knownMark.withLock { known in
            known = known ?? isMarked
            return known == isMarked
        }
        if isOurs { return true }
        leaveBus(.foreign(isMarked: isMarked))
        await connection.close()
        return false
    }

    private func busWasLost(_ lost: DBusConnection, reason: String) {
        guard isStarted, connection === lost else { return }
        leaveBus(.lost(reason: reason))
    }

    private func leaveBus(_ state: BusState) {
        let now = Timestamp.now()
        changeBus(to: state, at: now)
        publish(forgetBus(), at: now)
        retryBus(state)
    }

    /// Forgets the connection and everything known through it; returns the events of that.
    @discardableResult
    private func forgetBus() -> [BlueZEvent.Kind] {
        bus.forget()
        daemon.forgetState()
        return forgetDaemon()
    }

    func changeBus(to state: BusState, at timestamp: Timestamp) {
        if bus.change(to: state) { emit(.bus(state), at: timestamp) }
    }

    private func retryBus(_ state: BusState) {
        changeBus(to: state, at: .now())
        busTimer = loop.schedule(after: bus.planRetry()) { [weak self] in
            self?.assumeIsolated { bluez in
                bluez.busTimer = nil
                _ = Task(executorPreference: bluez.loop) { await bluez.reachBus() }
            }
        }
    }
}
