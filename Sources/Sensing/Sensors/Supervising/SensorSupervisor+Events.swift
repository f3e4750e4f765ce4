import Base
import BlueZ
import EventLoops
import KnownSensors
import VitalDecoders
import Vitals

// Events of BlueZ.
extension SensorSupervisor {
    func handle(_ event: BlueZEvent) {
        let moment = Moment(event.timestamp)
        defer { lastHeard = moment }
        switch event.kind {
        case .notification(let characteristic, let octets): notified(characteristic, octets, at: moment)
        case .peripheral(let change, let peripheral):
            guard concerns(peripheral) else { break }
            switch change {
            case .advertised: advertised(peripheral, at: moment)
            case .added, .changed: changed(peripheral, at: moment)
            case .removed: removed(peripheral, at: moment)
            case .readdressed(let address): readdressed(peripheral, to: address, at: moment)
            }
        case .connected(let peripheral): if concerns(peripheral) { connected(peripheral, at: moment) }
        case .disconnected(let peripheral): if concerns(peripheral) { disconnected(peripheral, at: moment) }
        case .servicesResolved(let peripheral): if concerns(peripheral) { servicesResolved(peripheral, at: moment) }
        case .servicesChanged(let peripheral): if concerns(peripheral) { servicesChanged(peripheral, at: moment) }
        case .adapter(let change, let adapter): adapterChanged(change, adapter, at: moment)
        case .bus(.lost(let reason)): busChanged(.lost(reason: sanitized(reason, limit: 200)), at: moment)
        case .bus(let state): busChanged(state, at: moment)
        case .daemon(.unusable(let reason)): daemonChanged(.unusable(reason: sanitized(reason, limit: 200)), at: moment)
        case .daemon(.refused(let reason)): daemonChanged(.refused(reason: sanitized(reason, limit: 200)), at: moment)
        case .daemon(let state): daemonChanged(state, at: moment)
        }
    }

    // MARK: Values

    /// Decodes a notification or indication; this is the most frequent event.
    ///
    /// Every notification is a sample, even with the same octets as the last one; `BlueZ` has removed copies for other
    /// programs.
    private func notified(_ reference: CharacteristicReference, _ octets: [UInt8], at moment: Moment) {
        guard let session = sessions[reference.peripheral], session.machine.isWanted else { return }
        // Stored records come in a burst, which is no sign that they waited.
        if session.machine.isStreaming, !backlog.isOpen, !session.link.isEnded,
            session.conversation?.listens(to: reference.uuid) != true,
            session.bursts.hold(octets, reference, at: moment)
        {
            return awaitMore(of: session)
        }
        handle(octets, reference, from: session, at: moment)
    }

    /// Decodes a notification once it is known whether it waited.
    func handle(
        _ octets: [UInt8], _ reference: CharacteristicReference, from session: SensorSession, at moment: Moment
    ) {
        if session.conversation?.listens(to: reference.uuid) == true {
            return conversed(octets, reference, with: session, at: moment)
        }
        guard let characteristic = ReadCharacteristic(uuid: reference.uuid) else {
            forward(.answered(reference, octets), at: moment)
            return keep(octets, reference, from: session, at: moment)
        }
        // The loop may have been stalled while it delivered earlier input.
        loop.checkForStall()
        guard !session.link.isEnded else {
            let last = session.machine.lastValue ?? moment
            return interpret(octets, of: characteristic, reference, from: session, at: moment, sentAfter: last)
        }
        session.recordValue(at: moment)
        if session.machine.isSilent, !backlog.isOpen { send(.valueCame, to: session, at: moment) }
        interpret(octets, of: characteristic, reference, from: session, at: moment)
    }

    /// Decodes a value.
    ///
    /// - Parameter sentAfter: When the sensor sent its previous value, for a value that arrives after the end of its link.
    func interpret(
        _ octets: [UInt8], of characteristic: ReadCharacteristic, _ reference: CharacteristicReference,
        from session: SensorSession, at moment: Moment, sentAfter: Moment? = nil
    ) {
        keep(octets, of: characteristic, reference, from: session, at: moment)
        var read: [Reading] = []
        session.maker.interpret(octets, of: characteristic, at: moment) { kind in
            if case .battery(_, let percent) = kind { _ = session.link.recordBattery(percent) }
            // The times of the beats in a notification that waited are unknown: they are missing, as in any gap.
            if case .rrIntervals = kind, sentAfter != nil || backlog.isOpen { return }
            guard case .reading(var reading) = kind else { return report(kind, at: moment) }
            if let sentAfter, reading.late == nil {
                reading.late = LateInterval(waitedFrom: sentAfter, to: moment, place: 0, of: 1)
            }
            if forwarder != nil, !backlog.isOpen { read.append(reading) }
            pass(on: reading, at: moment)
        }
        // The sensor's name and kind are not accessible while its octets are decoded.
        for reading in read { considerForwarding(reading, from: session) }
        // A thermometer with the name of a CORE is recognised by its first value.
        session.refreshStreaming()
    }

    /// Reports a reading, or holds it while a backlog is sorted.
    func pass(on reading: Reading, at moment: Moment) {
        if !backlog.keep(reading) { report(.reading(reading), at: moment) }
    }

    // MARK: Peripherals

    /// Whether to handle events of a peripheral from this adapter.
    ///
    /// Several adapters may hear the same sensor: it stays with the first one as long as that one knows it, unless the
    /// user connects it through another or has chosen one adapter.
    private func concerns(_ peripheral: Peripheral) -> Bool {
        guard radio.uses(peripheral.adapter) else { return false }
        guard let session = sessions[peripheral.address], let adapter = session.adapter,
            adapter != peripheral.adapter
        else { return true }
        return peripheral.isConnected && !session.machine.isLinked && !session.machine.isConnecting
    }

    private func changed(_ peripheral: Peripheral, at moment: Moment) {
        let session = session(for: peripheral.address)
        recordPairing(peripheral, session)
        let hasChanged = session.update(from: peripheral)
        showNearby(session, peripheral, isNews: hasChanged, at: moment)
        reportBattery(peripheral, session, at: moment)
        if peripheral.isConnected {
            loseServices(peripheral, session, at: moment)
        } else {
            let isHeard = peripheral.lastHeard.map { Moment($0) } == moment
            if isHeard { recordHeard(at: moment) }
            send(isHeard ? .heard : .appeared, to: session, at: moment)
        }
        if !peripheral.isConnected || session.machine.phase == .foreign { considerPolicy(session, at: moment) }
    }

    private func advertised(_ peripheral: Peripheral, at moment: Moment) {
        recordHeard(at: moment)
        let session = session(for: peripheral.address)
        recordPairing(peripheral, session)
        let hasChanged = session.update(from: peripheral)
        showNearby(session, peripheral, isNews: hasChanged, at: moment)
        guard !peripheral.isConnected else { return }
        if session.machine.isWanted {
            send(.heard, to: session, at: moment)
        } else {
            considerPolicy(session, at: moment)
        }
    }

    private func removed(_ peripheral: Peripheral, at moment: Moment) {
        guard let session = sessions[peripheral.address], session.adapter == peripheral.adapter else { return }
        forgetNearby(session, at: moment)
        send(.vanished, to: session, at: moment)
        session.adapter = nil
        dropIfForgettable(session)
    }

    /// Moves the user's wishes to the new address of a peripheral.
    private func readdressed(_ peripheral: Peripheral, to address: BluetoothAddress, at moment: Moment) {
        guard let session = sessions[peripheral.address], session.adapter == peripheral.adapter else { return }
        if session.machine.isWanted || session.memory != nil { moveMemory(of: session, to: address, at: moment) }
        session.pairing.movedTo = address
        removed(peripheral, at: moment)
    }

    private func connected(_ peripheral: Peripheral, at moment: Moment) {
        let session = session(for: peripheral.address)
        session.pairing.bondWatch.linkUp(at: moment)
        session.link.begin()
        session.bursts = BurstHold()
        showNearby(session, peripheral, isNews: session.update(from: peripheral), at: moment)
        send(.linkUp, to: session, at: moment)
        considerPolicy(session, at: moment)
        reportBattery(peripheral, session, at: moment)
    }

    private func disconnected(_ peripheral: Peripheral, at moment: Moment) {
        forgetLink(to: peripheral.address)
        guard let session = sessions[peripheral.address] else { return }
        endBurst(of: session)
        recordPairingLink(down: peripheral, session, at: moment)
        session.link.end(isEnded: true)
        endConversation(of: session)
        forward(.lost(session.address), at: moment)
        send(.linkDown, to: session, at: moment)
    }

    private func servicesResolved(_ peripheral: Peripheral, at moment: Moment) {
        let session = session(for: peripheral.address)
        showNearby(session, peripheral, isNews: session.update(from: peripheral), at: moment)
        session.link.resolveServices()
        session.pairing.bondWatch.servicesResolved()
        reportServices(of: session)
        send(.servicesResolved, to: session, at: moment)
        considerPolicy(session, at: moment)
    }

    private func servicesChanged(_ peripheral: Peripheral, at moment: Moment) {
        guard let session = sessions[peripheral.address] else { return }
        reportServices(of: session)
        send(.servicesChanged, to: session, at: moment)
    }

    private func loseServices(_ peripheral: Peripheral, _ session: SensorSession, at moment: Moment) {
        guard !peripheral.areServicesResolved, session.link.loseServices() else { return }
        send(.servicesLost, to: session, at: moment)
    }

    private func reportBattery(_ peripheral: Peripheral, _ session: SensorSession, at moment: Moment) {
        guard peripheral.isConnected, let percent = peripheral.batteryPercent, 0...100 ~= percent,
            session.link.recordBattery(percent)
        else { return }
        report(.battery(session.identity, percent: percent), at: moment)
    }
}

extension MonitorEvent {
    /// The key of events that a newer one replaces for a slow reader: advertisements.
    var supersessionKey: UInt64? {
        switch kind {
        case .nearby(let identity, _, _): BluetoothAddress(identity.address)?.rawValue
        // An address has 48 bits.
        case .beacon(let identity, _): BluetoothAddress(identity.address).map { $0.rawValue | 1 << 63 }
        default: nil
        }
    }
}
