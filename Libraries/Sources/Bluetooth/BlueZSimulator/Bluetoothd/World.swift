import DBus

/// The shared context of one bluetoothd.
final class World {
    let tree: BusTree
    let air: Air
    let memory: Memory
    let methods: MethodTable

    /// The agents that clients have registered.
    var agents = Agents()
    /// Calls that are never answered.
    var unanswered: [Answer] = []

    var clock: SimulationClock { air.clock }

    /// The agent of a client, or else the default one.
    func agent(of client: String) -> Agents.Agent? { agents.agent(of: client) ?? agents.standing }

    /// The agent for pairings that no client has called for.
    var standingAgent: Agents.Agent? { agents.standing }

    init(tree: BusTree, air: Air, memory: Memory, methods: MethodTable) {
        self.tree = tree
        self.air = air
        self.memory = memory
        self.methods = methods
    }
}
