import DBus
import EventLoops

/// A program that owns `org.freedesktop.Notifications` and remembers its calls.
public actor StandInDesktop {
    /// Runs this actor on the loop of its connection.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

    private static let service = "org.freedesktop.Notifications"
    private static let path = ObjectPath("/org/freedesktop/Notifications") ?? .root

    private let connection: DBusConnection
    /// What is shown now, by its number: summary and body, with `|` between them.
    public private(set) var shown: [Int: String] = [:]
    /// The urgency of each notification that was ever shown, by its number.
    public private(set) var urgencies: [Int: Int] = [:]
    /// How often it was asked to show something.
    public private(set) var calls = 0
    /// Whether it takes calls and never answers them.
    public private(set) var isHung = false
    private var last = 0
    /// What a hung desktop waits for: nothing ever comes.
    private let never = AsyncStream<Void>.makeStream()

    /// Begins to show notifications on a bus.
    ///
    /// - Parameters:
    ///   - address: The bus.
    ///   - loop: The loop on whose thread it does.
    ///   - capabilities: What it says that it can.
    public static func start(
        at address: String, on loop: EventLoop, capabilities: [String] = []
    ) async throws -> StandInDesktop {
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

    private func notify(_ arguments: [DBusValue]) async -> [DBusValue] {
        calls += 1
        await hangIfAsked()
        var number = arguments[1].integer ?? 0
        if number == 0 {
            last += 1
            number = last
        }
        shown[number] = "\(arguments[3].text ?? "")|\(arguments[4].text ?? "")"
        urgencies[number] = arguments[6].namedValues?["urgency"]?.integer
        return [.uint32(UInt32(number))]
    }

    private func close(_ arguments: [DBusValue]) async -> [DBusValue] {
        await hangIfAsked()
        if let number = arguments[0].integer { shown[number] = nil }
        return []
    }

    private func hangIfAsked() async {
        guard isHung else { return }
        for await _ in never.stream {}
    }

    /// Takes calls from now on and never answers them.
    public func hang() {
        isHung = true
    }

    /// The user closes a notification.
    public func dismiss(_ number: Int) async throws {
        shown[number] = nil
        try await connection.emit(
            Self.path, Self.service, "NotificationClosed", [.uint32(UInt32(number)), .uint32(2)])
    }

    /// The program ends.
    public func leave() async {
        await connection.close()
    }
}

/// Somebody else shows notifications on the bus already.
public struct NameIsTaken: Error {}
