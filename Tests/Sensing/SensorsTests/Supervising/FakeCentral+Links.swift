import BlueZ

// Links that come and go, with the daemon's reports.
extension FakeCentral {
    func linkUp(_ address: BluetoothAddress) {
        peripherals[address]?.isConnected = true
        guard let peripheral = peripherals[address] else { return }
        emit(.peripheral(.changed, peripheral))
        emit(.connected(peripheral))
    }

    func resolveServices(_ address: BluetoothAddress) {
        guard peripherals[address]?.isConnected == true else { return }
        peripherals[address]?.areServicesResolved = true
        peripherals[address]?.uuids += services[address]?.map(\.uuid) ?? []
        guard let peripheral = peripherals[address] else { return }
        emit(.peripheral(.changed, peripheral))
        emit(.servicesResolved(peripheral))
    }

    func linkDown(_ address: BluetoothAddress) {
        guard peripherals[address]?.isConnected == true else { return }
        endHeldSubscriptions()
        peripherals[address]?.isConnected = false
        peripherals[address]?.areServicesResolved = false
        guard let peripheral = peripherals[address] else { return }
        emit(.peripheral(.changed, peripheral))
        emit(.disconnected(peripheral))
    }

    /// Ends a link with a value right behind the end, before anybody can connect again.
    func linkDown(_ address: BluetoothAddress, thenNotify uuid: String, _ octets: [UInt8]) {
        linkDown(address)
        notify(address.description, uuid, octets)
    }

    /// Has a sensor go by another address from now on, as when a private one is resolved.
    func readdress(_ old: BluetoothAddress, to new: BluetoothAddress) {
        guard var gone = peripherals.removeValue(forKey: old) else { return }
        var successor = gone
        successor.address = new
        peripherals[new] = successor
        services[new] = services.removeValue(forKey: old)
        (gone.isConnected, gone.areServicesResolved) = (false, false)
        if successor.isConnected { emit(.disconnected(gone)) }
        emit(.peripheral(.readdressed(to: new), gone))
        emit(.peripheral(.added, successor))
        if successor.isConnected { emit(.connected(successor)) }
        if successor.areServicesResolved { emit(.servicesResolved(successor)) }
    }

    func vanish(_ address: BluetoothAddress) {
        linkDown(address)
        guard let peripheral = peripherals.removeValue(forKey: address) else { return }
        emit(.peripheral(.removed, peripheral))
    }
}
