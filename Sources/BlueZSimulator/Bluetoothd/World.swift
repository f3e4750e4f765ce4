import DBus

/// What every part of one bluetoothd needs.
final class World {
    let tree: BusTree
    let air: Air
    let memory: Memory
    let methods: MethodTable

    /// The agents that clients have registered.
    var agents = Agents()
    /// Calls that bluetoothd has forgotten about.
    var unanswered: [Answer] = []

    var clock: SimulationClock { air.clock }

    /// The agent of a client, or else the one that stands in for all.
    func agent(of client: String) -> Agents.Agent? { agents.agent(of: client) ?? agents.standing }

    /// The agent that is asked when no client has called.
    var standingAgent: Agents.Agent? { agents.standing }

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
        /// Whether there is a key for it.
        var isBonded = false
    }

    /// In the order of their first connection.
    var devices: [KnownDevice] = []

    /// Whether a bluetoothd was killed during a discovery, so that the kernel still scans.
    var isKernelScanning = false

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
}
