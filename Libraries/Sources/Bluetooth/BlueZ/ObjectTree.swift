import DBus
import EventLoops

/// The daemon's objects, from its signals; every change returns its events.
struct ObjectTree {
    private(set) var adapters: [ObjectPath: Adapter] = [:]
    var peripherals: [ObjectPath: Peripheral] = [:]
    var services: [ObjectPath: ServiceEntry] = [:]
    var characteristics: [ObjectPath: Characteristic] = [:]

    /// The ignored input of the daemon.
    var log = InputLog()

    // MARK: Changes

    /// Fills an empty tree from the answer of `GetManagedObjects`.
    ///
    /// Returns `nil` when it is not of the type `a{oa{sa{sv}}}`.
    mutating func fill(with objects: DBusValue) -> [BlueZEvent.Kind]? {
        guard let entries = objects.entries else { return nil }
        var found: [(path: ObjectPath, interfaces: InterfaceProperties)] = []
        for entry in entries {
            guard let path = entry.key.path, let interfaces = entry.value.interfaceProperties else { return nil }
            found.append((path, interfaces))
        }
        // Parents before children, whatever the order of the answer. The events come at the end, when resolved services
        // are complete.
        found.sort { $0.path.description < $1.path.description }
        for object in found { _ = add(object.path, object.interfaces, at: nil) }
        return announcements()
    }

    /// Adds interfaces of an object.
    ///
    /// - Parameter timestamp: When this was signalled; `nil` for an object that existed before.
    mutating func add(
        _ path: ObjectPath, _ interfaces: InterfaceProperties, at timestamp: Timestamp?
    ) -> [BlueZEvent.Kind] {
        var kinds: [BlueZEvent.Kind] = []
        guard path.description.utf8.count <= InputBounds.pathLength else {
            log.record(.object, path.description)
            return []
        }
        if let properties = interfaces[Name.adapter] { kinds += addAdapter(path, properties) }
        if let properties = interfaces[Name.device] { kinds += addPeripheral(path, properties, at: timestamp) }
        if let properties = interfaces[Name.battery] { kinds += changeBattery(path, properties, []) }
        if let properties = interfaces[Name.service] {
            addService(path, properties)
            kinds += serviceChange(services[path]?.device)
        }
        if let properties = interfaces[Name.characteristic] {
            addCharacteristic(path, properties)
            kinds += serviceChange(services[path.parent]?.device)
        }
        if let properties = interfaces[Name.descriptor] { addDescriptor(path, properties) }
        return kinds
    }

    /// Removes interfaces of an object, and everything below it.
    mutating func remove(_ path: ObjectPath, _ interfaces: [String]) -> [BlueZEvent.Kind] {
        var kinds: [BlueZEvent.Kind] = []
        var seen: Set<String> = []
        for interface in interfaces where seen.insert(interface).inserted {
            switch interface {
            case Name.adapter:
                guard let adapter = adapters.removeValue(forKey: path) else { continue }
                kinds += removePeripherals(sortedPeripherals.filter { $0.adapter == path })
                kinds.append(.adapter(.removed, adapter))
            case Name.device: kinds += removePeripheral(path)
            case Name.battery: kinds += changeBattery(path, [:], ["Percentage"])
            case Name.service:
                let device = services[path]?.device
                removeService(path)
                kinds += serviceChange(device)
            case Name.characteristic:
                characteristics[path] = nil
                kinds += serviceChange(services[path.parent]?.device)
            case Name.descriptor: removeDescriptor(path)
            default: continue
            }
        }
        return kinds
    }

    /// Changes properties of an object's interface; unknown objects are ignored.
    mutating func change(
        _ path: ObjectPath, _ interface: String, _ properties: [String: DBusValue], invalidated: [String],
        at timestamp: Timestamp
    ) -> [BlueZEvent.Kind] {
        switch interface {
        case Name.adapter: return changeAdapter(path, properties)
        case Name.device: return changePeripheral(path, properties, invalidated, at: timestamp)
        case Name.battery: return changeBattery(path, properties, invalidated)
        case Name.characteristic: changeCharacteristic(path, properties, invalidated)
        default: break
        }
        return []
    }

    private mutating func addAdapter(_ path: ObjectPath, _ properties: [String: DBusValue]) -> [BlueZEvent.Kind] {
        guard adapters[path] != nil || adapters.count < InputBounds.adapters else {
            log.record(.tooManyObjects, path.description)
            return []
        }
        let (adapter, malformed) = Adapter.read(path, properties)
        log.record(.property, path.description, count: malformed)
        let old = adapters.updateValue(adapter, forKey: path)
        return old == adapter ? [] : [.adapter(old == nil ? .added : .changed, adapter)]
    }

    private mutating func changeAdapter(_ path: ObjectPath, _ properties: [String: DBusValue]) -> [BlueZEvent.Kind] {
        guard let old = adapters[path] else { return [] }
        var adapter = old
        for (name, value) in properties where !adapter.set(name, to: value) { log.record(.property, path.description) }
        if adapter == old { return [] }
        adapters[path] = adapter
        return [.adapter(.changed, adapter)]
    }

    mutating func removeAll() -> [BlueZEvent.Kind] {
        services = [:]
        characteristics = [:]
        var kinds = removePeripherals(sortedPeripherals)
        kinds += sortedAdapters.map { .adapter(.removed, $0) }
        adapters = [:]
        return kinds
    }

    // MARK: Questions

    var sortedAdapters: [Adapter] {
        adapters.values.sorted { $0.path.description < $1.path.description }
    }

    var sortedPeripherals: [Peripheral] {
        peripherals.values.sorted { $0.path.description < $1.path.description }
    }

    /// The events of all objects, as if they had just come.
    func announcements() -> [BlueZEvent.Kind] {
        sortedAdapters.map { .adapter(.added, $0) } + sortedPeripherals.flatMap { Self.announcement(of: $0) }
    }

    /// The peripheral with an address; a connected one first, then in the order of the adapters.
    ///
    /// - Parameter adapter: The only adapter to look at; `nil` for all of them.
    func peripheral(_ address: BluetoothAddress, on adapter: ObjectPath? = nil) -> Peripheral? {
        let found = peripherals.values.filter { $0.address == address && (adapter == nil || $0.adapter == adapter) }
        if found.count <= 1 { return found.first }
        let sorted = found.sorted { $0.path.description < $1.path.description }
        return sorted.first(where: \.isConnected) ?? sorted.first
    }
}

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

/// The named properties of an object's interfaces, as `InterfacesAdded` and `GetManagedObjects` carry them.
typealias InterfaceProperties = [String: [String: DBusValue]]

extension DBusValue {
    /// The interfaces and properties of an `a{sa{sv}}`; `nil` for any other type.
    var interfaceProperties: InterfaceProperties? {
        guard let entries else { return nil }
        var result: InterfaceProperties = [:]
        for entry in entries {
            guard case .string(let name) = entry.key, let values = entry.value.namedValues else { return nil }
            result[name] = values
        }
        return result
    }

    /// The path of an object path; otherwise `nil`.
    var path: ObjectPath? {
        if case .objectPath(let path) = self { path } else { nil }
    }

    /// The texts of an `as`; `nil` for any other type.
    var texts: [String]? {
        guard case .array(let elements, of: .string) = self else { return nil }
        return elements.compactMap(\.text)
    }

    /// The octets of an `ay`, in a variant or not; `nil` if they are longer than an advertisement.
    var advertisedOctets: [UInt8]? {
        guard let bytes = unwrapped.bytes, bytes.count <= InputBounds.advertisedOctets else { return nil }
        return bytes
    }

    /// A value's octets; `nil` for any other type and for more than an attribute can have.
    var valueOctets: [UInt8]? {
        guard let bytes, bytes.count <= InputBounds.valueLength else { return nil }
        return bytes
    }

    /// The UUID in a string; otherwise `nil`.
    var uuid: BluetoothUUID? {
        if case .string(let text) = self { BluetoothUUID(text) } else { nil }
    }

    /// The UUIDs of an `as`, at most ``InputBounds/advertisedEntries``; `nil` for any other type.
    var uuids: (valid: [BluetoothUUID], malformed: Int)? {
        guard let texts else { return nil }
        let valid = texts.prefix(InputBounds.advertisedEntries).compactMap { BluetoothUUID($0) }
        return (valid, texts.count - valid.count)
    }

    /// A duration in whole seconds, of a `u`; `nil` for any other type.
    var seconds: Duration? {
        if case .uint32(let seconds) = self { .seconds(Int64(seconds)) } else { nil }
    }

    /// The appearance that a number of 16 bits stands for.
    var appearance: BluetoothAppearance? {
        integer.flatMap { UInt16(exactly: $0) }.map { BluetoothAppearance(rawValue: $0) }
    }

    /// The text of a string, cut to the length of a device name.
    var deviceName: String? {
        guard case .string(let text) = self else { return nil }
        if text.utf8.count <= InputBounds.nameLength { return text }
        var name = ""
        for scalar in text.unicodeScalars {
            if name.utf8.count + UTF8.width(scalar) > InputBounds.nameLength { break }
            name.unicodeScalars.append(scalar)
        }
        return name
    }
}
