import DBus

// `org.bluez.AdvertisementMonitorManager1` of the adapter.
extension Simulator {
    /// The interface by which clients register monitors.
    static func monitoringInterface(_ methods: MethodTable) -> ExportedInterface {
        ExportedInterface(
            "org.bluez.AdvertisementMonitorManager1",
            properties: [("SupportedMonitorTypes", .strings(["or_patterns"])), ("SupportedFeatures", .strings([]))],
            methods: [
                methods.asynchronous("RegisterMonitor", "o") { simulator, call async throws(DBusConnectionError) in
                    try await simulator.registerMonitor(call)
                },
                methods.asynchronous("UnregisterMonitor", "o") { simulator, call async throws(DBusConnectionError) in
                    let (adapter, application) = try simulator.registered(call)
                    guard adapter.monitors.remove(application) else { throw .doesNotExist }
                },
            ])
    }

    private func registerMonitor(_ call: IncomingCall) async throws(DBusConnectionError) {
        let (adapter, application) = try registered(call)
        let monitors = adapter.monitors
        guard let connection = daemonConnection else { throw .disconnected }
        guard monitors.add(application) else { throw .alreadyExists }
        if bluetoothd?.monitoringClients.insert(application.client).inserted == true {
            // On a lost bus there is nothing to receive.
            try? await watchMonitors(of: application.client, on: connection)
        }
        guard let objects = await managedObjects(of: application, on: connection)?.entries else {
            _ = monitors.remove(application)
            throw .failed("Failed to create Adv Monitor app")
        }
        for object in objects {
            if case .objectPath(let path) = object.key { addMonitor(path, of: application, object.value) }
        }
    }

    /// Takes an object of a client with its interfaces, if it is a monitor.
    private func addMonitor(
        _ path: ObjectPath, of application: ClientObject, _ interfaces: DBusValue
    ) {
        let monitor = interfaces.entries?.first { $0.key.text == AdvertisementMonitors.interface }
        guard let properties = monitor?.value.namedValues, let adapter = bluetoothd?.adapter else { return }
        adapter.monitors.add(path, of: application, properties) { [weak adapter] in adapter?.listenForMonitors() }
    }

    /// Learns of the monitors that a client adds and removes later.
    private func watchMonitors(of client: String, on connection: DBusConnection) async throws(DBusConnectionError) {
        try await connection.handleSignals(
            matching: SignalMatch(sender: client, interface: "org.freedesktop.DBus.ObjectManager"), in: self
        ) { simulator, signal in
            var arguments = signal.arguments()
            guard let monitors = simulator.bluetoothd?.adapter?.monitors,
                let path = arguments.readText().flatMap({ ObjectPath($0) }), let second = arguments.readValue()
            else { return }
            if signal.member == "InterfacesAdded" {
                for application in monitors.applications where application.client == client {
                    simulator.addMonitor(path, of: application, second)
                }
            } else if second.elements?.contains(where: { $0.text == AdvertisementMonitors.interface }) == true {
                monitors.remove(path, of: client)
            }
        }
    }
}
