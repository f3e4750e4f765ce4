import BlueZ
import Vitals

// The scan: on when the user wants it or a wanted sensor has to be found, off while a connection is made.
// Quirk connect-waits-for-report: during a scan `Connect` takes some 10 s, against 0.3 s without one.
extension SensorSupervisor {
    /// Whether a discovery is to go on now.
    private var wantsDiscovery: Bool {
        // A pairing makes a connection, too; only what has to be heard again for it is looked for.
        if sessions.values.contains(where: { $0.pairing.isUnderWay }) {
            return !isShuttingDown && sessions.values.contains { $0.pairing.awaitsDiscovery }
        }
        if isShuttingDown || sessions.values.contains(where: { $0.machine.phase == .connecting }) { return false }
        return discovery.isAskedFor || sessions.values.contains { $0.machine.needsScan }
    }

    /// Has BlueZ begin or end the discovery when what is wanted has changed.
    func updateDiscovery() {
        // Without a radio nothing can be begun; its return brings us here again.
        guard radio.trouble == nil || isShuttingDown,
            let begin = discovery.takeCall(isWanted: wantsDiscovery)
        else { return }
        Task(executorPreference: loop) { await self.changeDiscovery(begin) }
    }

    private func changeDiscovery(_ begin: Bool) async {
        discovery.callAnswered(isBegun: await call(beginDiscovery: begin))
        updateDiscovery()
        guard !discovery.isCalling else { return }
        for continuation in discovery.takeWaiting() { continuation.resume() }
    }

    /// Has BlueZ begin the discovery anew after the radio has returned, perhaps as another adapter.
    func renewDiscovery() {
        if wantsDiscovery { discovery.forgetStart() }
        updateDiscovery()
    }

    /// Waits until BlueZ has done what is wanted of the discovery now.
    func settleDiscovery() async {
        guard discovery.isCalling else { return }
        await withCheckedContinuation { discovery.wait($0) }
    }

    /// Begins or ends the discovery; answers whether BlueZ will discover from now on.
    private func call(beginDiscovery begin: Bool) async -> Bool {
        do throws(BlueZError) {
            if begin { try await central.beginDiscovery() } else { try await central.endDiscovery() }
            return begin
        } catch {
            // Without bus, daemon or adapter nothing was begun, and their return brings us here again. Any other
            // failure to begin is BlueZ's to repeat; one to end leaves nothing that we could do better.
            switch error.kind {
            case .busLost, .daemonGone, .noAdapter: return false
            default: return begin
            }
        }
    }
}
