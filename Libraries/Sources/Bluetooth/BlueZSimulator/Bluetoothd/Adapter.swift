import DBus
import VitalDecoders

/// The adapter, a bluetoothd object (`org.bluez.Adapter1`).
final class Adapter {
    static let interface = "org.bluez.Adapter1"

    let world: World
    let path = ObjectPath.bluez.child("hci0")
    private(set) var isPowered: Bool
    private var isPoweringOff = false

    /// What clients serve through the adapter.
    let local = LocalPeripheral()
    /// What clients listen for.
    let monitors: AdvertisementMonitors
    var isListeningForMonitors = false
    /// The devices in the order of their appearance.
    private(set) var devices: [Device] = []

    /// The discovering clients, and the filters of those that have set one.
    var discoveries: Set<String> = []
    var filters: [String: DiscoveryFilter] = [:]
    /// Counts the scans, so that actions of an earlier one are dropped.
    var scan = 0
    /// When the newest scan began, in simulated seconds.
    var scanBegin = 0.0
    var isDiscovering = false

    /// Whether others can see it, and begin a pairing.
    var discoverable = LimitedSetting(name: "Discoverable", limit: 180)
    var pairable = LimitedSetting(name: "Pairable", limit: 0)

    /// The controller establishes one connection at a time; it is busy until then.
    var isEstablishingUntil = 0.0

    init(world: World, isPowered: Bool) {
        self.world = world
        self.isPowered = isPowered
        monitors = AdvertisementMonitors(world: world)
    }

    // MARK: Coming and going

    func appear() {
        let monitoring = world.air.adapter.hasMonitors ? [Simulator.monitoringInterface(world.methods)] : []
        world.tree.add(path, [interface()] + ManagerInterfaces.adapter(world.methods) + monitoring)
        for known in world.memory.devices {
            guard let peripheral = world.air.peripherals.first(where: { $0.address == known.address }) else { continue }
            add(peripheral, name: known.name, signalStrength: nil)
        }
    }

    /// The adapter is unplugged: the devices are removed one by one, then the adapter.
    func disappear() {
        for device in devices {
            device.clearSignalStrength()
            device.losesLink(to: .connectionAborted, isDeviceStaying: false)
            device.removeFromBus()
        }
        devices = []
        reportPowerIsOff()
        removeFromBus()
    }

    /// Removes the remaining objects from the bus, children first.
    func removeFromBus() {
        for device in devices { device.removeFromBus() }
        devices = []
        releaseAdvertisements()
        monitors.releaseAll()
        world.tree.remove(path)
    }

    func clientLeft(_ client: String) {
        filters[client] = nil
        if discoveries.remove(client) != nil, discoveries.isEmpty { endDiscovery() }
        for device in devices { device.clientLeft(client) }
        local.clientLeft(client)
        monitors.clientLeft(client)
    }

    /// Closes all sockets of clients, as the system does for a daemon that has ended.
    func closeSockets() {
        for device in devices { device.closeSockets() }
    }

    // MARK: Devices

    func device(_ path: ObjectPath) -> Device? {
        devices.first { $0.path == path }
    }

    /// The device of a sensor at its present address.
    func device(of peripheral: SimulatedPeripheral) -> Device? {
        devices.first { $0.peripheral === peripheral && $0.address == peripheral.address }
    }

    func characteristic(_ path: ObjectPath) -> (Device, RemoteCharacteristic)? {
        for device in devices where path.isBelow(device.path) {
            if let found = device.characteristic(path) { return (device, found) }
        }
        return nil
    }

    @discardableResult
    func add(_ peripheral: SimulatedPeripheral, name: String, signalStrength: Int?) -> Device {
        let device = Device(peripheral, name: name, adapter: self, signalStrength: signalStrength)
        devices.append(device)
        device.appear()
        return device
    }

    func remove(_ device: Device) {
        device.losesLink(to: .connectionAborted, isDeviceStaying: false)
        device.removeFromBus()
        monitors.forget(device.path)
        devices.removeAll { $0 === device }
    }

    func removeDevice(_ call: IncomingCall, _ answer: Answer) {
        guard let path = call.arguments.first?.text.flatMap({ ObjectPath($0) }), let device = device(path) else {
            return answer.fail(.doesNotExist)
        }
        world.memory.forget(address: device.address)
        device.disconnect { [weak self, weak device] in
            if let self, let device { self.remove(device) }
            answer.succeed()
        }
    }

    // MARK: Power

    /// A client sets `Powered`.
    func setPowered(_ isOn: Bool, _ answer: Answer) {
        if world.air.isAdapterBlocked, isOn { return answer.fail(.failed("Failed")) }
        if isPoweringOff { return isOn ? answer.fail(.busy) : answer.fail(.inProgress) }
        if isOn == isPowered { return answer.succeed() }
        if isOn {
            world.clock.after(0.03) { [weak self] in
                self?.powerOn()
                answer.succeed()
            }
        } else {
            powerOff { answer.succeed() }
        }
    }

    func powerOn() {
        if isPowered { return }
        isPowered = true
        world.tree.change(path, Self.interface, [("Powered", .boolean(true))] + powerState("on"))
    }

    /// rfkill blocks the adapter: first it is off, then every link ends; the devices stay.
    func block(_ done: @escaping () -> Void) {
        world.clock.after(0.007) { [weak self] in
            defer { done() }
            guard let self, self.isPowered else { return }
            self.reportPowerIsOff("off-blocked")
            for device in self.devices {
                device.losesLink(to: .connectionAborted)
                device.clearSignalStrength()
            }
        }
    }

    /// rfkill unblocks the adapter: it is powered again without a client.
    func unblock() {
        world.clock.after(0.012) { [weak self] in
            guard let self, !self.world.air.isAdapterBlocked else { return }
            self.powerOn()
        }
    }

    /// The property `PowerState` with a value, where there is one.
    private func powerState(_ value: String) -> [(String, DBusValue)] {
        world.air.adapter.hasPowerState ? [("PowerState", .string(value))] : []
    }

    /// Removes devices without a link at once, ends the links of the others, and then calls `done`.
    func powerOff(_ done: @escaping () -> Void = {}) {
        guard isPowered, !isPoweringOff else { return done() }
        isPoweringOff = true
        stopScanning()
        monitors.powerOff()
        removeUnconnectedDevices(forgetting: true)
        world.clock.after(0.05) { [weak self] in
            self?.disconnectAll()
            self?.isPoweringOff = false
            done()
        }
    }

    func removeUnconnectedDevices(forgetting isForgetting: Bool = false) {
        for device in devices where !device.isConnected {
            if isForgetting { world.memory.forget(address: device.address) }
            remove(device)
        }
    }

    /// Ends every link, then switches the power off.
    func disconnectAll(areDevicesStaying: Bool = true) {
        for device in devices {
            device.losesLink(to: .connectionAborted, isDeviceStaying: areDevicesStaying)
            device.clearSignalStrength()
        }
        reportPowerIsOff()
    }

    private func reportPowerIsOff(_ state: String = "off") {
        isPowered = false
        world.memory.adapterGone(world.air)
        discoveries = []
        stopScanning()
        monitors.powerOff()
        disconnectCentrals()
        world.tree.change(
            path, Self.interface,
            [("Powered", .boolean(false)), ("Discovering", .boolean(false))] + powerState(state))
    }

    // MARK: On the bus

    private func interface() -> ExportedInterface {
        let uuids = ["1801", "1800", "1200", "110c", "110e", "180a"].map(ManagerInterfaces.longUUID)
        let description = world.air.adapter
        let power = isPowered ? "on" : world.air.isAdapterBlocked ? "off-blocked" : "off"
        var properties: [(name: String, value: DBusValue)] = [
            ("Address", .string(description.address)), ("AddressType", .string("public")),
            ("Name", .string(description.name)), ("Alias", .string(description.name)), ("Class", .uint32(0)),
            ("Powered", .boolean(isPowered)),
        ]
        properties += discoverable.properties + pairable.properties
        properties += [
            ("Discovering", .boolean(false)), ("UUIDs", .strings(uuids)),
            ("Modalias", .string("usb:v1D6Bp0246d0542")), ("Roles", .strings(["central", "peripheral"])),
        ]
        return ExportedInterface(
            Self.interface, properties: powerState(power) + properties,
            methods: [
                world.methods.method("StartDiscovery") { $0.bluetoothd?.adapter?.startDiscovery($1, $2) },
                world.methods.method("StopDiscovery") { $0.bluetoothd?.adapter?.stopDiscovery($1, $2) },
                world.methods.method("SetDiscoveryFilter", "a{sv}") {
                    $0.bluetoothd?.adapter?.setDiscoveryFilter($1, $2)
                },
                world.methods.method("GetDiscoveryFilters", "", "as") {
                    $2.succeed([.strings(DiscoveryFilter.names)])
                },
                world.methods.method("RemoveDevice", "o") { $0.bluetoothd?.adapter?.removeDevice($1, $2) },
            ],
            setProperty: world.methods.setter { $0.bluetoothd?.adapter?.set($1, $2, $3) })
    }
}

extension Adapter {
    /// Seconds after which the kernel restarts a scan, so that the controller reports every device again.
    private static let scanSeconds = 10.7

    func setDiscoveryFilter(_ call: IncomingCall, _ answer: Answer) {
        guard isPowered else { return answer.fail(.notReady) }
        guard let values = call.arguments.first?.namedValues else { return answer.fail(.invalidArguments) }
        guard let filter = DiscoveryFilter(values) else { return answer.fail(.invalidArguments) }
        filters[call.sender] = values.isEmpty ? nil : filter
        answer.succeed()
    }

    func startDiscovery(_ call: IncomingCall, _ answer: Answer) {
        guard isPowered else { return answer.fail(.notReady) }
        if discoveries.contains(call.sender) { return answer.fail(.inProgress) }
        if world.memory.isKernelScanning(at: world.clock.now) { return answer.fail(.inProgress) }
        discoveries.insert(call.sender)
        guard discoveries.count == 1 else { return answer.succeed() }
        world.clock.after(0.006) { [weak self] in
            if let self, self.isPowered, !self.discoveries.isEmpty, !self.isDiscovering {
                self.isDiscovering = true
                self.world.tree.change(self.path, Self.interface, [("Discovering", .boolean(true))])
                self.startScan()
            }
            answer.succeed()
        }
    }

    func stopDiscovery(_ call: IncomingCall, _ answer: Answer) {
        guard isPowered else { return answer.fail(.notReady) }
        guard discoveries.remove(call.sender) != nil else { return answer.fail(.failed("No discovery started")) }
        guard discoveries.isEmpty else { return answer.succeed() }
        world.clock.after(0.006) { [weak self] in
            if let self, self.discoveries.isEmpty { self.endDiscovery() }
            answer.succeed()
        }
    }

    /// The last client has stopped its discovery: signal strengths become unknown.
    func endDiscovery() {
        guard isDiscovering else { return }
        stopScanning()
        for device in devices { device.clearSignalStrength() }
        world.tree.change(path, Self.interface, [("Discovering", .boolean(false))])
        // The kernel now scans for devices with a pending connection.
        for device in devices { device.tryToConnect() }
    }

    func stopScanning() {
        if isDiscovering { world.air.count("scan_off") }
        scan += 1
        isDiscovering = false
    }

    /// Reports every sensor that can be heard, and again with the next scan.
    private func startScan() {
        scan += 1
        scanBegin = world.clock.now
        world.air.count("scan_on")
        let scan = scan
        for (index, peripheral) in world.air.peripherals.enumerated() {
            let spread = (world.air.noise.stream(index).value(at: scan) + 1) / 2
            world.clock.after(0.02 + 0.12 * spread) { [weak self] in
                if self?.scan == scan { self?.report(peripheral) }
            }
        }
        world.clock.after(Self.scanSeconds) { [weak self] in
            if self?.scan == scan { self?.startScan() }
        }
    }

    /// A sensor's advertisement has changed, or the sensor is back.
    func advertisementChanged(_ peripheral: SimulatedPeripheral) {
        let scan = scan
        world.clock.after(0.04) { [weak self] in
            guard let self else { return }
            if self.isDiscovering, self.scan == scan { self.report(peripheral) }
            self.device(of: peripheral)?.tryToConnect()
        }
    }

    /// The controller has heard a sensor.
    private func report(_ peripheral: SimulatedPeripheral) {
        guard isDiscovering, isPowered, peripheral.isHeard else { return }
        if devices.contains(where: { $0.peripheral === peripheral && $0.isConnected }) { return }
        world.air.count("reports")
        let strength = peripheral.nextSignalStrength()
        if let device = device(of: peripheral) {
            device.heard(signalStrength: strength, isEveryReportSent: !filters.isEmpty)
        } else if isWanted(peripheral, strength) {
            add(peripheral, name: peripheral.name, signalStrength: strength)
        }
    }

    /// Whether a sensor matches the merged filters of all clients.
    private func isWanted(_ peripheral: SimulatedPeripheral, _ strength: Int) -> Bool {
        discoveries.contains { client in
            filters[client].map { $0.matches(peripheral, signalStrength: strength) } ?? true
        }
    }
}

/// The discovery filter of a client (`Adapter1.SetDiscoveryFilter`).
struct DiscoveryFilter {
    var services: [BluetoothUUID] = []
    var signalStrength: Int?
    var transport = "auto"
    /// The prefix of a name or an address.
    var pattern: String?

    /// The names of the supported filters (`Adapter1.GetDiscoveryFilters`).
    static let names = ["UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern"]

    /// Creates a filter from a client's values; `nil` when they are invalid.
    init?(_ values: [String: DBusValue]) {
        for (name, value) in values {
            switch name {
            case "UUIDs":
                guard let texts = value.elements?.compactMap(\.text) else { return nil }
                services = texts.compactMap { BluetoothUUID($0) }
                if services.count != texts.count { return nil }
            case "RSSI":
                guard let number = value.integer, (-127...20).contains(number) else { return nil }
                signalStrength = number
            case "Transport":
                guard let text = value.text, ["auto", "bredr", "le"].contains(text) else { return nil }
                transport = text
            case "Pattern":
                guard let text = value.text else { return nil }
                pattern = text
            case "Pathloss", "DuplicateData", "Discoverable": continue
            default: return nil
            }
        }
    }

    /// Whether a sensor passes the filter.
    func matches(_ peripheral: SimulatedPeripheral, signalStrength: Int) -> Bool {
        if transport == "bredr" { return false }
        if let least = self.signalStrength, signalStrength < least { return false }
        if let pattern, !peripheral.name.hasPrefix(pattern), !peripheral.address.hasPrefix(pattern) { return false }
        return services.isEmpty || services.contains { peripheral.description.advertisedServices.contains($0) }
    }
}
