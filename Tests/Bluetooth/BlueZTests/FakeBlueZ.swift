import DBus
import EventLoops
import Synchronization
import TestSupport

@testable import BlueZ

/// A small `org.bluez` on a private bus, for the tests of the client; what it does is what bluetoothd was seen to do.
final class FakeBlueZ: Sendable {
    let connection: DBusConnection
    /// The calls that came, as `Member` or `Member detail`, in their order.
    let calls = Recorder<String>()
    private let failures = Mutex<[String: [DBusConnectionError]]>([:])
    /// The daemon's ends of acquired sockets, and answers instead of sockets, by the method.
    private let sockets = Mutex<[String: DBusFileDescriptor]>([:])
    private let answers = Mutex<[String: [DBusValue]]>([:])
    /// The advertisement monitor that was registered last.
    private let registered = Mutex<Monitor?>(nil)

    /// An advertisement monitor of a client, with what its object has.
    struct Monitor {
        let client: String
        let path: ObjectPath
        let interfaces: DBusValue
    }

    private init(_ connection: DBusConnection) {
        self.connection = connection
    }

    /// Starts a daemon that owns the name and has no objects yet.
    static func start(_ address: String, on loop: EventLoop) async throws -> FakeBlueZ {
        let fake = FakeBlueZ(try await DBusConnection.connect(to: .address(address), on: loop))
        await fake.connection.exportObjectManager(at: .root)
        // As bluetoothd does: the object manager is there as soon as the name is owned.
        try await fake.connection.export(try path("/org/bluez"), [ExportedInterface("org.bluez.AgentManager1")])
        guard try await fake.connection.requestName("org.bluez") else { throw NameTaken() }
        return fake
    }

    struct NameTaken: Error {}

    /// Ends as after SIGKILL: without a word.
    func die() async {
        await connection.close()
    }

    /// Lets the next calls of a method fail, one after another.
    func fail(_ member: String, _ errors: [(name: String, text: String)]) {
        failures.withLock { $0[member, default: []] += errors.map { .remote(name: $0.name, message: $0.text) } }
    }

    private func record(_ member: String, _ detail: String = "") throws(DBusConnectionError) {
        calls.record(detail.isEmpty ? member : "\(member) \(detail)")
        let failure = failures.withLock { failures -> DBusConnectionError? in
            guard let first = failures[member]?.first else { return nil }
            failures[member]?.removeFirst()
            return first
        }
        if let failure { throw failure }
    }

    // MARK: Objects

    func addAdapter(isPowered: Bool = true) async throws {
        var properties = Strap.adapterProperties
        properties[2].value = .boolean(isPowered)
        let at = try path(Strap.adapter)
        let connection = connection
        try await connection.export(
            at,
            [
                ExportedInterface(
                    Name.adapter, properties: properties,
                    methods: [
                        ExportedMethod("SetDiscoveryFilter", input: "a{sv}") {
                            [self] call async throws(DBusConnectionError) in
                            let transport = call.arguments.first?.namedValues?["Transport"]?.text
                            try record("SetDiscoveryFilter", transport ?? "")
                            return []
                        },
                        ExportedMethod("StartDiscovery") { [self] _ async throws(DBusConnectionError) in
                            try record("StartDiscovery")
                            try await connection.setProperties(of: at, Name.adapter, [("Discovering", .boolean(true))])
                            return []
                        },
                        ExportedMethod("StopDiscovery") { [self] _ async throws(DBusConnectionError) in
                            try record("StopDiscovery")
                            try await connection.setProperties(of: at, Name.adapter, [("Discovering", .boolean(false))])
                            return []
                        },
                        ExportedMethod("RemoveDevice", input: "o") { [self] call async throws(DBusConnectionError) in
                            try record("RemoveDevice", call.arguments.first?.text ?? "")
                            return []
                        },
                    ],
                    setProperty: { [self] name, value async throws(DBusConnectionError) in
                        try record("Set", name)
                        try await connection.setProperties(of: at, Name.adapter, [(name, value)])
                    })
            ])
    }

    func addStrap(isConnected: Bool = false, isResolved: Bool = false) async throws {
        try await connection.export(
            try path(Strap.device),
            [
                ExportedInterface(
                    Name.device,
                    properties: try Strap.deviceProperties(isConnected: isConnected, isResolved: isResolved),
                    methods: [simple("Connect"), simple("Disconnect")],
                    setProperty: { [self] name, value async throws(DBusConnectionError) in
                        try record("Set", "\(name) \(value)")
                    })
            ])
    }

    func addServices() async throws {
        let connection = connection
        try await connection.export(
            try path(Strap.service), [ExportedInterface(Name.service, properties: try Strap.serviceProperties())])
        for (at, properties) in [
            (Strap.measurement, try Strap.measurementProperties()), (Strap.location, try Strap.locationProperties()),
        ] {
            let at = try path(at)
            try await connection.export(
                at,
                [
                    ExportedInterface(
                        Name.characteristic, properties: properties,
                        methods: [
                            ExportedMethod("ReadValue", input: "a{sv}", output: "ay") {
                                [self] _ async throws(DBusConnectionError) in
                                try record("ReadValue")
                                // The signal comes before the answer.
                                try await connection.setProperties(
                                    of: at, Name.characteristic, [("Value", .bytes([0xAB]))])
                                return [.bytes([0xAB])]
                            },
                            ExportedMethod("WriteValue", input: "aya{sv}") {
                                [self] call async throws(DBusConnectionError) in
                                let options = call.arguments.last?.namedValues ?? [:]
                                let offset = options["offset"]?.integer.map { " from \($0)" } ?? ""
                                let octets = call.arguments.first?.bytes ?? []
                                try record("WriteValue", "\(octets) \(options["type"]?.text ?? "")\(offset)")
                                return []
                            },
                            simple("StartNotify"), simple("StopNotify"),
                            acquisition("AcquireNotify"), acquisition("AcquireWrite"),
                        ])
                ])
        }
    }

    private func acquisition(_ member: String) -> ExportedMethod {
        ExportedMethod(member, input: "a{sv}", output: "hq") { [self] _ async throws(DBusConnectionError) in
            try record(member)
            if let answer = answers.withLock({ $0.removeValue(forKey: member) }) { return answer }
            guard let (own, theirs) = try? DBusFileDescriptor.packetSockets() else { throw .timedOut }
            sockets.withLock { $0[member] = own }
            return [.unixFileDescriptor(theirs), .uint16(247)]
        }
    }

    private func simple(_ member: String) -> ExportedMethod {
        ExportedMethod(member) { [self] _ async throws(DBusConnectionError) in
            try record(member)
            return []
        }
    }

    // MARK: Advertisement monitors

    /// Offers advertisement monitors, which it activates or else releases as soon as they are registered.
    func addMonitorManager(isListening: Bool = true) async throws {
        let register = ExportedMethod("RegisterMonitor", input: "o") { [self] call async throws(DBusConnectionError) in
            try record("RegisterMonitor")
            let objects = try await connection.call(
                call.sender, call.arguments.first?.path ?? .root, Name.objectManager, "GetManagedObjects")
            guard let object = objects.first?.entries?.first, let path = object.key.path else { throw .timedOut }
            registered.withLock { $0 = Monitor(client: call.sender, path: path, interfaces: object.value) }
            try await connection.call(call.sender, path, Name.monitor, isListening ? "Activate" : "Release")
            return []
        }
        try await connection.export(
            try path(Strap.adapter),
            [
                ExportedInterface(
                    Name.monitorManager,
                    methods: [
                        register,
                        ExportedMethod("UnregisterMonitor", input: "o") { [self] _ async throws(DBusConnectionError) in
                            try record("UnregisterMonitor")
                            return []
                        },
                    ])
            ])
    }

    /// The advertisement monitor that was registered last.
    func monitor() throws -> Monitor {
        guard let monitor = registered.withLock({ $0 }) else { throw NoSocket() }
        return monitor
    }

    func callMonitor(_ member: String, _ device: String) async throws {
        let monitor = try monitor()
        try await connection.call(monitor.client, monitor.path, Name.monitor, member, [.objectPath(try path(device))])
    }

    // MARK: Acquired sockets

    /// The daemon's end of the socket that a method has made last.
    func socket(_ member: String) throws -> DBusFileDescriptor {
        guard let socket = sockets.withLock({ $0[member] }) else { throw NoSocket() }
        return socket
    }

    struct NoSocket: Error {}

    func closeSocket(_ member: String) { _ = sockets.withLock { $0.removeValue(forKey: member) } }

    /// Lets the next call of a method give an answer that bluetoothd would not give.
    func answer(_ member: String, with values: [DBusValue]) { answers.withLock { $0[member] = values } }

    // MARK: What happens

    func changeAdapter(_ properties: [(String, DBusValue)]) async throws {
        try await connection.setProperties(of: try path(Strap.adapter), Name.adapter, properties)
    }

    func changeDevice(_ properties: [(String, DBusValue)]) async throws {
        try await connection.setProperties(of: try path(Strap.device), Name.device, properties)
    }

    func notify(_ octets: [UInt8]) async throws {
        try await connection.setProperties(
            of: try path(Strap.measurement), Name.characteristic, [("Value", .bytes(octets))])
    }
}
