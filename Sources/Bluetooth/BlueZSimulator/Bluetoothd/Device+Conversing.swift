import DBus
import VitalDecoders

// The answers of a sensor.
extension Device {
    /// Lets the sensor react to an event.
    ///
    /// - Returns: The ATT error with which it refuses a write.
    @discardableResult
    func converse(_ event: SimulatedConversation.Event) -> UInt8? {
        peripheral.conversation.lastActivity = world.clock.now
        if case .written(let octets, let uuid) = event,
            let control = peripheral.conversation.records?.description.control,
            uuid == control
        {
            return answerRequest(octets, from: control)
        }
        let rule = peripheral.rule(for: event, at: world.clock.now)
        if let error = rule?.error { return error }
        let request = if case .written(let octets, _) = event { octets } else { [UInt8]() }
        answer((rule?.answers ?? [])[...], to: request) { device in
            switch event {
            case .subscribed(let uuid): device.handOver(to: uuid)
            case .measured:
                guard let records = device.peripheral.conversation.records else { return }
                device.handOver(to: records.description.characteristic)
            case .written: break
            }
        }
        return nil
    }

    private func answer(
        _ steps: ArraySlice<ConversationAnswer>, to request: [UInt8], _ done: @escaping (Device) -> Void
    ) {
        guard let step = steps.first else { return done(self) }
        whileUnchanged(after: step.delay) { device in
            guard device.peripheral.isTalking else { return }
            switch step.act {
            case .hangUp: return device.losesLink(to: .connectionAborted)
            case .send(let template, let uuid, let pieces):
                let octets = device.peripheral.octets(template, request: request, at: device.world.clock.now)
                device.send(octets, from: uuid, pieces: pieces)
            }
            device.answer(steps.dropFirst(), to: request, done)
        }
    }

    private func send(_ octets: [UInt8], from uuid: BluetoothUUID, pieces: Int? = nil) {
        guard let characteristic = characteristics.first(where: { $0.definition.uuid == uuid }) else { return }
        peripheral.conversation.lastActivity = world.clock.now
        send(octets, to: characteristic, pieces: pieces)
    }

    // MARK: Stored records

    /// Answers a request to the Record Access Control Point.
    ///
    /// - Returns: The ATT error with which it refuses the request.
    private func answerRequest(_ octets: [UInt8], from uuid: BluetoothUUID) -> UInt8? {
        guard isArmed(uuid) else {
            // Client Characteristic Configuration descriptor improperly configured.
            return 0xFD
        }
        peripheral.conversation.records?.advance(to: world.clock.now)
        switch peripheral.conversation.records?.answer(octets) {
        case nil: break
        case .indicate(let answer):
            if octets.first == 3 { peripheral.conversation.records?.isReporting = false }
            whileUnchanged(after: world.air.packets(0.02)) { $0.send(answer, from: uuid) }
        case .report(let selected):
            peripheral.conversation.records?.isReporting = true
            report(selected[...]) { $0.send([6, 0, octets[0], 1], from: uuid) }
        }
        return nil
    }

    /// Whether a client is subscribed to a characteristic.
    private func isArmed(_ uuid: BluetoothUUID) -> Bool {
        characteristics.contains { $0.definition.uuid == uuid && $0.isArmed }
    }

    /// Sends stored values that were not sent yet, if the sensor does not wait for a request.
    private func handOver(to uuid: BluetoothUUID) {
        guard let description = peripheral.conversation.records?.description, description.control == nil,
            description.characteristic == uuid, isArmed(uuid)
        else { return }
        peripheral.conversation.records?.isReporting = true
        let records = peripheral.conversation.records?.handOver() ?? []
        report(records[...]) { _ in }
    }

    /// Sends records one after another, until a client aborts that.
    private func report(_ records: ArraySlice<StoredRecords.Record>, _ done: @escaping (Device) -> Void) {
        whileUnchanged(after: world.air.packets(0.02)) { device in
            guard let stored = device.peripheral.conversation.records, stored.isReporting, device.peripheral.isTalking
            else { return }
            guard let record = records.first else {
                device.peripheral.conversation.records?.isReporting = false
                return done(device)
            }
            let description = stored.description
            let now = device.world.clock.now
            device.send(
                device.peripheral.octets(description.octets, of: record, at: now), from: description.characteristic)
            if let context = description.context {
                device.send(device.peripheral.octets(description.contextOctets, of: record, at: now), from: context)
            }
            device.report(records.dropFirst(), done)
        }
    }
}
