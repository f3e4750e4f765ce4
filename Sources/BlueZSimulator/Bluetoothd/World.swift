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
