import BlueZ
import Vitals

// Tells what one sensor offers and what its characteristics have, while somebody looks at it.
extension SensorSupervisor {
    /// Reports a sensor's services and every value of its characteristics until another one, or none, is inspected;
    /// starts with the known values.
    ///
    /// Nothing is read for it that is not read anyway.
    public func inspect(_ address: String?) {
        inspection = address.flatMap { BluetoothAddress($0) }.map { Inspection(of: $0) }
        if let inspection, let session = sessions[inspection.address] { reportServices(of: session) }
    }

    /// Tells the services of a sensor that is looked at, and what is kept of their values.
    func reportServices(of session: SensorSession) {
        let address = session.address
        guard inspection?.address == address else { return }
        Task(executorPreference: loop) { await self.askForServices(of: address) }
    }

    private func askForServices(of address: BluetoothAddress) async {
        guard let adapter = sessions[address]?.adapter else { return }
        let services = await central.services(of: address, on: adapter)
        guard let session = sessions[address], inspection?.address == address,
            let described = inspection?.number(services, kind: session.identity.kind)
        else { return }
        // After the link is gone BlueZ may have none; the earlier ones are better than none.
        guard !described.isEmpty else { return }
        report(.services(session.identity, described), at: .now())
        for value in session.held.all { reportOctets(value, of: session) }
    }

    /// Keeps a value, and reports it if the sensor is inspected.
    func keep(
        _ octets: [UInt8], of characteristic: ReadCharacteristic, _ reference: CharacteristicReference,
        from session: SensorSession, at moment: Moment
    ) {
        session.held.keep(octets, of: characteristic, reference, at: moment)
        guard inspection?.address == session.address else { return }
        reportOctets(LastValues.Value(reference: reference, octets: octets, moment: moment), of: session)
    }

    /// Keeps a value of any characteristic, and reports it if the sensor is inspected.
    func keep(
        _ octets: [UInt8], _ reference: CharacteristicReference, from session: SensorSession, at moment: Moment
    ) {
        if let known = ReadCharacteristic(uuid: reference.uuid) {
            return keep(octets, of: known, reference, from: session, at: moment)
        }
        session.held.keep(octets, reference, at: moment)
        guard inspection?.address == session.address else { return }
        reportOctets(LastValues.Value(reference: reference, octets: octets, moment: moment), of: session)
    }

    private func reportOctets(_ value: LastValues.Value, of session: SensorSession) {
        guard let octets = inspection?.described(value) else { return }
        report(.octets(session.identity, octets), at: .now())
    }
}
