import DBus

/// One bluetoothd process, from owning the name `org.bluez` to losing it.
final class Bluetoothd {
    let world: World
    private(set) var adapter: Adapter?
    /// The clients whose notified values are received.
    var watchedClients: Set<String> = []
    /// The clients whose advertisement monitors are received.
    var monitoringClients: Set<String> = []
    var agents: Agents {
        get { world.agents }
        set { world.agents = newValue }
    }

    init(world: World) {
        self.world = world
    }

    // MARK: Beginning

    /// Exports all objects at once, as if bluetoothd had run for a long time.
    func appearAtOnce() {
        addManagers()
        if world.air.isAdapterPlugged { addAdapter(isPowered: world.air.adapter.isPowered) }
    }

    /// Exports the objects one after another, as bluetoothd does after its start.
    func appear() {
        world.clock.after(0.035) { [weak self] in self?.addManagers() }
        guard world.air.isAdapterPlugged else { return }
        world.clock.after(0.35) { [weak self] in self?.addAdapterAndPowerIt() }
    }

    /// An adapter is plugged in.
    func plug() {
        world.clock.after(0.06) { [weak self] in self?.addAdapterAndPowerIt() }
    }

    /// Announces a new adapter without power, and powers it a moment later; one that stayed powered through a SIGKILL
    /// is announced as it is.
    private func addAdapterAndPowerIt() {
        guard adapter == nil, world.air.isAdapterPlugged else { return }
        let isPowered = world.memory.isAdapterPowered && !world.air.isAdapterBlocked
        addAdapter(isPowered: isPowered)
        if isPowered || world.air.isAdapterBlocked { return }
        world.clock.after(0.03) { [weak self] in
            guard let self, let adapter = self.adapter, !adapter.isPowered, !self.world.air.isAdapterBlocked else {
                return
            }
            adapter.powerOn()
        }
    }

    private func addAdapter(isPowered: Bool) {
        let adapter = Adapter(world: world, isPowered: isPowered)
        self.adapter = adapter
        adapter.appear()
        if !agents.isEmpty { adapter.setPairable(true) }
    }

    // MARK: The end

    /// The adapter is unplugged.
    func unplug() {
        adapter?.disappear()
        adapter = nil
    }

    /// Handles SIGTERM: disconnects and removes everything in order, then calls `done`.
    func terminate(_ done: @escaping () -> Void) {
        adapter?.removeUnconnectedDevices()
        world.clock.after(0.06) { [self] in
            world.memory.adapterGone(world.air)
            adapter?.disconnectAll(areDevicesStaying: false)
            world.tree.remove(.bluez)
            adapter?.removeFromBus()
            adapter = nil
            done()
        }
    }

    /// Handles SIGKILL: emits no signals.
    ///
    /// - Parameter linkEnded: Called for each connected sensor when the kernel has ended its link.
    func die(_ linkEnded: @escaping (SimulatedPeripheral) -> Void) {
        world.memory.killed(adapter, air: world.air, linkEnded)
        adapter?.closeSockets()
        adapter = nil
    }

    /// Handles the loss of the bus: bluetoothd ends as after SIGTERM, without receivers.
    func loseBus() {
        world.memory.adapterGone(world.air)
        adapter?.closeSockets()
        adapter = nil
    }

    /// Handles the end of a link that the kernel held after an earlier bluetoothd was killed.
    func keptLinkEnded(_ peripheral: SimulatedPeripheral) {
        adapter?.devices.first { $0.peripheral === peripheral && $0.isConnected }?.losesLink(to: .connectionAborted)
        adapter?.advertisementChanged(peripheral)
    }

    /// A client has left the bus.
    func clientLeft(_ client: String) {
        adapter?.clientLeft(client)
        if agents.remove(client), agents.isEmpty { adapter?.setPairable(false) }
    }

    // MARK: /org/bluez

    private func addManagers() {
        world.tree.add(.bluez, ManagerInterfaces.daemon(world.methods))
    }
}

/// The state that outlives a bluetoothd process: its files, and the kernel's state.
final class Memory {
    /// A device that was connected before.
    struct KnownDevice {
        var address: String
        var name: String
        /// Whether bluetoothd has a key for it.
        var isBonded = false
    }

    /// The known devices in the order of their first connection.
    var devices: [KnownDevice] = []

    /// The end of the kernel's scan after a bluetoothd was killed, in simulated seconds.
    private var scanEnd = 0.0
    /// Whether the adapter stays powered though its bluetoothd was killed.
    private(set) var isAdapterPowered = false

    /// Seconds that a scan of the kernel takes.
    private static let scanSeconds = 10.24
    /// Seconds for which the kernel keeps an unused link.
    private static let linkSeconds = 2.0

    func remember(_ device: KnownDevice) {
        if devices.contains(where: { $0.address == device.address }) { return }
        devices.append(device)
    }

    /// Keeps a key for a device.
    func bond(_ device: KnownDevice) {
        remember(device)
        for index in devices.indices where devices[index].address == device.address { devices[index].isBonded = true }
    }

    func isBonded(address: String) -> Bool {
        devices.contains { $0.address == address && $0.isBonded }
    }

    func forget(address: String) {
        devices.removeAll { $0.address == address }
    }

    func knows(address: String) -> Bool {
        devices.contains { $0.address == address }
    }

    // MARK: What a killed bluetoothd leaves

    /// Whether no discovery can begin, because the kernel still runs the scan of a killed bluetoothd.
    func isKernelScanning(at seconds: Double) -> Bool { seconds < scanEnd }

    /// Handles the kill of bluetoothd: the kernel continues its scan, and keeps links for a while.
    ///
    /// - Parameter ended: Called with each sensor whose link has ended.
    func killed(_ adapter: Adapter?, air: Air, _ ended: @escaping (SimulatedPeripheral) -> Void) {
        guard let adapter else { return }
        isAdapterPowered = adapter.isPowered
        if adapter.isDiscovering { scanEnd = adapter.scanBegin + Self.scanSeconds }
        for device in adapter.devices where device.isConnected {
            let peripheral = device.peripheral
            peripheral.isHeldByKernel = true
            air.clock.after(Self.linkSeconds) {
                guard peripheral.isHeldByKernel else { return }
                peripheral.isHeldByKernel = false
                ended(peripheral)
            }
        }
    }

    /// Forgets the kernel's scans and links, because the adapter has no power or is gone.
    func adapterGone(_ air: Air) {
        scanEnd = 0
        isAdapterPowered = false
        for peripheral in air.peripherals { peripheral.isHeldByKernel = false }
    }
}
