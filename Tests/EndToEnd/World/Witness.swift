import DBus
import Testing

/// A bystander on the bus, who counts every value that bluetoothd delivers.
actor Witness {
    nonisolated var unownedExecutor: UnownedSerialExecutor { Harness.loop.asUnownedSerialExecutor() }

    private let connection: DBusConnection
    /// The UUIDs of characteristics by their paths, which stay the same as long as the sensor does.
    private var characteristics: [String: String] = [:]
    /// How many values came, by the short UUID of their characteristic.
    private(set) var delivered: [String: Int] = [:]

    /// Begins to count.
    static func begin(in world: World) async throws -> Witness {
        let connection = try await DBusConnection.connect(to: .address(world.address), on: Harness.loop)
        let witness = Witness(connection: connection)
        try await connection.handleSignals(
            matching: SignalMatch(sender: "org.bluez", pathNamespace: .root), in: witness
        ) { $0.take($1) }
        return witness
    }

    /// How many values of some characteristics came.
    func delivered(_ characteristics: [String]) -> Int {
        characteristics.reduce(0) { $0 + delivered[$1, default: 0] }
    }

    private init(connection: DBusConnection) {
        self.connection = connection
    }

    private func take(_ signal: borrowing DBusMessageView) {
        var reader = signal.arguments()
        let values = reader.readValues()
        switch signal.member {
        case "InterfacesAdded" where values.count == 2:
            let interfaces = values[1].entries ?? []
            guard let path = values[0].text,
                let properties = interfaces.first(where: { $0.key.text == "org.bluez.GattCharacteristic1" })?.value
                    .namedValues
            else { return }
            characteristics[path] = properties["UUID"]?.text
        case "PropertiesChanged" where values.count == 3:
            guard values[1].namedValues?["Value"] != nil, let uuid = characteristics[signal.path ?? ""] else { return }
            delivered[String(uuid.dropFirst(4).prefix(4)), default: 0] += 1
        default: break
        }
    }
}
