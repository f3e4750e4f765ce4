import BlueZ
import Vitals

// Reports the services and characteristics of the inspected sensor.
extension SensorSupervisor {
    /// Inspects a sensor, or none: reports its services and every value of its characteristics, starting with the known
    /// ones.
    ///
    /// It causes no additional reads.
    public func inspect(_ address: String?) {
        inspection = address.flatMap { BluetoothAddress($0) }.map { Inspection(of: $0) }
        if let inspection, let session = sessions[inspection.address] { reportServices(of: session) }
    }

    /// Reports the services of the inspected sensor, and their stored values.
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
        // Without a link BlueZ may have none; the earlier ones are better than none.
        guard !described.isEmpty else { return }
        report(.services(session.identity, described), at: .now())
        for value in session.held.all { reportOctets(value, of: session) }
    }

    /// Stores a value, and reports it if the sensor is inspected.
    func keep(
        _ octets: [UInt8], of characteristic: ReadCharacteristic, _ reference: CharacteristicReference,
        from session: SensorSession, at moment: Moment
    ) {
        session.held.keep(octets, of: characteristic, reference, at: moment)
        guard inspection?.address == session.address else { return }
        reportOctets(LastValues.Value(reference: reference, octets: octets, moment: moment), of: session)
    }

    /// Stores a value of any characteristic, and reports it if the sensor is inspected.
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
