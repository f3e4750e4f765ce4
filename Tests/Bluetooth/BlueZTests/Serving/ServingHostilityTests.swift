import DBus
import TestSupport
import Testing

@testable import BlueZ

/// A served bed whose objects are on the bus, with the daemon and a stranger that call them.
private struct ServedBench {
    static let name = "/served1/application/service0/characteristic0"
    static let height = "/served1/application/service0/characteristic1"
    static let occupied = "/served1/application/service0/characteristic2"

    let bench: Bench
    let daemon: FakeBlueZ
    let stranger: DBusConnection
    let bed: DeviceServer<ServedBed>
    let heights: AsyncStream<ReceivedWrite<UInt16>>
    let client: String

    init() async throws {
        bench = try await Bench()
        daemon = try await bench.startDaemon()
        try await daemon.addAdapter()
        stranger = try await DBusConnection.connect(to: .address(bench.bus.address), on: bench.daemonLoop.loop)
        await bench.bluez.start()
        bed = DeviceServer(ServedBed.self, of: bench.bluez)
        try await bed.frame.name.setValue("One")
        heights = try await bed.frame.height.receivedWrites()
        try await bed.start()
        // This daemon has no manager to register with; the objects are there nevertheless.
        for await state in await bed.states() { if case .refused = state { break } }
        client = try #require(await bench.bluez.connection?.uniqueName)
    }

    /// Calls an object; answers the octets that come back, or the name of the error.
    func call(
        _ connection: DBusConnection, _ path: String, _ member: String, _ arguments: [DBusValue] = []
    ) async throws -> String {
        do throws(DBusConnectionError) {
            let answer = try await connection.call(
                client, ObjectPath(path) ?? .root, Name.characteristic, member, arguments)
            return "\(answer.first?.bytes ?? [])"
        } catch {
            return error.name ?? "\(error)"
        }
    }

    func read(_ connection: DBusConnection, _ options: [(String, DBusValue)] = []) async throws -> String {
        try await call(connection, Self.name, "ReadValue", [.properties(options)])
    }

    func write(_ connection: DBusConnection, _ octets: [UInt8], _ options: [(String, DBusValue)] = []) async throws
        -> String
    {
        try await call(connection, Self.height, "WriteValue", [.bytes(octets), .properties(options)])
    }
}

@Suite("A served characteristic", .timeLimit(.minutes(10)))
struct ServingHostilityTests {
    @Test("answers the daemon, and no other program")
    func strangers() async throws {
        let bench = try await ServedBench()
        #expect(try await bench.read(bench.daemon.connection) == "\(Array("One".utf8))")
        let refused = "org.bluez.Error.NotAuthorized"
        #expect(try await bench.read(bench.stranger) == refused)
        #expect(try await bench.write(bench.stranger, [1, 0]) == refused)
        #expect(try await bench.call(bench.stranger, ServedBench.occupied, "StartNotify") == refused)
        #expect(await !bench.bed.frame.occupied.isSubscribed)
        #expect(await bench.bench.bluez.ignored.foreignSignals == 3)
    }

    @Test("refuses what it does not offer, malformed values and wrong offsets by their names")
    func refusals() async throws {
        let bench = try await ServedBench()
        let daemon = bench.daemon.connection
        #expect(try await bench.read(daemon, [("offset", .uint16(3))]) == "[]")
        #expect(try await bench.read(daemon, [("offset", .uint16(4))]) == "org.bluez.Error.InvalidOffset")
        #expect(try await bench.read(daemon, [("offset", .uint16(9999))]) == "org.bluez.Error.InvalidOffset")
        #expect(try await bench.read(daemon, [("offset", .string("1"))]) == "org.bluez.Error.InvalidArguments")
        #expect(try await bench.write(daemon, [1]) == "org.bluez.Error.InvalidValueLength")
        let long = [UInt8](repeating: 0, count: 513)
        #expect(try await bench.write(daemon, long) == "org.bluez.Error.InvalidValueLength")
        #expect(try await bench.write(daemon, [1, 0], [("offset", .uint16(1))]) == "org.bluez.Error.InvalidOffset")
        let empty = DBusValue.properties([])
        #expect(
            try await bench.call(daemon, ServedBench.name, "WriteValue", [.bytes([1]), empty])
                == "org.bluez.Error.NotPermitted")
        #expect(
            try await bench.call(daemon, ServedBench.height, "ReadValue", [empty]) == "org.bluez.Error.NotPermitted")
        #expect(try await bench.call(daemon, ServedBench.name, "StartNotify") == "org.bluez.Error.NotSupported")
        #expect(try await bench.write(daemon, [7, 0], [("type", .string("command"))]) == "[]")
        var heights = bench.heights.makeAsyncIterator()
        let height = await heights.next()
        #expect(height?.value == 7)
        #expect(height?.mode == .withoutResponse)
        #expect(height?.central == nil)
    }

    @Test("refuses writes that a reader does not keep up with, and goes on when it does")
    func flood() async throws {
        let bench = try await ServedBench()
        for number in 0..<256 {
            #expect(try await bench.write(bench.daemon.connection, [UInt8(number), 0]) == "[]")
        }
        #expect(try await bench.write(bench.daemon.connection, [1, 1]) == "org.bluez.Error.InProgress")
        var heights = bench.heights.makeAsyncIterator()
        #expect(await heights.next()?.value == 0)
        #expect(try await bench.write(bench.daemon.connection, [2, 1]) == "[]")
    }

    @Test("sends its values to the daemon alone, and only to a subscriber")
    func secrecy() async throws {
        let bench = try await ServedBench()
        let match = SignalMatch(interface: Name.properties, path: ObjectPath(ServedBench.occupied))
        var received = try await bench.daemon.connection.signals(matching: match).makeAsyncIterator()
        var overheard = try await bench.stranger.signals(matching: match).makeAsyncIterator()
        #expect(try await !bench.bed.frame.occupied.send(true))
        _ = try await bench.call(bench.daemon.connection, ServedBench.occupied, "StartNotify")
        #expect(try await bench.bed.frame.occupied.send(false))
        #expect(
            await received.next()?.arguments == [
                .string(Name.characteristic), .properties([("Value", .bytes([0]))]), .strings([]),
            ])
        // The first signal that the stranger receives is one to all.
        let client = try #require(await bench.bench.bluez.connection)
        try await client.emit(path(ServedBench.occupied), Name.properties, "Public", [])
        #expect(await overheard.next()?.member == "Public")
    }

    @Test("cannot be changed in its kind once it is served")
    func fixed() async throws {
        let bench = try await ServedBench()
        let frame = bench.bed.frame
        try await frame.name.setValue("Two")
        #expect(try await bench.read(bench.daemon.connection) == "\(Array("Two".utf8))")
        let long = String(repeating: "a", count: 513)
        await #expect(throws: ServingError.valueTooLong(octets: 513)) { try await frame.name.setValue(long) }
        await #expect(throws: ServingError.notServed(BluetoothUUID(0xFEE4))) { try await frame.weight.setValue(1) }
        await #expect(throws: ServingError.notServed(BluetoothUUID(0xFEE1))) {
            _ = try await frame.name.receivedWrites()
        }
        await #expect(throws: ServingError.notServed(BluetoothUUID(0xFEE1))) { _ = try await frame.name.send("Three") }
        await #expect(throws: ServingError.alreadyStarted) { try await frame.name.offer([.read, .write]) }
        await #expect(throws: ServingError.alreadyStarted) { try await bench.bed.start() }
    }
}
