import DBus
import EventLoop
import TestSupport

/// A program that owns `org.freedesktop.Notifications` and remembers what it is told.
actor StandInDesktop {
    nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

    static let service = "org.freedesktop.Notifications"
    private static let path = ObjectPath("/org/freedesktop/Notifications") ?? .root

    let connection: DBusConnection
    /// What is shown now, by its number: summary and body.
    private(set) var shown: [Int: String] = [:]
    private(set) var urgencies: [Int: Int] = [:]
    private(set) var calls = 0
    private var last = 0

    static func start(at address: String, on loop: EventLoop, capabilities: [String] = []) async throws
        -> StandInDesktop
    {
        let connection = try await DBusConnection.connect(to: .address(address), on: loop)
        let desktop = StandInDesktop(connection)
        try await desktop.offer(capabilities)
        guard try await connection.requestName(service) else { throw NameIsTaken() }
        return desktop
    }

    private init(_ connection: DBusConnection) {
        self.connection = connection
    }

    private func offer(_ capabilities: [String]) async throws {
        let methods = [
            ExportedMethod("GetServerInformation", output: "ssss") { _ in
                [.string("stand-in"), .string("tests"), .string("1"), .string("1.2")]
            },
            ExportedMethod("GetCapabilities", output: "as") { _ in [.strings(capabilities)] },
            ExportedMethod("Notify", input: "susssasa{sv}i", output: "u") { call in await self.notify(call.arguments) },
            ExportedMethod("CloseNotification", input: "u") { call in await self.close(call.arguments) },
        ]
        try await connection.export(Self.path, [ExportedInterface(Self.service, methods: methods)])
    }

    private func notify(_ arguments: [DBusValue]) -> [DBusValue] {
        calls += 1
        var number = arguments[1].integer ?? 0
        if number == 0 {
            last += 1
            number = last
        }
        shown[number] = "\(arguments[3].text ?? "")|\(arguments[4].text ?? "")"
        urgencies[number] = arguments[6].namedValues?["urgency"]?.integer
        return [.uint32(UInt32(number))]
    }

    private func close(_ arguments: [DBusValue]) -> [DBusValue] {
        if let number = arguments[0].integer { shown[number] = nil }
        return []
    }

    /// The user closes a notification.
    func dismiss(_ number: Int) async throws {
        shown[number] = nil
        try await connection.emit(
            Self.path, Self.service, "NotificationClosed", [.uint32(UInt32(number)), .uint32(2)])
    }

    func leave() async {
        await connection.close()
    }
}

/// Somebody else shows notifications on the bus already.
struct NameIsTaken: Error {}
