import DBus
import VitalDecoders

extension Device {
    /// Queues an operation of the sensor, which takes time.
    func operate(for seconds: Double, _ answer: Answer, _ body: @escaping (Device) -> Void) {
        guard case .up(let link) = link else { return answer.fail(.notConnected) }
        let now = world.clock.now
        let end = max(now, link.isBusyUntil) + world.air.packets(seconds)
        link.operations.append(answer)
        whileUnchanged(after: end - now) { device in
            link.operations.removeAll { $0 === answer }
            body(device)
        }
    }

    private func reportValue(_ characteristic: RemoteCharacteristic, _ octets: [UInt8]) {
        world.tree.change(characteristic.path, RemoteCharacteristic.interface, [("Value", .bytes(octets))])
    }

    // MARK: Reading and writing

    /// Carries out `ReadValue`; also signals the value to every listener, changed or not.
    func read(_ characteristic: RemoteCharacteristic, _ call: IncomingCall, _ answer: Answer) {
        if holdUntilPaired(characteristic, answer, { $0.read(characteristic, call, answer) }) { return }
        let offset = call.arguments.first?.namedValues?["offset"]?.integer ?? 0
        operate(for: 0.045, answer) { device in
            guard characteristic.definition.flags.contains(.read) else {
                return answer.fail(.notPermitted("Read not permitted"))
            }
            let octets = device.peripheral.octets(of: characteristic.definition, at: device.world.clock.now)
            guard (0...octets.count).contains(offset) else { return answer.fail(.invalidOffset) }
            device.reportValue(characteristic, octets)
            answer.succeed([.bytes(Array(octets.dropFirst(offset)))])
        }
    }

    /// Carries out `ReadValue` of a Client Characteristic Configuration descriptor (2902).
    func readConfiguration(_ characteristic: RemoteCharacteristic, _ call: IncomingCall, _ answer: Answer) {
        operate(for: 0.045, answer) { _ in
            let bits: UInt8 = characteristic.definition.flags.contains(.notify) ? 1 : 2
            answer.succeed([.bytes([characteristic.isArmed ? bits : 0, 0])])
        }
    }

    func write(_ characteristic: RemoteCharacteristic, _ call: IncomingCall, _ answer: Answer) {
        if characteristic.writes != .free { return answer.fail(.notPermitted("Write acquired")) }
        let flags = characteristic.definition.flags
        guard flags.contains(.write) || flags.contains(.writeWithoutResponse) else {
            return answer.fail(.notSupported)
        }
        if holdUntilPaired(characteristic, answer, { $0.write(characteristic, call, answer) }) { return }
        let octets = call.arguments.first?.bytes ?? []
        operate(for: 0.045, answer) { device in
            if let failure = device.carryOut(octets, writtenTo: characteristic) { return answer.fail(failure) }
            answer.succeed()
        }
    }

    /// Lets the sensor react to written octets; returns the error with which it refuses them.
    func carryOut(_ octets: [UInt8], writtenTo characteristic: RemoteCharacteristic) -> DBusConnectionError? {
        switch characteristic.definition.content {
        case .heartRateControlPoint:
            // 1 resets the energy; 0x80 means "control point not supported".
            guard octets == [1] else { return .attribute(0x80) }
            peripheral.vitals.heartRate.energy = 0
        case .measurementInterval:
            // Out of its valid range (Health Thermometer Service 1.0, section 3.4.3).
            guard let value = try? MeasurementInterval(octets), (1...3600).contains(value.seconds) else {
                return .attribute(0x80)
            }
            peripheral.interval = Double(value.seconds)
            intervalChanged()
        case .coreControlPoint:
            if let answer = peripheral.answerOfCore(to: octets) { send(answer, to: characteristic) }
        case .polarControl: commandStream(octets, at: characteristic)
        default: keep(octets, writtenTo: characteristic)
        }
        return converse(.written(octets, to: characteristic.definition.uuid)).map { .attribute($0) }
    }

    /// Stores written octets, and sends them from the characteristics that echo them.
    private func keep(_ octets: [UInt8], writtenTo characteristic: RemoteCharacteristic) {
        let uuid = characteristic.definition.uuid
        peripheral.written[uuid] = octets
        if uuid.assignedNumber == 0x2A2B || uuid.assignedNumber == 0x2A08 { peripheral.conversation.setClock(octets) }
        for echo in characteristics where echo.definition.content == .echo(of: uuid) { send(octets, to: echo) }
    }

    // MARK: Notifying

    func startNotify(_ characteristic: RemoteCharacteristic, _ call: IncomingCall, _ answer: Answer) {
        if characteristic.notifications != .free { return answer.fail(.notPermitted("Notify acquired")) }
        guard characteristic.definition.isNotifying else { return answer.fail(.notSupported) }
        if holdUntilPaired(characteristic, answer, { $0.startNotify(characteristic, call, answer) }) { return }
        if characteristic.clients.contains(call.sender) {
            return isConnected ? answer.succeed() : answer.fail(.notifyInProgress)
        }
        characteristic.clients.append(call.sender)
        // Without a link BlueZ keeps the session for the next one.
        guard isConnected, !characteristic.isArmed else { return answer.succeed() }
        operate(for: 0.05, answer) { device in
            if !characteristic.clients.isEmpty { device.arm(characteristic) }
            answer.succeed()
        }
    }

    func stopNotify(_ characteristic: RemoteCharacteristic, _ call: IncomingCall, _ answer: Answer) {
        if case .acquired = characteristic.notifications {
            release(characteristic, \.notifications)
            return answer.succeed()
        }
        guard characteristic.clients.contains(call.sender) else {
            return answer.fail(.failed("No notify session started"))
        }
        endSession(of: call.sender, characteristic)
        answer.succeed()
    }

    func clientLeft(_ client: String) {
        for service in services {
            for characteristic in service.characteristics where characteristic.clients.contains(client) {
                endSession(of: client, characteristic)
            }
        }
    }

    private func endSession(of client: String, _ characteristic: RemoteCharacteristic) {
        characteristic.clients.removeAll { $0 == client }
        if characteristic.clients.isEmpty { disarm(characteristic) }
    }

    /// Makes the sensor send no more values of a characteristic.
    func disarm(_ characteristic: RemoteCharacteristic) {
        if characteristic.isArmed { world.air.log.add("\(peripheral.name) \(characteristic.shortUUID) off") }
        characteristic.isArmed = false
        reportNotifying(characteristic, false)
        measureIfWanted()
    }

    /// Makes the sensor send values of a characteristic.
    func arm(_ characteristic: RemoteCharacteristic) {
        if characteristic.isArmed { return }
        characteristic.isArmed = true
        world.air.log.add("\(peripheral.name) \(characteristic.shortUUID) on")
        // An acquisition does not count as notifying.
        if characteristic.notifications == .free { reportNotifying(characteristic, true) }
        measureIfWanted()
        streamIfWanted()
        waveIfWanted()
        if case .pulseOximeterSpotCheck = characteristic.definition.content {
            whileUnchanged(after: 0.02) { $0.sendSpotCheck() }
        }
        converse(.subscribed(characteristic.definition.uuid))
    }

    private func reportNotifying(_ characteristic: RemoteCharacteristic, _ isNotifying: Bool) {
        if characteristic.isNotifying == isNotifying { return }
        characteristic.isNotifying = isNotifying
        world.tree.change(
            characteristic.path, RemoteCharacteristic.interface, [("Notifying", .boolean(isNotifying))])
    }

    /// Makes the notify sessions take effect again after a reconnection.
    func rearm() {
        for service in services {
            for characteristic in service.characteristics where !characteristic.clients.isEmpty { arm(characteristic) }
        }
    }

    /// Sends octets in pieces of limited length.
    func send(_ octets: [UInt8], to characteristic: RemoteCharacteristic, pieces: Int?) {
        let length = pieces ?? max(1, octets.count)
        for start in stride(from: 0, to: octets.count, by: length) {
            send(Array(octets[start..<min(octets.count, start + length)]), to: characteristic)
        }
    }

    /// Sends octets to who has acquired them, or else to all notify sessions: every listener gets one signal per session.
    func send(_ octets: [UInt8], to characteristic: RemoteCharacteristic) {
        guard isConnected, characteristic.isArmed, peripheral.isInRange else { return }
        peripheral.sent[characteristic.shortUUID, default: 0] += 1
        if case .acquired(let socket) = characteristic.notifications { return socket.send(octets) }
        for _ in characteristic.clients { reportValue(characteristic, octets) }
    }

    // MARK: Measuring

    var characteristics: [RemoteCharacteristic] { services.flatMap(\.characteristics) }

    /// The characteristic of the sensor's measurements.
    var mainCharacteristic: RemoteCharacteristic? {
        characteristics.first { $0.definition.isMeasurement }
    }

    /// Starts or stops the measurements, depending on listeners.
    func measureIfWanted() {
        guard case .up(let link) = link else { return }
        let isWanted = characteristics.contains { $0.isArmed && $0.definition.isMeasurement }
        if isWanted == link.isMeasuring { return }
        link.isMeasuring = isWanted
        if isWanted {
            scheduleMeasurement(after: world.clock.now)
        } else {
            world.clock.cancel(link.measurement)
        }
    }

    /// Applies a changed interval.
    func intervalChanged() {
        guard case .up(let link) = link, link.isMeasuring else { return }
        world.clock.cancel(link.measurement)
        scheduleMeasurement(after: world.clock.now)
    }

    /// Schedules the next measurement at the sensor's own rhythm, which does not depend on the start of a notify
    /// session.
    private func scheduleMeasurement(after seconds: Double) {
        guard case .up(let link) = link else { return }
        let interval = peripheral.interval
        let phase = peripheral.phase * interval
        let due = ((seconds - phase) / interval).rounded(.down) * interval + interval + phase
        let epoch = epoch
        link.measurement = world.clock.at(due) { [weak self] in
            guard let self, self.epoch == epoch else { return }
            self.measure()
            // Missed measurements are skipped.
            self.scheduleMeasurement(after: max(due + interval / 2, self.world.clock.now - interval / 2))
        }
    }

    private func measure() {
        guard peripheral.isTalking else { return }
        peripheral.nextSample(at: world.clock.now)
        for characteristic in characteristics
        where characteristic.isArmed && characteristic.definition.isMeasurement {
            // A characteristic of waves alone has no octets here.
            send(
                peripheral.octets(characteristic.definition.content, at: world.clock.now), to: characteristic,
                pieces: characteristic.definition.pieces)
        }
    }

    func sendSpotCheck() {
        guard peripheral.isTalking else { return }
        for characteristic in characteristics {
            if case .pulseOximeterSpotCheck = characteristic.definition.content {
                send(peripheral.octets(.pulseOximeterSpotCheck, at: world.clock.now), to: characteristic)
            }
        }
    }
}
