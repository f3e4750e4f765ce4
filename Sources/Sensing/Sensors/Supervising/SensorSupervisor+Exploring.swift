import BlueZ
import Vitals

// Carries out the user's attempts on the inspected sensor.
extension SensorSupervisor {
    /// Tries an operation on a characteristic of the inspected sensor, and reports the result.
    ///
    /// Values are reported to the sensor's page like all others; they make no additional readings.
    ///
    /// - Parameters:
    ///   - address: The sensor; any other than the inspected one is refused.
    ///   - number: Which of its characteristics (`SensorCharacteristic.number`).
    ///   - exploration: The request.
    public func explore(_ address: String, characteristic number: Int, _ exploration: Exploration) async {
        guard let address = BluetoothAddress(address), inspection?.address == address,
            let session = sessions[address], let reference = inspection?.reference(number)
        else { return notices.send("The page of the device is closed: nothing was done.") }
        let name = "\(session.identity.name), \(reference.uuid)"
        // Checked again here: whatever a screen offers, a control point of a medical device is never written to.
        let services = await central.services(of: address, on: session.adapter)
        guard sessions[address] === session, let found = Self.characteristic(reference, in: services),
            ExplorationRule(kind: session.identity.kind, services: services.map(\.uuid))
                .offered(found.characteristic, of: found.service).contains(exploration.kind)
        else { return notices.send("\(name): this is not offered, or the link is gone. Nothing was done.") }
        do throws(BlueZError) {
            switch exploration {
            case .read:
                let octets = try await central.read(reference, timeout: Self.limit)
                keep(octets, reference, from: session, at: .now())
            case .subscribe:
                if isNeeded(reference, by: session) {
                    return notices.send("\(name): Bedside reads it itself, and shows each value here.")
                }
                try await central.startNotify(reference, timeout: Self.limit)
                session.link.addExplored(reference)
                notices.send("\(name): subscribed until the link ends.")
            case .unsubscribe:
                // The notify session is one for both.
                let isUsers = session.link.removeExplored(reference)
                if isNeeded(reference, by: session) {
                    return notices.send("\(name): Bedside itself needs its values; it stays subscribed.")
                }
                guard isUsers else { return notices.send("\(name): it is not subscribed to by you.") }
                try await central.stopNotify(reference, timeout: Self.limit)
                notices.send("\(name): no longer subscribed.")
            case .write(let octets, let withResponse):
                try await central.write(
                    octets, to: reference, withResponse ? .withResponse : .withoutResponse, timeout: Self.limit)
                notices.send("\(name): written\(withResponse ? ", and confirmed" : "").")
            }
        } catch {
            notices.send("\(name): \(error)")
        }
    }

    /// Whether a subscription serves Bedside itself.
    private func isNeeded(_ reference: CharacteristicReference, by session: SensorSession) -> Bool {
        session.link.subscribed.contains(reference) || forwarder?.listens(to: reference) == true
    }

    private static func characteristic(
        _ reference: CharacteristicReference, in services: [Service]
    ) -> (service: BluetoothUUID, characteristic: Characteristic)? {
        for service in services {
            if let found = service.characteristics.first(where: { $0.reference == reference }) {
                return (service.uuid, found)
            }
        }
        return nil
    }
}
