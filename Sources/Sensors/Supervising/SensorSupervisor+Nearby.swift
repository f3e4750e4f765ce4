import BlueZ
import Vitals

// The list of what is on the air.
extension SensorSupervisor {
    /// The signal strength that Bluetooth controllers report when they have none.
    private static let noSignalStrength = 127

    /// Tells that a peripheral is heard: at once when it is new or has changed, else at most once a second.
    func showNearby(_ session: SensorSession, _ peripheral: Peripheral, isNews: Bool, at moment: Moment) {
        if isNews { keepMemoryTrue(of: session, at: moment) }
        // Quirk strength-taken-back: at the end of a scan; that is no news about the peripheral.
        let strength = peripheral.rssi.flatMap { $0 == Self.noSignalStrength ? nil : $0 }
        let isHeard = strength != nil || peripheral.isConnected
        guard isHeard || session.isNearby else { return }
        if isHeard { session.lastHeard = moment }
        let strengthChanged = strength != nil && strength != session.signalStrength
        if let strength { session.recordStrength(strength, heard: peripheral.lastHeard.map { Moment($0) } ?? moment) }
        if isNews || !session.isNearby {
            session.isNearby = true
            reportNearby(session, at: moment)
            return
        }
        // One that stays where it is says so now and then, or it would look gone.
        guard strengthChanged || session.throttle.isOld(at: moment) && strength != nil else { return }
        switch session.throttle.decide(at: moment) {
        case .report: reportNearby(session, at: moment)
        case .reportAt(let due):
            session.nearbyDue = due
            scheduleNearby(due)
        case .keep: break
        }
    }

    private func reportNearby(_ session: SensorSession, at moment: Moment) {
        session.nearbyDue = nil
        session.throttle.told(at: moment)
        report(session.nearby(at: moment), at: moment)
    }

    /// Tells that a peripheral is not heard any more, if it was.
    func forgetNearby(_ session: SensorSession, at moment: Moment) {
        if session.isNearby {
            session.isNearby = false
            changePlaces(at: moment) { $0.lose(session.address) }
            report(.gone(session.identity), at: moment)
        }
        session.nearbyDue = nil
        session.signalStrength = nil
    }

    /// Lets one timer serve all peripherals.
    private func scheduleNearby(_ due: Moment) {
        guard nearbyTimer == nil else { return }
        nearbyTimer = loop.schedule(at: due.monotonicNanoseconds) { [weak self] in
            self?.assumeIsolated { $0.reportDueNearby() }
        }
    }

    private func reportDueNearby() {
        nearbyTimer = nil
        let now = Moment.now()
        var next: Moment?
        for session in sessions.values {
            guard let due = session.nearbyDue else { continue }
            if due <= now {
                reportNearby(session, at: now)
            } else {
                next = next.map { min($0, due) } ?? due
            }
        }
        if let next { scheduleNearby(next) }
    }
}

extension SensorSession {
    /// How old a signal strength may be that is told: no older than the throttle makes it.
    private static let freshStrength = SignalStrengthThrottle.interval * 2

    /// Takes note of a signal strength; BlueZ repeats the last one with other news.
    func recordStrength(_ strength: Int, heard: Moment) {
        signalStrength = strength
        strengthHeard = heard
    }

    /// What is told about a peripheral that is heard; without its signal strength when that is not of now.
    func nearby(at moment: Moment) -> MonitorEvent.Kind {
        let isFresh = strengthHeard.map { moment.since($0) <= Self.freshStrength } ?? false
        return .nearby(
            identity, signalStrength: isFresh ? signalStrength : nil, services: services.map(\.description))
    }
}
