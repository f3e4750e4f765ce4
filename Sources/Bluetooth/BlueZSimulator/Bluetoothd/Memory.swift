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
