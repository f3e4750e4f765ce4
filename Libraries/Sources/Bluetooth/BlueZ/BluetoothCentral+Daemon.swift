import DBus
import EventLoops

extension BluetoothCentral {
    /// Asks who owns the daemon's name, unless a signal has reported it meanwhile.
    func askForOwner(_ connection: DBusConnection) async throws(DBusConnectionError) {
        let epoch = daemon.epoch
        let owner = try await connection.owner(of: Name.bluez)
        guard self.connection === connection, epoch == daemon.epoch else { return }
        adopt(owner, at: .now())
    }

    /// Switches to another daemon, or to none.
    func adopt(_ newOwner: String?, at timestamp: Timestamp) {
        if newOwner == nil || daemon.state?.isRunning == true { announce(.gone, at: timestamp) }
        publish(forgetDaemon(), at: timestamp)
        guard let newOwner else { return }
        daemon.adopt(newOwner)
        connection?.assumeIsolated { $0.followSerials(of: newOwner) }
        Task(executorPreference: loop) { await self.askForObjects() }
    }

    /// The number of messages from the daemon to other programs, detected so far.
    var serialGaps: Int { connection?.assumeIsolated { $0.serialGaps } ?? 0 }

    /// Forgets the daemon and all of its objects; returns the events of that.
    ///
    /// Quirk killed-without-a-word: a killed daemon does not report the removal of its objects.
    func forgetDaemon() -> [BlueZEvent.Kind] {
        daemon.forget()
        stopWatchingAnswers()
        if let daemonTimer { loop.cancel(daemonTimer) }
        daemonTimer = nil
        for samples in notifySessions.endAll() { emit(samples) }
        discoveries.suspendAll()
        return tree.removeAll()
    }

    /// Asks a new daemon for its objects; signals that arrive meanwhile are applied to the answer.
    ///
    /// The answer may be older or newer than such a signal. That does no harm: signals carry the state after the
    /// change, so the last one of each property is correct.
    private func askForObjects() async {
        guard let connection, let owner = daemon.owner else { return }
        let epoch = daemon.epoch
        do throws(DBusConnectionError) {
            // The mark may have appeared on this bus since the connection was made.
            guard try await checkMark(connection) else { return }
            let answer = try await connection.call(
                owner, .root, Name.objectManager, "GetManagedObjects", timeout: .seconds(25))
            guard epoch == daemon.epoch else { return }
            guard let objects = answer.first, let kinds = tree.fill(with: objects) else {
                ignore(.objectList, nil)
                retryObjects(.unusable(reason: "The Bluetooth service's list of objects is malformed."))
                return
            }
            let now = Timestamp.now()
            announce(.running, at: now)
            startWatchingAnswers(at: now)
            publish(kinds, at: now)
            for signal in daemon.objectsCame() { apply(signal) }
        } catch {
            guard epoch == daemon.epoch else { return }
            retryObjects(Self.trouble(error))
        }
    }

    /// The reason why a running daemon is not usable.
    private static func trouble(_ failure: DBusConnectionError) -> DaemonState {
        switch failure {
        case .remote("org.freedesktop.DBus.Error.AccessDenied", let message):
            .refused(reason: "The message bus does not let this user talk to the Bluetooth service: \(message)")
        case .timedOut: .unusable(reason: "The Bluetooth service does not answer.")
        default: .unusable(reason: "The Bluetooth service does not let us look at its objects: \(failure).")
        }
    }

    /// Keeps a signal until the objects are known; when there are too many, the objects are requested again.
    func hold(_ signal: ObjectSignal) {
        if daemon.hold(signal) { return }
        ignore(.tooManySignals, nil)
        // A retry is planned already, so no answer is pending.
        guard daemonTimer == nil else { return }
        daemon.abandonQuestion()
        retryObjects(.unusable(reason: "The Bluetooth service sends more signals than can be kept."))
    }

    private func retryObjects(_ trouble: DaemonState) {
        publish(tree.removeAll(), at: .now())
        let delay = daemon.planQuestion()
        announce(trouble, at: .now())
        daemonTimer = loop.schedule(after: delay) { [weak self] in
            self?.assumeIsolated { bluez in
                bluez.daemonTimer = nil
                _ = Task(executorPreference: bluez.loop) { await bluez.askForObjects() }
            }
        }
    }

    func announce(_ state: DaemonState, at timestamp: Timestamp) {
        if daemon.change(to: state) { emit(.daemon(state), at: timestamp) }
    }

    /// Emits events of the object tree.
    func publish(_ kinds: [BlueZEvent.Kind], at timestamp: Timestamp) {
        reportWarnings()
        for kind in kinds {
            emit(kind, at: timestamp)
            if case .adapter(let change, let adapter) = kind { keepDiscovering(after: change, of: adapter) }
        }
    }
}
