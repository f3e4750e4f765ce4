import BlueZ
import Vitals

// The sessions of peripherals; the number of strangers with changing addresses is unlimited.
extension SensorSupervisor {
    /// The most sessions; far fewer sensors are wanted or remembered.
    static let sessionLimit = 1024

    /// The session of a peripheral, created if needed.
    func session(for address: BluetoothAddress) -> SensorSession {
        if let session = sessions[address] { return session }
        if sessions.count >= Self.sessionLimit { dropLeastMissed() }
        let session = SensorSession(address: address)
        session.memory = memory[address]
        sessions[address] = session
        if let trouble = radio.trouble { send(.radioLost(trouble), to: session, at: .now()) }
        return session
    }

    /// Drops the state of an unwanted peripheral.
    func dropIfForgettable(_ session: SensorSession) {
        if isForgettable(session) { drop(session) }
    }

    private func isForgettable(_ session: SensorSession) -> Bool {
        let machine = session.machine
        return !machine.isWanted && !machine.isRefusedByUser && machine.phase == .idle && !session.pairing.isUnderWay
    }

    private func drop(_ session: SensorSession) {
        cancelTimer(of: session)
        sessions[session.address] = nil
        reportPlaces(places.remove(session.address), at: .now())
    }

    /// Drops the session of the unknown sensor that was not heard for the longest time; unsupported ones first.
    private func dropLeastMissed() {
        let strangers = sessions.values.lazy.filter { $0.memory == nil && self.isForgettable($0) }
        guard let least = strangers.min(by: { $0.isMissedLess(than: $1) }) else { return }
        forgetNearby(least, at: .now())
        drop(least)
    }
}

extension SensorSession {
    fileprivate func isMissedLess(than other: SensorSession) -> Bool {
        let (isRead, isOtherRead) = (
            SupportedSensors.isRead(identity.kind), SupportedSensors.isRead(other.identity.kind)
        )
        if isRead != isOtherRead { return isOtherRead }
        switch (signal.lastHeard, other.signal.lastHeard) {
        case (nil, nil): return address < other.address
        case (nil, _): return true
        case (_, nil): return false
        case (let mine?, let others?): return mine < others
        }
    }
}
