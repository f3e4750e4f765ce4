import DBus

/// The advertisement monitors that clients have registered with the adapter.
///
/// bluetoothd leaves the matching to the controller only where that can do it; this one cannot.
final class AdvertisementMonitors {
    static let interface = "org.bluez.AdvertisementMonitor1"

    /// A monitor of a client.
    private final class Monitor {
        let application: ClientObject
        let path: ObjectPath
        let description: MonitorDescription
        var isActive = false
        var devices: [ObjectPath: MonitoredDevice] = [:]

        init(_ application: ClientObject, _ path: ObjectPath, _ description: MonitorDescription) {
            (self.application, self.path, self.description) = (application, path, description)
        }
    }

    private let world: World
    /// The objects of clients below which these have their monitors.
    private(set) var applications: Set<ClientObject> = []
    private var monitors: [Monitor] = []

    /// Seconds until the kernel has taken a monitor.
    private static let activationSeconds = 0.005

    init(world: World) {
        self.world = world
    }

    deinit {
        for monitor in monitors { forgetDevices(of: monitor) }
    }

    /// Whether it listens.
    var isListening: Bool { monitors.contains { $0.isActive } }

    // MARK: Clients

    /// Begins to take a client's monitors; returns `false` if it does already.
    func add(_ application: ClientObject) -> Bool { applications.insert(application).inserted }

    /// Takes an object of a client, if it is a monitor; one that cannot be used is released.
    ///
    /// - Parameter onActivation: Called when it listens.
    func add(
        _ path: ObjectPath, of application: ClientObject, _ properties: [String: DBusValue],
        onActivation: @escaping () -> Void
    ) {
        guard applications.contains(application), path == application.path || path.isBelow(application.path),
            !monitors.contains(where: { $0.application == application && $0.path == path })
        else { return }
        guard let description = MonitorDescription(properties),
            description.patterns.count <= MonitorDescription.mostPatterns,
            monitors.count < MonitorDescription.mostMonitors
        else { return tell(application.client, path, "Release") }
        let monitor = Monitor(application, path, description)
        monitors.append(monitor)
        world.clock.after(Self.activationSeconds) { [weak self, weak monitor] in
            guard let self, let monitor, self.monitors.contains(where: { $0 === monitor }) else { return }
            monitor.isActive = true
            self.tell(application.client, path, "Activate")
            onActivation()
        }
    }

    /// A client has removed an object; nothing is reported to it.
    func remove(_ path: ObjectPath, of client: String) {
        remove { $0.application.client == client && $0.path == path }
    }

    /// Releases the monitors of an application; returns whether it was registered.
    func remove(_ application: ClientObject) -> Bool {
        guard applications.remove(application) != nil else { return false }
        for monitor in monitors where monitor.application == application {
            tell(application.client, monitor.path, "Release")
        }
        remove { $0.application == application }
        return true
    }

    /// A client has left the bus.
    func clientLeft(_ client: String) {
        applications = applications.filter { $0.client != client }
        remove { $0.application.client == client }
    }

    /// Releases all monitors, because the adapter goes.
    func releaseAll() {
        for application in applications { _ = remove(application) }
    }

    private func remove(where isConcerned: (Monitor) -> Bool) {
        for monitor in monitors where isConcerned(monitor) { forgetDevices(of: monitor) }
        monitors.removeAll(where: isConcerned)
    }

    private func forgetDevices(of monitor: Monitor) {
        for device in monitor.devices.values { world.clock.cancel(device.silence) }
        monitor.devices = [:]
    }

    private func tell(_ client: String, _ path: ObjectPath, _ member: String, _ device: ObjectPath? = nil) {
        world.tree.tell(client, path, Self.interface, member, device.map { [.objectPath($0)] } ?? [])
    }

    // MARK: Devices

    /// Whether a monitor wants to know of an advertisement.
    func isWanted(_ fields: [AdvertisedField]) -> Bool {
        monitors.contains { $0.isActive && $0.description.matches(fields) }
    }

    /// Reports an advertisement of a device to the clients whose monitors it matches.
    func heard(_ device: ObjectPath, _ fields: [AdvertisedField], signalStrength: Int) {
        for monitor in monitors where monitor.isActive && monitor.description.matches(fields) {
            guard let thresholds = monitor.description.thresholds else {
                report("DeviceFound", device, to: monitor)
                continue
            }
            var known = monitor.devices[device] ?? MonitoredDevice()
            world.clock.cancel(known.silence)
            known.silence = nil
            switch known.heard(signalStrength, at: world.clock.now, thresholds) {
            case .found?: report("DeviceFound", device, to: monitor)
            case .lost?: report("DeviceLost", device, to: monitor)
            case nil: break
            }
            if known.isFound {
                known.silence = world.clock.after(thresholds.lowSeconds) { [weak self, weak monitor] in
                    if let self, let monitor { self.fellSilent(device, monitor) }
                }
            }
            monitor.devices[device] = known
        }
    }

    private func fellSilent(_ device: ObjectPath, _ monitor: Monitor) {
        monitor.devices[device]?.fellSilent()
        report("DeviceLost", device, to: monitor)
    }

    private func report(_ member: String, _ device: ObjectPath, to monitor: Monitor) {
        tell(monitor.application.client, monitor.path, member, device)
    }

    /// The adapter is switched off: what was found is lost.
    func powerOff() {
        for monitor in monitors {
            for (device, known) in monitor.devices where known.silence != nil {
                world.clock.cancel(known.silence)
                fellSilent(device, monitor)
            }
        }
    }

    /// The daemon has forgotten a device, which it reports to no monitor.
    func forget(_ device: ObjectPath) {
        for monitor in monitors {
            if let known = monitor.devices.removeValue(forKey: device) { world.clock.cancel(known.silence) }
        }
    }
}

extension Adapter {
    /// Seconds between two passive reports of a device.
    private static let passiveSeconds = 0.5

    /// Listens passively as long as a monitor is active.
    func listenForMonitors() {
        guard !isListeningForMonitors, monitors.isListening else { return }
        isListeningForMonitors = true
        hearPassively()
    }

    private func hearPassively() {
        guard monitors.isListening else { return isListeningForMonitors = false }
        if isPowered {
            for peripheral in world.air.peripherals where peripheral.isHeard { hearPassively(peripheral) }
        }
        world.clock.after(Self.passiveSeconds) { [weak self] in self?.hearPassively() }
    }

    private func hearPassively(_ peripheral: SimulatedPeripheral) {
        if devices.contains(where: { $0.peripheral === peripheral && $0.isConnected }) { return }
        let fields = peripheral.advertisedFields(at: world.clock.now)
        guard monitors.isWanted(fields) else { return }
        world.air.count("reports")
        let strength = peripheral.nextSignalStrength()
        let device: Device
        if let known = self.device(of: peripheral) {
            device = known
            known.heard(signalStrength: strength, isEveryReportSent: !filters.isEmpty)
        } else {
            device = add(peripheral, name: peripheral.name, signalStrength: strength)
        }
        monitors.heard(device.path, fields, signalStrength: strength)
    }
}
