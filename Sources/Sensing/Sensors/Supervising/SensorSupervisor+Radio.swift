import BlueZ
import EventLoops
import Vitals

// Bus, bluetoothd and adapter: each loss is reported, also to the sensors if it matters to them.
extension SensorSupervisor {
    /// The delay before a missing adapter is reported.
    ///
    /// Quirk adapter-comes-late: it takes some 350 ms.
    static let adapterGrace = Duration.seconds(1)

    func busChanged(_ state: BusState, at moment: Moment) {
        let silence = radio.silence
        guard radio.change(state) else { return }
        followSilence(after: silence, at: moment)
        report(.bus(state), at: moment)
        reportSessions(at: moment)
    }

    func daemonChanged(_ state: DaemonState, at moment: Moment) {
        let (silence, wasRunning) = (radio.silence, radio.isDaemonRunning)
        guard radio.change(state) else { return }
        followSilence(after: silence, at: moment)
        report(.daemon(state), at: moment)
        reportSessions(at: moment)
        guard state == .running, !wasRunning else { return }
        Task(executorPreference: loop) { await self.claimLinks() }
        // A computer without an adapter sends no event about that.
        _ = loop.schedule(after: adapterGrace) { [weak self] in
            self?.assumeIsolated {
                $0.reportAdapter(at: .now())
                $0.reportHeldBack(at: .now())
            }
        }
    }

    func adapterChanged(_ change: ObjectChange, _ adapter: Adapter, at moment: Moment) {
        radio.change(change, adapter)
        reportAdapter(at: moment)
        reportSessions(at: moment)
        watchDiscovery(at: moment)
    }

    /// Reports the state of the adapters, if it is new.
    func reportAdapter(at moment: Moment) {
        guard !isShuttingDown else { return }
        for kind in radio.takeAdapterNews(radioSwitch, hearsNothing: silentDiscovery.hearsNothing) {
            report(kind, at: moment)
        }
    }

    /// Informs every sensor when the radio was lost for a more fundamental reason, or can be used again.
    private func reportSessions(at moment: Moment) {
        let (news, gap) = radio.takeNews(at: moment)
        if let gap { report(.gap(gap), at: moment) }
        switch news {
        case nil:
            // Another adapter may be in use now.
            updateDiscovery()
        case .lost(let reason):
            silentDiscovery = SilentDiscovery()
            for session in Array(sessions.values) {
                endBurst(of: session)
                session.link.end(isEnded: false)
                send(.radioLost(reason), to: session, at: moment)
            }
            updateDiscovery()
        case .returned:
            for session in Array(sessions.values) { send(.radioReturned, to: session, at: moment) }
            renewDiscovery()
        }
        reportHeldBack(at: moment)
    }

    // MARK: What the user does with adapters

    /// Uses only one adapter from now on, even while it is missing, or the first one that is on.
    ///
    /// Sensors connected through another adapter are disconnected there, and connected again through this one.
    ///
    /// - Parameter identifier: Such as `hci1`; `nil` for the first one that is on.
    public func useAdapter(_ identifier: String?) async {
        guard identifier != radio.chosen, !isShuttingDown else { return }
        radio.choose(identifier)
        guard isStarted else { return }
        let now = Moment.now()
        for session in Array(sessions.values) { leaveAdapter(session, at: now) }
        radio.recordAdapterLeft()
        reportAdapter(at: now)
        updateDiscovery()
        // The peripherals of the other adapter are reported as if they had just come.
        await followEvents()
    }

    private func leaveAdapter(_ session: SensorSession, at moment: Moment) {
        let machine = session.machine
        if machine.ownsLink, machine.isLinked || machine.isConnecting {
            let (address, adapter, central) = (session.address, session.adapter, central)
            Task(executorPreference: loop) {
                // An error needs no action: the link ends without this call, or with the other adapter.
                try? await central.disconnect(address, on: adapter, timeout: ConnectionMachine.disconnectLimit)
            }
        }
        forgetNearby(session, at: moment)
        session.link.end(isEnded: false)
        send(.radioLost(.adapter), to: session, at: moment)
        send(.vanished, to: session, at: moment)
        session.adapter = nil
        dropIfForgettable(session)
    }

    /// Switches the adapter in use on or off; that the user switched it off is stored and reported.
    ///
    /// A failure is not reported separately: the adapter's state shows the result.
    public func setPowered(_ isPowered: Bool) async {
        guard let adapter = radio.current else { return }
        radio.switchPower(of: adapter, on: isPowered)
        for _ in 0..<5 {
            do throws(BlueZError) {
                try await central.setPowered(isPowered, on: adapter.path)
                break
            } catch {
                // The adapter is still being switched the other way.
                guard error.kind == .busy else { break }
                await pause(.milliseconds(300))
            }
        }
        reportAdapter(at: .now())
    }

    func pause(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            _ = loop.schedule(after: duration) { continuation.resume() }
        }
    }

    // MARK: Clocks

    /// The computer has slept, or its clock was set.
    func clockJumped(_ jump: ClockJump, at now: Moment) {
        switch jump {
        case .slept(let nanoseconds):
            report(.gap(Gap(from: now.advanced(by: .nanoseconds(-nanoseconds)), to: now, reason: .asleep)), at: now)
            for session in Array(sessions.values) { send(.awoke, to: session, at: now) }
            // Quirk dead-after-sleep: a discovery that is reported as running may find nothing.
            discovery.restart()
            updateDiscovery()
        case .wasSet(let milliseconds):
            var before = now
            before.wallMilliseconds -= milliseconds
            report(.gap(Gap(from: before, to: now, reason: .clockSet)), at: now)
        }
    }
}
