import DBus

/// What every part of one bluetoothd needs.
final class World {
    let tree: BusTree
    let air: Air
    let memory: Memory
    let methods: MethodTable

    var clock: SimulationClock { air.clock }

    init(tree: BusTree, air: Air, memory: Memory, methods: MethodTable) {
        self.tree = tree
        self.air = air
        self.memory = memory
        self.methods = methods
    }
}

/// What outlives a bluetoothd: its files, and the kernel's state.
final class Memory {
    /// A device that has been connected once.
    struct KnownDevice {
        var address: String
        var name: String
    }

    /// In the order of their first connection.
    var devices: [KnownDevice] = []

    /// Whether a bluetoothd was killed during a discovery, so that the kernel still scans.
    var isKernelScanning = false

    func remember(_ device: KnownDevice) {
        if devices.contains(where: { $0.address == device.address }) { return }
        devices.append(device)
    }

    func forget(address: String) {
        devices.removeAll { $0.address == address }
    }

    func knows(address: String) -> Bool {
        devices.contains { $0.address == address }
    }
}
