import BlueZ
import Vitals

// The scan: on when the user wants it or a wanted sensor must be found, off while a connection is made.
// Quirk connect-waits-for-report: during a scan `Connect` takes some 10 s, against 0.3 s without one.
extension SensorSupervisor {
    /// The adapter that should discover now; `nil` for none.
    private var wantedDiscovery: AdapterPath? {
        if isShuttingDown { return nil }
        // A pairing makes a connection, too; a scan is needed only for a peripheral that must be heard again.
        if sessions.values.contains(where: { $0.pairing.isUnderWay }) {
            return sessions.values.contains { $0.pairing.awaitsDiscovery } ? radio.current?.path : nil
        }
        if sessions.values.contains(where: { $0.machine.isConnecting }) { return nil }
        guard discovery.isAskedFor || sessions.values.contains(where: { $0.machine.needsScan }) else { return nil }
        return radio.current?.path
    }

    /// Makes BlueZ begin or end the discovery when the wish has changed.
    func updateDiscovery() {
        // Without a radio no discovery can begin; its return leads here again.
        guard radio.trouble == nil || isShuttingDown,
            let call = discovery.takeCall(wantedOn: wantedDiscovery)
        else { return }
        Task(executorPreference: loop) { await self.changeDiscovery(call) }
    }

    private func changeDiscovery(_ call: DiscoveryWish.Call) async {
        discovery.callAnswered(begunOn: await carryOut(call))
        watchDiscovery(at: .now())
        updateDiscovery()
        guard !discovery.isCalling else { return }
        for continuation in discovery.takeWaiting() { continuation.resume() }
    }

    /// Restarts the discovery after the radio has returned, perhaps as another adapter.
    func renewDiscovery() {
        if wantedDiscovery != nil { discovery.forgetStart() }
        updateDiscovery()
    }

    /// Waits until BlueZ has done what is wanted of the discovery.
    func settleDiscovery() async {
        guard discovery.isCalling else { return }
        await withCheckedContinuation { discovery.wait($0) }
    }

    /// Begins or ends the discovery; returns the adapter on which BlueZ will discover.
    private func carryOut(_ call: DiscoveryWish.Call) async -> AdapterPath? {
        var begun: AdapterPath?
        do throws(BlueZError) {
            switch call {
            case .begin(let adapter):
                begun = adapter
                try await central.beginDiscovery(on: adapter)
            case .end(let adapter): try await central.endDiscovery(on: adapter)
            }
            return begun
        } catch {
            // Without bus, daemon or adapter nothing was begun, and their return leads here again. BlueZ itself repeats
            // any other failed start; after a failed end nothing can be improved.
            switch error.kind {
            case .busLost, .daemonGone, .noAdapter: return nil
            default: return begun
            }
        }
    }

    // MARK: Whether it hears anything

    /// Watches a discovery from its beginning to its end.
    func watchDiscovery(at moment: Moment) {
        let isOngoing = discovery.begunOn != nil && radio.current?.isDiscovering == true
        guard let due = silentDiscovery.isOngoing(isOngoing, at: moment) else { return }
        scheduleHearingTest(due)
    }

    private func scheduleHearingTest(_ due: Moment) {
        guard hearingTimer == nil, !isShuttingDown else { return }
        // Not urgent, so it fires with a value, and once for all peripherals that were last heard at about the same
        // time.
        hearingTimer = loop.schedule(at: due.monotonicNanoseconds, tolerance: .seconds(1)) { [weak self] in
            self?.assumeIsolated { $0.testHearing(at: .now()) }
        }
    }

    /// Restarts and reports a discovery that hears nothing.
    func testHearing(at now: Moment) {
        hearingTimer = nil
        switch silentDiscovery.evaluate(at: now) {
        case nil: break
        case .wait(let due): scheduleHearingTest(due)
        case .restart:
            discovery.restart()
            updateDiscovery()
            reportAdapter(at: now)
            testHearing(at: now)
        }
    }

    /// Records that the radio receives.
    func recordHeard(at moment: Moment) {
        if silentDiscovery.heard(at: moment) { reportAdapter(at: moment) }
    }
}
