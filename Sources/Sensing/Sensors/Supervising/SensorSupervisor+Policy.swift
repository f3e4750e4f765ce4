import Base
import BlueZ
import Vitals

// Sensors that are connected by the policy.
extension SensorSupervisor {
    /// Wants a sensor that the policy asks for, once it is heard: one that BlueZ only remembers may be far away, and
    /// every failed attempt would delay the others.
    func considerPolicy(_ session: SensorSession, at moment: Moment) {
        guard !isShuttingDown, session.signal.isNearby, !session.machine.isWanted, !session.machine.isRefusedByUser,
            policy.wants(session.identity, names: session.allNames),
            session.declaration?.isConnectedUnasked != false
                || policy.names(session.identity, names: session.allNames)
        else { return }
        // An address is unique; a name may also be a stranger's.
        if session.memory == nil, !policy.namesAddress(of: session.identity) {
            if let entry = policy.entry(for: session.identity, names: session.allNames),
                let owner = owner(of: entry, other: session)
            {
                return refuse(session, namesakeOf: owner, entry)
            }
            guard makePlace(for: session, at: moment) else {
                return reportPlaces(places.leaveOut(session.address), at: moment)
            }
            reportPlaces(places.add(session.address), at: moment)
        }
        if policy.names(session.identity, names: session.allNames) { recordWish(true, about: session, at: moment) }
        send(.wanted, to: session, at: moment)
    }

    /// The sensor that owns a name: a remembered one, or else the one that was heard first.
    private func owner(of name: String, other: SensorSession) -> SensorSession? {
        let name = name.lowercased()
        return sessions.values.filter { session in
            session !== other && (session.memory != nil || session.machine.isWanted)
                && ([session.identity.name] + session.allNames).contains { $0.lowercased() == name }
        }.min { $0.address < $1.address }
    }

    /// Ignores a sensor with the name of another one, and reports that once.
    private func refuse(_ session: SensorSession, namesakeOf owner: SensorSession, _ name: String) {
        guard !session.isRefusalReported else { return }
        session.isRefusalReported = true
        notices.send(
            """
            Several sensors are called \(sanitized(name)): it stands for \(owner.address), so \(session.address) is \
            not connected. If that is the patient's, name it by its address, or connect it by hand.
            """)
    }

    /// Frees a place for a sensor of a kind; returns whether there is one.
    ///
    /// A sensor that has not been heard for long, or could not be connected, gives way to one that is heard now.
    private func makePlace(for session: SensorSession, at moment: Moment) -> Bool {
        let kind = session.identity.kind
        let ofKind = places.addresses.compactMap { sessions[$0] }
            .filter { $0.machine.isWanted && $0.identity.kind == kind }
        guard ofKind.count >= PolicyPlaces.limit else { return true }
        guard let given = ofKind.filter(\.canGiveWay).min(by: { $0.givesWay(before: $1) }) else { return false }
        reportPlaces(places.remove(given.address), at: moment)
        send(.released, to: given, at: moment)
        if given.adapter == nil { dropIfForgettable(given) }
        return true
    }

    /// Reports that sensors are left out now, or no longer.
    func reportPlaces(_ areSensorsLeftOut: Bool?, at moment: Moment) {
        if let areSensorsLeftOut { report(.sensorsLeftOut(areSensorsLeftOut), at: moment) }
    }
}

extension SensorSession {
    /// Whether another sensor of its kind may get its place.
    fileprivate var canGiveWay: Bool {
        guard memory == nil, !machine.isLinked else { return false }
        return switch machine.phase {
        case .idle: !signal.isNearby
        case .backingOff: !signal.isNearby || machine.lastValue == nil
        // A missing value is no evidence against it in these phases.
        case .asleep, .queued, .connecting, .resolving, .settling, .subscribing, .ready, .foreign, .cleaningUp,
            .disconnecting:
            false
        }
    }

    /// Orders by importance, the least first: sensors that never sent a value, then by the age of the last value.
    fileprivate func givesWay(before other: SensorSession) -> Bool {
        switch (machine.lastValue, other.machine.lastValue) {
        case (nil, nil): address < other.address
        case (nil, _): true
        case (_, nil): false
        case (let mine?, let others?): mine < others
        }
    }
}

/// The sensors that are connected because the policy wants them, and those for which there is no place.
///
/// A radio supports a few dozen links at most, and the user's own choices need places: so the policy wants a limited
/// number of sensors of each kind, and hundreds of straps do not displace the only oximeter.
struct PolicyPlaces: Hashable, Sendable {
    /// The number of sensors of one kind that are connected by the policy.
    static let limit = 24

    private var taken: Set<BluetoothAddress> = []
    private var leftOut: Set<BluetoothAddress> = []

    /// Whether sensors in range have no place.
    var areSensorsLeftOut: Bool { !leftOut.isEmpty }

    /// The sensors that are connected because the policy wants them.
    var addresses: Set<BluetoothAddress> { taken }

    /// Adds a sensor.
    ///
    /// - Returns: Whether sensors are left out now, if that has changed; the same for the other changes.
    mutating func add(_ address: BluetoothAddress) -> Bool? {
        taken.insert(address)
        return lose(address)
    }

    /// Records that there is no place for a sensor.
    mutating func leaveOut(_ address: BluetoothAddress) -> Bool? {
        defer { leftOut.insert(address) }
        return areSensorsLeftOut ? nil : true
    }

    /// Records that a sensor is out of range, or no longer needs a place.
    mutating func lose(_ address: BluetoothAddress) -> Bool? {
        leftOut.remove(address) != nil && !areSensorsLeftOut ? false : nil
    }

    /// Records that the policy no longer concerns a sensor.
    mutating func remove(_ address: BluetoothAddress) -> Bool? {
        taken.remove(address)
        return lose(address)
    }
}
