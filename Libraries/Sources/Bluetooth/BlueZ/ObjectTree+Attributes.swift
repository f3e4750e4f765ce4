import DBus

/// A service in the tree.
struct ServiceEntry {
    let path: ObjectPath
    let device: ObjectPath
    let uuid: BluetoothUUID
    let isPrimary: Bool
}

extension ObjectTree {
    mutating func addService(_ path: ObjectPath, _ properties: [String: DBusValue]) {
        guard let uuid = properties["UUID"]?.uuid, let device = properties["Device"]?.path,
            peripherals[device] != nil
        else {
            log.record(.object, path.description)
            return
        }
        guard services[path] != nil || services.count < InputBounds.services else {
            log.record(.tooManyObjects, path.description)
            return
        }
        let isPrimary = properties["Primary"]?.isTrue ?? true
        services[path] = ServiceEntry(path: path, device: device, uuid: uuid, isPrimary: isPrimary)
    }

    mutating func addCharacteristic(_ path: ObjectPath, _ properties: [String: DBusValue]) {
        guard let uuid = properties["UUID"]?.uuid, let service = services[path.parent],
            properties["Service"]?.path == service.path, let peripheral = peripherals[service.device]
        else {
            log.record(.object, path.description)
            return
        }
        guard characteristics[path] != nil || characteristics.count < InputBounds.characteristics else {
            log.record(.tooManyObjects, path.description)
            return
        }
        let reference = CharacteristicReference(
            path: path, uuid: uuid, service: service.uuid, peripheral: peripheral.address)
        characteristics[path] = Characteristic(
            reference: reference, flags: CharacteristicFlags(names: properties["Flags"]?.texts ?? []))
        changeCharacteristic(path, properties, [])
    }

    mutating func addDescriptor(_ path: ObjectPath, _ properties: [String: DBusValue]) {
        guard let uuid = properties["UUID"]?.uuid, let owner = properties["Characteristic"]?.path,
            var characteristic = characteristics[owner]
        else {
            log.record(.object, path.description)
            return
        }
        characteristic.descriptors.removeAll { $0.path == path }
        guard characteristic.descriptors.count < InputBounds.descriptors else {
            log.record(.tooManyObjects, path.description)
            return
        }
        characteristic.descriptors.append(Descriptor(path: path, uuid: uuid))
        characteristic.descriptors.sort { $0.path.description < $1.path.description }
        characteristics[owner] = characteristic
    }

    /// Applies changed properties, except `Value`: a cached value is no measurement.
    mutating func changeCharacteristic(
        _ path: ObjectPath, _ properties: [String: DBusValue], _ invalidated: [String]
    ) {
        guard var characteristic = characteristics[path] else { return }
        if invalidated.contains("MTU") { characteristic.mtu = nil }
        for (name, value) in properties where !characteristic.set(name, to: value) {
            log.record(.property, path.description)
        }
        characteristics[path] = characteristic
    }

    /// The event of changed services, if the peripheral can be used at present.
    func serviceChange(_ device: ObjectPath?) -> [BlueZEvent.Kind] {
        guard let peripheral = device.flatMap({ peripherals[$0] }), peripheral.isConnected,
            peripheral.areServicesResolved
        else { return [] }
        return [.servicesChanged(peripheral)]
    }

    mutating func removeService(_ path: ObjectPath) {
        services[path] = nil
        removeCharacteristics { $0 == path }
    }

    /// Removes the services of peripherals, in one pass over all attributes.
    mutating func removeServices(of devices: Set<ObjectPath>) {
        let removed = servicePaths(of: devices)
        if removed.isEmpty { return }
        for service in removed { services[service] = nil }
        removeCharacteristics { removed.contains($0) }
    }

    /// Sets a peripheral's new address in its characteristics.
    mutating func readdressCharacteristics(below device: ObjectPath, to address: BluetoothAddress) {
        let owned = servicePaths(of: [device])
        if owned.isEmpty { return }
        for (path, characteristic) in characteristics where owned.contains(path.parent) {
            let reference = characteristic.reference
            characteristics[path]?.reference = CharacteristicReference(
                path: path, uuid: reference.uuid, service: reference.service, peripheral: address)
        }
    }

    private func servicePaths(of devices: Set<ObjectPath>) -> Set<ObjectPath> {
        Set(services.values.lazy.filter { devices.contains($0.device) }.map(\.path))
    }

    private mutating func removeCharacteristics(below isRemoved: (ObjectPath) -> Bool) {
        characteristics = characteristics.filter { !isRemoved($0.key.parent) }
    }

    mutating func removeDescriptor(_ path: ObjectPath) {
        characteristics[path.parent]?.descriptors.removeAll { $0.path == path }
    }

    /// The services of a peripheral.
    func services(below device: ObjectPath) -> [Service] {
        let byService = Dictionary(grouping: characteristics.values) { $0.reference.path.parent }
        return services.values
            .filter { $0.device == device }
            .sorted { $0.path.description < $1.path.description }
            .map { entry in
                Service(
                    path: entry.path, uuid: entry.uuid, isPrimary: entry.isPrimary,
                    characteristics: (byService[entry.path] ?? []).sorted {
                        $0.reference.path.description < $1.reference.path.description
                    })
            }
    }
}
