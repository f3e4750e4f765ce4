import Base
import BlueZ
import BlueZSimulator
import DBus
import Doctor
import EventLoops
import Glibc
import UserFiles
import VitalDecoders
import Vitals

/// Collects facts from the message bus and bluetoothd, with a time limit for each answer.
@ScreenActor
struct BluetoothExamination {
    /// The greatest time that one answer may take.
    var limit = Duration.seconds(3)
    var facts = BluetoothFacts()

    private static let adapterLimit = 16

    init() {}

    /// Collects all available facts.
    mutating func run() async -> BluetoothFacts {
        facts.busAddress = Environment.value("DBUS_SYSTEM_BUS_ADDRESS")
        examineComputer()
        await examineBus()
        if facts.version == nil, !facts.isSimulated { facts.version = InstalledDaemon.version() }
        return facts
    }

    private mutating func examineBus() async {
        switch await connect(to: .system) {
        case nil: facts.bus = .timedOut(seconds: seconds)
        case .failure(let failure): facts.bus = .absent(reason: "\(failure)")
        case .success(let connection):
            facts.bus = .yes
            await examineDaemon(connection)
            await connection.close()
            if facts.objects == .yes { facts.ignored = await ignoredInput() }
        }
    }

    /// The invalid objects of bluetoothd that `BlueZ` ignores.
    private func ignoredInput() async -> [String] {
        let loop = EventLoop()
        loop.startThread(named: "bluez")
        let bluez = BluetoothCentral(loop: loop)
        let warnings = await loop.result(within: limit) { () -> [String] in
            await bluez.start()
            for await event in await bluez.events() {
                // The objects are read in the same turn as this event.
                if case .daemon(.running) = event.kind { break }
            }
            let warnings = await bluez.warnings()
            await bluez.stop()
            var sentences: [String] = []
            for await warning in warnings { sentences.append(sanitized(warning.description, limit: 200)) }
            return sentences
        }
        return warnings ?? []
    }

    /// Connects to a bus; `nil` when it does not answer in time.
    private func connect(to address: BusAddress) async -> Result<DBusConnection, DBusConnectionError>? {
        do throws(DBusConnectionError) {
            return .success(try await DBusConnection.connect(to: address, on: ScreenActor.loop, within: limit))
        } catch {
            return error.isWithoutAnswer ? nil : .failure(error)
        }
    }

    /// Whether the desktop can show notifications: a program owns the name, or would be started by a call.
    func notifications() async -> Answer {
        guard BusAddress.hasSessionBus else { return .unasked }
        guard case .success(let connection)? = await connect(to: .session) else { return .absent(reason: "") }
        let name = "org.freedesktop.Notifications"
        do throws(DBusConnectionError) {
            if try await owner(of: name, connection) { return .yes }
            let reply = try await connection.call(
                "org.freedesktop.DBus", .root, "org.freedesktop.DBus", "ListActivatableNames", timeout: limit)
            let isActivatable = reply.first?.elements?.contains { $0.text == name } ?? false
            return isActivatable ? .yes : .absent(reason: "")
        } catch {
            return answer(for: error)
        }
    }

    private mutating func examineDaemon(_ connection: DBusConnection) async {
        do throws(DBusConnectionError) {
            facts.isSimulated = try await owner(of: Simulator.controlName, connection)
            // The kernel's switches do not concern simulated adapters.
            if facts.isSimulated { facts.switches = [] }
            facts.daemon = try await owner(of: "org.bluez", connection) ? .yes : .absent(reason: "")
        } catch {
            facts.daemon = answer(for: error)
        }
        guard facts.daemon == .yes else { return }
        do throws(DBusConnectionError) {
            let reply = try await connection.call(
                "org.bluez", .root, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", timeout: limit)
            guard let objects = reply.first?.entries else {
                facts.objects = .nonsense(reason: "its list of objects is malformed")
                return
            }
            facts.objects = .yes
            examine(objects)
        } catch {
            facts.objects = answer(for: error)
        }
    }

    /// Whether a name has an owner; asking does not start a service.
    private func owner(of name: String, _ connection: DBusConnection) async throws(DBusConnectionError) -> Bool {
        let reply = try await connection.call(
            "org.freedesktop.DBus", .root, "org.freedesktop.DBus", "NameHasOwner", [.string(name)], timeout: limit)
        guard let isOwned = reply.first?.isTrue else {
            throw .unexpectedReply(expected: "b", found: "something else")
        }
        return isOwned
    }

    private mutating func examine(_ objects: [DBusEntry]) {
        for object in objects {
            guard let path = object.key.text, let interfaces = object.value.entries,
                let properties = interfaces.first(where: { $0.key.text == "org.bluez.Adapter1" })?.value.namedValues
            else { continue }
            if facts.version == nil, let modalias = properties["Modalias"]?.text {
                facts.version = DaemonVersion.version(modalias: modalias)
            }
            let name = path.split(separator: "/").last.map(String.init) ?? path
            // Newer versions of BlueZ report the block; the kernel's switch, if known, has more detail.
            if properties["PowerState"]?.text == "off-blocked", !facts.switches.contains(where: { $0.name == name }) {
                facts.switches.append(RadioSwitchFacts(name: name, isSoftBlocked: true, isHardBlocked: false))
            }
            facts.adapters.append(
                AdapterFacts(
                    name: name,
                    address: properties["Address"]?.text, isPowered: properties["Powered"]?.isTrue,
                    roles: properties["Roles"]?.elements?.compactMap(\.text)))
            if facts.adapters.count == Self.adapterLimit { break }
        }
        facts.adapters.sort { $0.name < $1.name }
        facts.waveLinks = waveLinks(in: objects)
    }

    /// The links of connected Polar straps, whose ECG needs room; the daemon names the room of connected sensors only.
    private func waveLinks(in objects: [DBusEntry]) -> [WaveLinkFacts] {
        var names: [String: String] = [:]
        var links: [String: Int] = [:]
        for object in objects {
            guard let path = object.key.text, let interfaces = object.value.entries else { continue }
            for interface in interfaces {
                guard let properties = interface.value.namedValues else { continue }
                if interface.key.text == "org.bluez.Device1", properties["Connected"]?.isTrue == true {
                    names[path] = properties["Alias"]?.text ?? properties["Address"]?.text ?? path
                }
                if interface.key.text == "org.bluez.GattCharacteristic1",
                    properties["UUID"]?.text.flatMap(BluetoothUUID.init)
                        == CharacteristicType.polarMeasurementData.uuid,
                    let transferUnit = properties["MTU"]?.integer
                {
                    // …/dev_XX/serviceYYYY/charZZZZ
                    links[path.split(separator: "/").dropLast(2).map { "/\($0)" }.joined()] = transferUnit
                }
            }
        }
        return links.compactMap { device, transferUnit in
            names[device].map { WaveLinkFacts(name: $0, transferUnit: transferUnit) }
        }.sorted { $0.name < $1.name }
    }

    private var seconds: Int { Int(limit.components.seconds) }

    private func answer(for error: DBusConnectionError) -> Answer {
        switch error {
        case .timedOut: .timedOut(seconds: seconds)
        case .remote("org.freedesktop.DBus.Error.AccessDenied", let message): .denied(reason: message)
        case .remote("org.freedesktop.DBus.Error.NoReply", _): .nonsense(reason: "it disconnected before it answered")
        default: .nonsense(reason: "\(error)")
        }
    }
}
