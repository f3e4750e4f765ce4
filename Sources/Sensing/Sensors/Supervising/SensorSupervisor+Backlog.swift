import Vitals

// After a stall of the loop, of the bus or of the daemon, values that waited are not present ones.
extension SensorSupervisor {
    /// After a shorter stall, the age of the values is information enough.
    static let shortestStall = Duration.seconds(2)
    /// How long nothing must come before bluetoothd is asked, while a sensor sends: with half a second for the answer,
    /// silence of as long as ``shortestStall`` is noticed.
    static let quietWhileReady = Duration.milliseconds(1500)
    /// The same while sensors are only awaited.
    static let quietWhileWaiting = Duration.seconds(10)

    /// Detects a stall of the loop until now, and reports the gap before anything else happens.
    public func checkForStall() {
        loop.checkForStall()
    }

    /// Handles a stall: the process was stopped, or could not keep up, so values have waited.
    ///
    /// The daemon's answer to a call now follows everything that it sent before, so it ends the backlog.
    func stalled(nanoseconds: Int64, at now: Moment) {
        let from = now.advanced(by: .nanoseconds(-nanoseconds))
        report(.gap(Gap(from: from, to: now, reason: .program)), at: now)
        let number = openBacklog(from: from, to: now)
        for session in Array(sessions.values) { send(.stalled, to: session, at: now) }
        Task(executorPreference: loop) {
            await self.central.handleBacklog(within: .seconds(5))
            await self.endBacklog(number: number)
        }
    }

    /// Handles the beginning and the end of a silence of the bus or the daemon, in which values wait.
    ///
    /// - Parameter before: The silence that was known until now.
    func followSilence(after before: GapReason?, at moment: Moment) {
        let silence = radio.silence
        switch (before, silence) {
        case (nil, nil), (_?, _?): break
        case (nil, _?):
            silentSince = lastHeard ?? moment
            _ = openBacklog(from: silentSince ?? moment, to: moment)
        case (let reason?, nil):
            report(.gap(Gap(from: silentSince ?? moment, to: moment, reason: reason)), at: moment)
            for session in Array(sessions.values) { send(.stalled, to: session, at: moment) }
            endBacklog(end: moment)
            silentSince = nil
        }
    }

    /// Holds the readings from now on; what is held of single sensors is handled before.
    private func openBacklog(from: Moment, to: Moment) -> Int {
        for session in Array(sessions.values) { endBurst(of: session) }
        return backlog.open(from: from, to: to)
    }

    /// Reports the held readings; later readings are present ones.
    ///
    /// - Parameters:
    ///   - number: The stall that the backlog must not be younger than; `nil` for any.
    ///   - end: Until when they can have been measured, where that is later than was known.
    func endBacklog(number: Int? = nil, end: Moment? = nil) {
        let now = Moment.now()
        let wasOpen = backlog.isOpen
        for reading in backlog.close(number: number, end: end) {
            report(.reading(reading), at: max(now, reading.moment))
        }
        // What waited in the kernel may come after bluetoothd has answered.
        if wasOpen, !backlog.isOpen { for session in sessions.values { session.bursts.doubt(until: now) } }
    }

    // MARK: Bursts

    /// Waits whether more notifications come at once than a sensor sends, after it was silent for unusually long.
    func awaitMore(of session: SensorSession) {
        guard session.burstTimer == nil else { return }
        let address = session.address
        session.burstTimer = loop.schedule(after: BurstWatch.window) { [weak self] in
            self?.assumeIsolated { supervisor in
                guard let session = supervisor.sessions[address] else { return }
                session.burstTimer = nil
                // What the loop has not read yet belongs to it.
                supervisor.loop.checkForStall()
                supervisor.releaseBurst(of: session)
            }
        }
    }

    /// Handles what is held of a sensor with what is known now.
    func endBurst(of session: SensorSession) {
        releaseBurst(of: session, isLast: true)
    }

    private func releaseBurst(of session: SensorSession, isLast: Bool = false) {
        guard session.bursts.isHolding else { return }
        let now = Moment.now()
        guard let release = session.bursts.release(at: now, isLast: isLast) else { return awaitMore(of: session) }
        if let timer = session.burstTimer { loop.cancel(timer) }
        session.burstTimer = nil
        switch release {
        case .present(let notifications):
            for one in notifications { handle(one.octets, one.reference, from: session, at: one.moment) }
        case .late(let notifications, let since):
            let last = notifications.last?.moment ?? now
            let number = backlog.open(from: since, to: last)
            for one in notifications { handle(one.octets, one.reference, from: session, at: one.moment) }
            // Unless the loop was stopped meanwhile, so that more may have waited.
            for reading in backlog.close(number: number) { report(.reading(reading), at: max(now, reading.moment)) }
        }
    }
}
