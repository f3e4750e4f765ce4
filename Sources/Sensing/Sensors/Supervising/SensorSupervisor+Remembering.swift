import BlueZ
import Vitals

// The user's choices about sensors, which readers of the events may store.
extension SensorSupervisor {
    /// Restores the sensors of an earlier run: connects the wanted ones, and leaves the refused ones alone.
    ///
    /// Call it before ``start()``, or a policy may connect what the user had disconnected.
    public func remember(_ sensors: [RememberedSensor]) {
        let now = Moment.now()
        for sensor in sensors {
            guard !isShuttingDown, let address = BluetoothAddress(sensor.address), memory[address] == nil else {
                continue
            }
            record(sensor, at: now)
            let session = session(for: address)
            switch sensor.isWanted {
            case true?: send(.wanted, to: session, at: now)
            case false?:
                // A sensor that is listed on the command line is wanted again.
                session.recallRefusal(!policy.names(sensor.identity, names: session.allNames))
            case nil: break
            }
        }
    }

    /// Sets the user's name for a sensor; blank text removes it.
    public func rename(_ address: String, to label: String) {
        guard !isShuttingDown, let address = BluetoothAddress(address) else { return }
        let session = session(for: address)
        var sensor = remembered(session)
        sensor.setLabel(label)
        record(sensor, at: .now())
    }

    /// Assigns exactly these vitals to a sensor, from now on and at later starts.
    ///
    /// Earlier assignments of them to other sensors end.
    public func assign(_ vitals: Set<Vital>, to address: String) {
        guard !isShuttingDown, let address = BluetoothAddress(address) else { return }
        let now = Moment.now()
        var sensor = remembered(session(for: address))
        sensor.assignedVitals = vitals
        for var other in memory.sensors where other.address != sensor.address {
            other.assignedVitals.subtract(vitals)
            record(other, at: now)
        }
        record(sensor, at: now)
    }

    /// Records whether the user wants a sensor.
    func recordWish(_ isWanted: Bool, about session: SensorSession, at moment: Moment) {
        var sensor = remembered(session)
        sensor.isWanted = isWanted
        record(sensor, at: moment)
    }

    /// Updates name and kind of a remembered sensor.
    func keepMemoryTrue(of session: SensorSession, at moment: Moment) {
        if session.memory != nil { record(remembered(session), at: moment) }
    }

    /// Forgets the user's choices about a sensor.
    func dropMemory(of address: BluetoothAddress, at moment: Moment) {
        guard let sensor = memory.forget(address) else { return }
        sessions[address]?.memory = nil
        report(.forgotten(sessions[address]?.identity ?? sensor.identity), at: moment)
    }

    /// Moves the user's choices about a sensor to its new address.
    func moveMemory(of session: SensorSession, to address: BluetoothAddress, at moment: Moment) {
        var moved = remembered(session)
        moved.address = address.description
        let isWanted = session.machine.isWanted
        if isWanted { moved.isWanted = true }
        if isWanted { send(.unwanted, to: session, at: moment) }
        defer { session.recallRefusal(false) }
        dropMemory(of: session.address, at: moment)
        let successor = self.session(for: address)
        record(moved, at: moment)
        successor.recallRefusal(session.machine.isRefusedByUser && !isWanted)
        if isWanted { send(.wanted, to: successor, at: moment) }
    }

    /// The present memory of a sensor.
    private func remembered(_ session: SensorSession) -> RememberedSensor {
        let (own, memory) = (session.ownIdentity, session.memory)
        return RememberedSensor(
            address: own.address, name: own.name, kind: own.kind, label: memory?.label,
            isWanted: memory?.isWanted, assignedVitals: memory?.assignedVitals ?? [])
    }

    /// Remembers the present state of a sensor; reports when the memory is full.
    private func record(_ sensor: RememberedSensor, at moment: Moment) {
        guard let address = BluetoothAddress(sensor.address), memory[address] != sensor else { return }
        switch memory.remember(sensor) {
        case .kept: break
        case .keptInPlaceOf(let givenUp):
            if let session = BluetoothAddress(givenUp.address).flatMap({ sessions[$0] }) { session.memory = nil }
            report(.forgotten(givenUp.identity), at: moment)
        case .refused:
            return notices.send(
                """
                \(sensor.identity.name) is not remembered: \(SensorMemory.limit) sensors are remembered already, and all \
                of them are wanted. Forget one on the screen (x) to make room.
                """)
        }
        sessions[address]?.memory = sensor
        report(.remembered(sensor), at: moment)
    }
}

/// The user's choices about sensors, by address: wanted or not, and their names.
///
/// A value: it is filled before the supervisor starts, and readers of the supervisor's events store it.
struct SensorMemory: Hashable, Sendable {
    /// The greatest number of sensors that are remembered.
    static let limit = 256

    /// The sensors, in the order of the user's first choice about them.
    private(set) var sensors: [RememberedSensor] = []

    /// The remembered sensor of an address.
    subscript(address: BluetoothAddress) -> RememberedSensor? {
        place(of: address.description).map { sensors[$0] }
    }

    /// The result of remembering a sensor.
    enum Outcome: Hashable, Sendable {
        /// It is remembered.
        case kept
        /// Remembered; replaces another sensor, which the user does not want.
        case keptInPlaceOf(RememberedSensor)
        /// Not remembered: the number has reached ``limit``, and all remembered sensors are wanted.
        case refused
    }

    /// Remembers the user's choices about a sensor.
    ///
    /// A wanted sensor is never replaced; of the others, those without other choices are replaced first, then the
    /// oldest.
    mutating func remember(_ sensor: RememberedSensor) -> Outcome {
        if let place = place(of: sensor.address) {
            sensors[place] = sensor
            return .kept
        }
        guard sensors.count >= Self.limit else {
            sensors.append(sensor)
            return .kept
        }
        let unwanted = sensors.indices.filter { sensors[$0].isWanted != true }
        guard
            let place = unwanted.first(where: { sensors[$0].label == nil && sensors[$0].assignedVitals.isEmpty })
                ?? unwanted.first
        else { return .refused }
        let givenUp = sensors.remove(at: place)
        sensors.append(sensor)
        return .keptInPlaceOf(givenUp)
    }

    /// Forgets a sensor; returns what was remembered.
    mutating func forget(_ address: BluetoothAddress) -> RememberedSensor? {
        place(of: address.description).map { sensors.remove(at: $0) }
    }

    private func place(of address: String) -> Int? {
        sensors.firstIndex { $0.address == address }
    }
}
