import BlueZ
import Vitals

// Bus, bluetoothd and adapter: each loss is told, and the sensors are told when it matters to them.
extension SensorSupervisor {
    /// How long to wait before we say that there is no adapter.
    ///
    /// Quirk adapter-comes-late: it takes some 350 ms.
    static let adapterGrace = Duration.seconds(1)

    func busChanged(_ state: Vitals.BusState, at moment: Moment) {
        radio.bus = state
        tell(.bus(state), at: moment)
        tellSessions(at: moment)
    }

    func daemonChanged(_ state: Vitals.DaemonState, at moment: Moment) {
        radio.daemon = state
        tell(.daemon(state), at: moment)
        tellSessions(at: moment)
        guard state == .running else { return }
        // A computer without an adapter gives no event that says so.
        _ = loop.schedule(after: Self.adapterGrace) { [weak self] in
            self?.assumeIsolated { $0.tellAdapter(at: .now()) }
        }
    }

    func adapterChanged(_ change: ObjectChange, _ adapter: Adapter, at moment: Moment) {
        radio.adapters[adapter.path.description] = change == .removed ? nil : adapter
        tellAdapter(at: moment)
        tellSessions(at: moment)
    }

    private func tellAdapter(at moment: Moment) {
        guard !isShuttingDown else { return }
        let status = radio.status(radioSwitch)
        guard status != radio.told else { return }
        radio.told = status
        tell(.adapter(status), at: moment)
    }

    /// Tells every sensor when the radio was lost for a more fundamental reason, or can be used again.
    private func tellSessions(at moment: Moment) {
        switch radio.takeNews() {
        case nil: break
        case .lost(let reason):
            for session in Array(sessions.values) {
                endLink(of: session)
                send(.radioLost(reason), to: session, at: moment)
            }
            updateDiscovery()
        case .returned:
            for session in Array(sessions.values) { send(.radioReturned, to: session, at: moment) }
            renewDiscovery()
        }
    }
}
