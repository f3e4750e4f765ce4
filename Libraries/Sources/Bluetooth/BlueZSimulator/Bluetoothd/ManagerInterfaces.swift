import DBus

/// Interfaces that clients expect but that have no function here.
enum ManagerInterfaces {
    /// The interfaces of `/org/bluez`.
    static func daemon(_ methods: MethodTable) -> [ExportedInterface] {
        [
            ExportedInterface(
                "org.bluez.AgentManager1",
                methods: [
                    methods.method("RegisterAgent", "os") { $0.bluetoothd?.registerAgent($1, $2) },
                    methods.method("UnregisterAgent", "o") { $0.bluetoothd?.unregisterAgent($1, $2) },
                    methods.method("RequestDefaultAgent", "o") { $0.bluetoothd?.requestDefaultAgent($1, $2) },
                ]),
            ExportedInterface(
                "org.bluez.ProfileManager1",
                methods: [
                    methods.failing("RegisterProfile", "osa{sv}", "", .notSupported),
                    methods.failing("UnregisterProfile", "o", "", .doesNotExist),
                ]),
            ExportedInterface(
                "org.bluez.HealthManager1",
                methods: [
                    methods.failing("CreateApplication", "a{sv}", "o", .notSupported),
                    methods.failing("DestroyApplication", "o", "", .doesNotExist),
                ]),
        ]
    }

    /// The interfaces of the adapter, besides `org.bluez.Adapter1`.
    static func adapter(_ methods: MethodTable) -> [ExportedInterface] {
        [
            ExportedInterface(
                "org.bluez.Media1",
                properties: [("SupportedUUIDs", .strings(["110a", "110b"].map(longUUID)))],
                methods: [
                    methods.failing("RegisterEndpoint", "oa{sv}", "", .notSupported),
                    methods.failing("UnregisterEndpoint", "o", "", .doesNotExist),
                    methods.failing("RegisterPlayer", "oa{sv}", "", .notSupported),
                    methods.failing("UnregisterPlayer", "o", "", .doesNotExist),
                ]),
            ExportedInterface(
                "org.bluez.NetworkServer1",
                methods: [
                    methods.failing("Register", "ss", "", .notSupported),
                    methods.failing("Unregister", "s", "", .doesNotExist),
                ]),
        ] + Simulator.servingInterfaces(methods)
    }

    /// The long form of a 16-bit UUID.
    static func longUUID(_ short: String) -> String { "0000\(short)-0000-1000-8000-00805f9b34fb" }
}

/// The agents that clients have registered (`org.bluez.AgentManager1`).
struct Agents {
    struct Agent: Hashable {
        let client: String
        let path: ObjectPath
        let capability: String
    }

    private var agents: [Agent] = []
    private var defaults: [Agent] = []

    var isEmpty: Bool { agents.isEmpty }

    /// The agent of a client; `nil` when it has none.
    func agent(of client: String) -> Agent? { agents.first { $0.client == client } }

    /// The agent for pairings that no client has called for: the requested default, or else the oldest.
    var standing: Agent? { defaults.last ?? agents.first }

    mutating func add(_ agent: Agent) { agents.append(agent) }

    /// Removes a client's agent; returns whether there was one.
    mutating func remove(_ client: String) -> Bool {
        defaults.removeAll { $0.client == client }
        let count = agents.count
        agents.removeAll { $0.client == client }
        return agents.count < count
    }

    mutating func makeDefault(_ agent: Agent) {
        defaults.removeAll { $0 == agent }
        defaults.append(agent)
    }

    /// The capabilities of `RegisterAgent`; an empty one means the last.
    static let capabilities = ["DisplayOnly", "DisplayYesNo", "KeyboardOnly", "NoInputNoOutput", "KeyboardDisplay"]
}

extension Bluetoothd {
    func registerAgent(_ call: IncomingCall, _ answer: Answer) {
        guard agents.agent(of: call.sender) == nil else { return answer.fail(.alreadyExists) }
        guard let path = call.arguments.first?.text.flatMap({ ObjectPath($0) }),
            let capability = call.arguments.last?.text,
            capability.isEmpty || Agents.capabilities.contains(capability)
        else { return answer.fail(.invalidArguments) }
        let isFirst = agents.isEmpty
        agents.add(
            Agents.Agent(
                client: call.sender, path: path, capability: capability.isEmpty ? "KeyboardDisplay" : capability))
        answer.succeed()
        if isFirst { adapter?.setPairable(true) }
    }

    func unregisterAgent(_ call: IncomingCall, _ answer: Answer) {
        guard agents.remove(call.sender) else { return answer.fail(.doesNotExist) }
        answer.succeed()
        if agents.isEmpty { adapter?.setPairable(false) }
    }

    func requestDefaultAgent(_ call: IncomingCall, _ answer: Answer) {
        guard let agent = agents.agent(of: call.sender) else { return answer.fail(.doesNotExist) }
        agents.makeDefault(agent)
        answer.succeed()
    }
}
