import DBus
import EventLoops

extension ObjectTree {
    /// The events of a new peripheral, including its link.
    static func announcement(of peripheral: Peripheral) -> [BlueZEvent.Kind] {
        [.peripheral(.added, peripheral)] + linkEvents(from: nil, to: peripheral)
    }

    /// The events of a changed link: in any order of the signals, a link ends before the next one begins.
    private static func linkEvents(from old: Peripheral?, to new: Peripheral) -> [BlueZEvent.Kind] {
        let wasConnected = old?.isConnected ?? false
        var kinds: [BlueZEvent.Kind] = []
        if wasConnected, !new.isConnected { kinds.append(.disconnected(new)) }
        if !wasConnected, new.isConnected { kinds.append(.connected(new)) }
        let wasResolved = wasConnected && (old?.areServicesResolved ?? false)
        if new.isConnected, new.areServicesResolved, !wasResolved { kinds.append(.servicesResolved(new)) }
        return kinds
    }

    mutating func addPeripheral(
        _ path: ObjectPath, _ properties: [String: DBusValue], at timestamp: Timestamp?
    ) -> [BlueZEvent.Kind] {
        guard peripherals[path] != nil || peripherals.count < InputBounds.peripherals else {
            log.record(.tooManyObjects, path.description)
            return []
        }
        guard case (var peripheral, let malformed)? = Peripheral.read(path, properties) else {
            log.record(.object, path.description)
            return []
        }
        log.record(.property, path.description, count: malformed)
        // A strength that was listed before this program connected may be old.
        let isHeard = peripheral.rssi != nil && timestamp != nil
        if isHeard { peripheral.lastHeard = timestamp }
        guard let old = peripherals[path] else {
            peripherals[path] = peripheral
            return Self.announcement(of: peripheral)
        }
        // A known peripheral is added again: keep its battery, which is another interface.
        peripheral.batteryPercent = old.batteryPercent
        if !isHeard { peripheral.lastHeard = old.lastHeard }
        return update(old, peripheral, isHeard: isHeard)
    }

    mutating func removePeripheral(_ path: ObjectPath) -> [BlueZEvent.Kind] {
        guard let peripheral = peripherals[path] else { return [] }
        return removePeripherals([peripheral])
    }

    /// Removes peripherals with everything below them.
    mutating func removePeripherals(_ removed: [Peripheral]) -> [BlueZEvent.Kind] {
        removeServices(of: Set(removed.map(\.path)))
        for peripheral in removed { peripherals[peripheral.path] = nil }
        return removed.flatMap { Self.departure(of: $0, as: .removed) }
    }

    /// The events when a peripheral is removed or changes its address: its link ends first.
    private static func departure(of old: Peripheral, as change: PeripheralChange) -> [BlueZEvent.Kind] {
        var gone = old
        gone.isConnected = false
        gone.areServicesResolved = false
        return linkEvents(from: old, to: gone) + [.peripheral(change, gone)]
    }

    mutating func changePeripheral(
        _ path: ObjectPath, _ properties: [String: DBusValue], _ invalidated: [String], at timestamp: Timestamp
    ) -> [BlueZEvent.Kind] {
        guard let old = peripherals[path] else { return [] }
        var peripheral = old
        var isHeard = false
        for name in invalidated { peripheral.clear(name) }
        for (name, value) in properties {
            if !peripheral.set(name, to: value) { log.record(.property, path.description) }
            if Peripheral.isAdvertised(name) { isHeard = true }
        }
        if isHeard { peripheral.lastHeard = timestamp }
        return update(old, peripheral, isHeard: isHeard)
    }

    mutating func changeBattery(
        _ path: ObjectPath, _ properties: [String: DBusValue], _ invalidated: [String]
    ) -> [BlueZEvent.Kind] {
        guard let old = peripherals[path] else { return [] }
        var peripheral = old
        if invalidated.contains("Percentage") { peripheral.batteryPercent = nil }
        for (name, value) in properties where !peripheral.setBattery(name, to: value) {
            log.record(.property, path.description)
        }
        return update(old, peripheral, isHeard: false)
    }

    /// Changes a peripheral's address, so that it counts as another peripheral.
    private mutating func readdress(_ old: Peripheral, _ new: Peripheral) -> [BlueZEvent.Kind] {
        readdressCharacteristics(below: new.path, to: new.address)
        return Self.departure(of: old, as: .readdressed(to: new.address)) + Self.announcement(of: new)
    }

    private mutating func update(_ old: Peripheral, _ new: Peripheral, isHeard: Bool) -> [BlueZEvent.Kind] {
        peripherals[new.path] = new
        if new.address != old.address { return readdress(old, new) }
        if new.differsLastingly(from: old) {
            return [.peripheral(.changed, new)] + Self.linkEvents(from: old, to: new)
        }
        if isHeard { return [.peripheral(.advertised, new)] }
        return new == old ? [] : [.peripheral(.changed, new)]
    }
}
