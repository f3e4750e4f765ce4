import DBus

// `org.bluez.GattManager1` and `org.bluez.LEAdvertisingManager1` of the adapter.
extension Simulator {
    /// The interfaces by which clients serve and advertise.
    static func servingInterfaces(_ methods: MethodTable) -> [ExportedInterface] {
        [
            ExportedInterface(
                "org.bluez.GattManager1",
                methods: [
                    methods.asynchronous("RegisterApplication", "oa{sv}") { simulator, call async throws(Refusal) in
                        try await simulator.registerApplication(call)
                    },
                    methods.asynchronous("UnregisterApplication", "o") { simulator, call async throws(Refusal) in
                        let (local, registration) = try simulator.served(call)
                        guard local.removeApplication(registration) else { throw .doesNotExist }
                    },
                ]),
            ExportedInterface(
                advertisingInterface,
                properties: [
                    ("ActiveInstances", .byte(0)),
                    ("SupportedInstances", .byte(UInt8(LocalPeripheral.greatestAdvertisements))),
                    ("SupportedIncludes", .strings(["tx-power", "appearance", "local-name"])),
                ],
                methods: [
                    methods.asynchronous("RegisterAdvertisement", "oa{sv}") { simulator, call async throws(Refusal) in
                        try await simulator.registerAdvertisement(call)
                    },
                    methods.asynchronous("UnregisterAdvertisement", "o") { simulator, call async throws(Refusal) in
                        let (local, registration) = try simulator.served(call)
                        guard local.removeAdvertisement(registration) else { throw .doesNotExist }
                        simulator.reportInstances()
                    },
                ]),
        ]
    }

    private typealias Refusal = DBusConnectionError
    private static let advertisingInterface = "org.bluez.LEAdvertisingManager1"

    /// How long bluetoothd waits for a client (`DBUS_TIMEOUT_USE_DEFAULT`).
    static let clientLimit = Duration.seconds(25)

    /// What is registered with the adapter, and the object that a call is about.
    private func served(
        _ call: IncomingCall
    ) throws(DBusConnectionError) -> (local: LocalPeripheral, registration: ClientObject) {
        let (adapter, object) = try registered(call)
        return (adapter.local, object)
    }

    /// The adapter, and the object of the client that a call to register or to unregister is about.
    func registered(_ call: IncomingCall) throws(DBusConnectionError) -> (adapter: Adapter, object: ClientObject) {
        guard let adapter = bluetoothd?.adapter, case .objectPath(let path)? = call.arguments.first else {
            throw .invalidArguments
        }
        return (adapter, ClientObject(client: call.sender, path: path))
    }

    /// The objects that a client has at and below one of its own; `nil` when it does not answer.
    func managedObjects(of object: ClientObject, on connection: DBusConnection) async -> DBusValue? {
        let answer = try? await connection.call(
            object.client, object.path, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects",
            timeout: Self.clientLimit)
        return answer?.first
    }

    private func registerApplication(_ call: IncomingCall) async throws(DBusConnectionError) {
        let (local, registration) = try served(call)
        guard let connection = daemonConnection else { throw .disconnected }
        try local.begin(application: registration)
        let objects = await managedObjects(of: registration, on: connection)
        if bluetoothd?.watchedClients.insert(registration.client).inserted == true {
            // On a lost bus there is nothing to receive.
            try? await watchValues(of: registration.client, on: connection)
        }
        // The client may have left meanwhile.
        guard local.end(registration) else { throw .failed("Failed to register application") }
        local.add(registration, try LocalDatabase(objects))
    }

    /// Receives the values that a client notifies.
    private func watchValues(of client: String, on connection: DBusConnection) async throws(DBusConnectionError) {
        try await connection.handleSignals(
            matching: SignalMatch(
                sender: client, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
                firstArgument: RemoteCharacteristic.interface),
            in: self
        ) { simulator, signal in
            var arguments = signal.arguments()
            arguments.skip()
            guard let path = signal.path.flatMap({ ObjectPath($0) }),
                let octets = arguments.readValue()?.namedValues?["Value"]?.bytes
            else { return }
            simulator.bluetoothd?.adapter?.local.send(octets, from: ServedCharacteristic(client: client, path: path))
        }
    }

    private func registerAdvertisement(_ call: IncomingCall) async throws(DBusConnectionError) {
        let (local, registration) = try served(call)
        guard let connection = daemonConnection else { throw .disconnected }
        try local.begin(advertisement: registration)
        let answer = try? await connection.call(
            registration.client, registration.path, "org.freedesktop.DBus.Properties", "GetAll",
            [.string("org.bluez.LEAdvertisement1")], timeout: Self.clientLimit)
        guard local.end(registration), bluetoothd?.adapter?.isPowered == true else {
            throw .failed("Failed to register advertisement")
        }
        local.add(registration, try SimulatedAdvertisement(answer?.first?.namedValues ?? [:]))
        reportInstances()
    }

    private func reportInstances() {
        guard let adapter = bluetoothd?.adapter else { return }
        let count = adapter.local.advertisements.count
        adapter.world.tree.change(
            adapter.path, Self.advertisingInterface,
            [
                ("ActiveInstances", .byte(UInt8(clamping: count))),
                ("SupportedInstances", .byte(UInt8(clamping: LocalPeripheral.greatestAdvertisements - count))),
            ])
    }
}
