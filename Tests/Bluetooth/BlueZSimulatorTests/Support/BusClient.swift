import BlueZSimulator
import DBus
import EventLoops

/// A client of the simulator, with a connection of its own.
struct BusClient: Sendable {
    let connection: DBusConnection
    let log: BusLog

    static func connect(to address: String, on loop: EventLoop) async throws -> BusClient {
        let connection = try await DBusConnection.connect(to: .address(address), on: loop)
        let log = BusLog(loop: loop)
        try await connection.handleSignals(matching: SignalMatch(pathNamespace: .root), in: log) { log, signal in
            if let line = Self.line(signal) { log.append(line) }
        }
        return BusClient(connection: connection, log: log)
    }

    private static func line(_ signal: borrowing DBusMessageView) -> String? {
        let path = ShortText.path(signal.path ?? "")
        var reader = signal.arguments()
        let values = reader.readValues()
        switch signal.member {
        case "PropertiesChanged" where values.count == 3:
            let invalidated = values[2].elements ?? []
            let gone = invalidated.isEmpty ? "" : " gone \(ShortText.value(values[2]))"
            return "\(path) \(ShortText.interface(values[0].text ?? "")) \(ShortText.value(values[1]))\(gone)"
        case "InterfacesAdded" where values.count == 2:
            let names = (values[1].entries ?? []).map { ShortText.interface($0.key.text ?? "") }
            return "+ \(ShortText.path(values[0].text ?? "")) \(names.joined(separator: " "))"
        case "InterfacesRemoved" where values.count == 2:
            let names = (values[1].elements ?? []).map { ShortText.interface($0.text ?? "") }
            return "- \(ShortText.path(values[0].text ?? "")) \(names.joined(separator: " "))"
        case "NameOwnerChanged" where values.first?.text == "org.bluez" && values.count == 3:
            return values[2].text == "" ? "org.bluez is gone" : "org.bluez is there"
        default:
            return nil
        }
    }

    // MARK: Calls

    /// Makes a call; its answer is a line of the log too, such as `Connect => ok`.
    @discardableResult
    func call(
        _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []
    ) async throws -> [DBusValue] {
        let long = path.replacing("/hci0", with: "/org/bluez/hci0").replacing(
            /^\/D([0-9])/, with: { "/org/bluez/hci0/dev_C0_52_49_00_00_0\($0.output.1)" })
        guard let objectPath = ObjectPath(long) else { throw DBusConnectionError.invalidMessage(path) }
        let name = interface.hasPrefix("org.") ? interface : "org.bluez.\(interface)"
        do {
            let values = try await connection.call(
                "org.bluez", objectPath, name, member, arguments, timeout: .seconds(60))
            await log.append("\(member) => ok")
            return values
        } catch {
            await log.append("\(member) => \(error)")
            throw error
        }
    }

    /// Makes a call that is expected to fail; answers the error's name and message.
    func failure(
        _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []
    ) async -> String {
        do {
            return "ok \(try await call(path, interface, member, arguments))"
        } catch {
            return "\(error)".replacing("org.bluez.Error.", with: "")
        }
    }

    func property(_ path: String, _ interface: String, _ name: String) async throws -> String {
        let values = try await call(
            path, "org.freedesktop.DBus.Properties", "Get", [.string("org.bluez.\(interface)"), .string(name)])
        return values.first.map { ShortText.value($0) } ?? "nothing"
    }

    func set(_ path: String, _ interface: String, _ name: String, _ value: DBusValue) async throws {
        try await call(
            path, "org.freedesktop.DBus.Properties", "Set",
            [.string("org.bluez.\(interface)"), .string(name), .variant(value)])
    }

    /// The paths of everything that there is, sorted.
    func objects() async throws -> [String] {
        let values = try await call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        return (values.first?.entries ?? []).compactMap { $0.key.text.map(ShortText.path) }.sorted()
    }

    // MARK: Steps that many tests begin with

    /// Discovers with the filter that our own program sets, until a device is there.
    func discover(until device: String) async throws {
        try await call(
            "/hci0", "Adapter1", "SetDiscoveryFilter", [.properties([("Transport", .string("le"))])])
        try await call("/hci0", "Adapter1", "StartDiscovery")
        try await log.wait(beginning: "+ \(device) Device1")
    }

    /// Discovers, stops the discovery, connects and waits for the services and the battery.
    func attach(_ device: String) async throws {
        try await discover(until: device)
        try await call("/hci0", "Adapter1", "StopDiscovery")
        try await call(device, "Device1", "Connect")
        try await log.wait(beginning: "+ \(device) Battery1")
    }
}
