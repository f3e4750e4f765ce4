import Base
import BlueZ
import KnownSensors
import Vitals

// Reports every step of the traffic with sensors, while somebody traces it.
extension SensorSupervisor {
    /// Traces sensors for a while; whoever reads the trace asks again before it ends.
    ///
    /// It begins with what is known, so that a link that is there already can be read.
    func trace(_ scope: TraceScope, seconds: Int) async {
        let wasOn = trace.isOn
        guard !isShuttingDown, seconds > 0, scope.isValid else { return }
        let now = Moment.now()
        let isNew = trace.scopes[scope] == nil
        trace.add(scope, until: now.advanced(by: min(.seconds(seconds), SensorTrace.longest)))
        planEndOfTrace()
        guard isNew else { return }
        trace.forgetHeard()
        // A second reader needs the beginning, too, which the first one then gets again.
        if wasOn { trace.deliveries = [] }
        trace.deliveries = [
            await central.operations().deliver(to: self, on: loop) { $0.trace($1) },
            await central.events().deliver(to: self, on: loop) { $0.trace($1) },
        ]
        if !trace.isOn { trace.deliveries = [] }
    }

    private func planEndOfTrace() {
        if let timer = trace.timer { loop.cancel(timer) }
        trace.timer = nil
        guard let end = trace.scopes.values.min() else { return }
        trace.timer = loop.schedule(at: end.monotonicNanoseconds) { [weak self] in
            self?.assumeIsolated { supervisor in
                supervisor.trace.expire(at: .now())
                supervisor.planEndOfTrace()
            }
        }
    }

    /// Ends every trace.
    func endTrace() {
        if let timer = trace.timer { loop.cancel(timer) }
        trace = SensorTrace()
    }

    private func trace(_ operation: PeripheralOperation) {
        guard trace.covers(operation.peripheral) else { return }
        let asked = TraceEntry.Operation(operation.kind)
        let kind: TraceEntry.Kind
        switch operation.stage {
        case .began: kind = .asked(asked)
        case .succeeded(let octets):
            if case .read(let reference) = operation.kind {
                kind = .done(asked, TraceSecrets.octets(octets, of: reference.uuid))
            } else {
                kind = .done(asked, .shown([]))
            }
        case .failed(let error): kind = .failed(asked, error: sanitized(error.description, limit: 200))
        }
        report(kind, of: operation.peripheral, at: Moment(operation.timestamp))
    }

    private func trace(_ event: BlueZEvent) {
        let moment = Moment(event.timestamp)
        switch event.kind {
        case .notification(let reference, let octets):
            guard trace.covers(reference.peripheral) else { break }
            let octets = TraceSecrets.octets(octets, of: reference.uuid)
            report(.notified(TraceEntry.Attribute(reference), octets), of: reference.peripheral, at: moment)
        case .peripheral(.removed, _), .peripheral(.readdressed, _): break
        case .peripheral(_, let peripheral): traceAdvertisement(of: peripheral, at: moment)
        case .connected(let peripheral):
            guard trace.covers(peripheral.address) else { break }
            traceAdvertisement(of: peripheral, at: moment)
            report(
                .connected(hasPublicAddress: peripheral.addressType == .public), of: peripheral.address, at: moment)
        case .disconnected(let peripheral):
            guard trace.covers(peripheral.address) else { break }
            report(.disconnected, of: peripheral.address, at: moment)
        case .servicesResolved(let peripheral), .servicesChanged(let peripheral):
            guard trace.covers(peripheral.address) else { break }
            Task(executorPreference: loop) { await self.traceServices(of: peripheral, at: moment) }
        case .adapter, .bus, .daemon: break
        }
    }

    /// Strangers that are only heard are in no trace, unless they were named: they may be a neighbour's.
    private func traceAdvertisement(of peripheral: Peripheral, at moment: Moment) {
        let address = peripheral.address
        guard trace.covers(address) else { return }
        let isSensor = sessions[address].map { SupportedSensors.isRead($0.identity.kind) || $0.memory != nil } ?? false
        guard isSensor || peripheral.isConnected || trace.names(address) else { return }
        let data = AdvertisedData(peripheral)
        guard trace.takes(data, of: address, at: moment) else { return }
        report(
            .advertised(
                data, signalStrength: peripheral.rssi, hasPublicAddress: peripheral.addressType == .public),
            of: address, at: moment)
    }

    private func traceServices(of peripheral: Peripheral, at moment: Moment) async {
        let services = await central.services(of: peripheral.address, on: peripheral.adapter)
        guard trace.covers(peripheral.address) else { return }
        var room = SensorService.limit
        var found: [TraceEntry.Service] = []
        for service in services where room > 0 {
            var service = TraceEntry.Service(service)
            service.characteristics = Array(service.characteristics.prefix(room))
            room -= max(1, service.characteristics.count)
            found.append(service)
        }
        report(.discovered(found), of: peripheral.address, at: moment)
    }

    private func report(_ kind: TraceEntry.Kind, of address: BluetoothAddress, at moment: Moment) {
        // Its own name, by which a replay recognises it, and not the user's, which may be a person's.
        let name = sessions[address]?.ownIdentity.name ?? ""
        report(.traced(TraceEntry(address: address.description, name: name, kind: kind)), at: moment)
    }
}

extension TraceScope {
    /// Whether a named sensor has an address.
    fileprivate var isValid: Bool {
        if case .sensor(let address) = self { BluetoothAddress(address)?.description == address } else { true }
    }
}
