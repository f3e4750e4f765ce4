import DBus
import EventLoops
import TestSupport
import Testing

@testable import BlueZ

@Suite("A hostile daemon", .timeLimit(.minutes(10)))
struct HostileDaemonTests {
    private static let newcomer = Strap.adapter + "/dev_C0_52_49_00_00_09"

    /// Properties of a well-formed peripheral that the client does not know yet.
    private static func newcomerProperties() throws -> [(name: String, value: DBusValue)] {
        var properties = try Strap.deviceProperties()
        for index in properties.indices {
            switch properties[index].name {
            case "Address": properties[index].value = .string("C0:52:49:00:00:09")
            case "Name": properties[index].value = .string("Well")
            default: break
            }
        }
        return properties
    }

    private func wait(for words: String, in bench: Bench) async throws {
        try await awaitCondition(words) { bench.text.contains(words) }
    }

    /// Reads the warnings of a client from its beginning to its end.
    private func warnings(of bench: Bench) async -> Task<[InputWarning], Never> {
        let warnings = await bench.bluez.warnings()
        return Task { await warnings.reduce(into: []) { $0.append($1) } }
    }

    @Test(
        "hundreds of malformed signals are survived, reported once per kind, and valid ones are then handled",
        arguments: [1, 2, 3, 4] as [UInt64])
    func signals(seed: UInt64) async throws {
        let (bench, fake) = try await Bench.withStrap()
        let reader = await warnings(of: bench)
        try await bench.bluez.startNotify(try Strap.reference())
        var garbage = Garbage(seed: seed)
        var sent = 0
        for number in 0..<400 {
            let (path, interface, member, arguments) = garbage.signal(isGreat: number % 80 == 40)
            do throws(DBusConnectionError) {
                try await fake.connection.emit(path, interface, member, arguments)
                sent += 1
            } catch {
                // Some are nested deeper than D-Bus lets anybody; nothing else may go wrong.
                guard case .invalidMessage = error else { throw error }
            }
        }
        #expect(sent > 300)
        try await fake.connection.emit(
            try path(Strap.measurement), Name.properties, "PropertiesChanged",
            [
                .string(Name.characteristic), .properties([("Value", .bytes(Array(repeating: 1, count: 513)))]),
                .strings([]),
            ])
        try await fake.connection.export(
            try path(Self.newcomer), [ExportedInterface(Name.device, properties: try Self.newcomerProperties())])
        try await wait(for: "Well added", in: bench)
        #expect(bench.notifications.allSatisfy { $0.count <= InputBounds.valueLength })
        #expect(await bench.bluez.ignored.malformed > 100)
        let late = await warnings(of: bench)
        await bench.bluez.stop()
        let warnings = await reader.value
        #expect(Set(warnings.map(\.kind)).count == warnings.count)
        #expect(Set(warnings.map(\.kind)).isSuperset(of: [.signal, .object, .property, .value]))
        #expect(await late.value == warnings)
        await fake.die()
    }

    /// Owns the name with nothing behind it but answers that the caller gives.
    private func start(
        on bench: Bench, answering answer: @escaping @Sendable () -> [DBusValue]
    ) async throws -> DBusConnection {
        let connection = try await DBusConnection.connect(
            to: .address(bench.bus.address), on: bench.daemonLoop.loop)
        let method = ExportedMethod("GetManagedObjects", output: "a{oa{sa{sv}}}") {
            _ async throws(DBusConnectionError) in
            answer()
        }
        try await connection.export(.root, [ExportedInterface(Name.objectManager, methods: [method])])
        #expect(try await connection.requestName(Name.bluez))
        return connection
    }

    @Test("malformed lists of objects are requested again until one is valid", arguments: [1, 2, 3] as [UInt64])
    func objectLists(seed: UInt64) async throws {
        let bench = try await Bench()
        let reader = await warnings(of: bench)
        let garbage = GarbageSource(seed: seed)
        let right = DBusValue.dictionary(
            [
                DBusEntry(
                    .objectPath(try path(Self.newcomer)),
                    .dictionary(
                        [
                            DBusEntry(
                                .string(Name.device),
                                .properties(try Self.newcomerProperties().map { ($0.name, $0.value) }))
                        ], key: .string, value: .properties))
            ], key: .objectPath, value: .dictionary(key: .string, value: .properties))
        let connection = try await start(on: bench) {
            garbage.next { garbage, number in
                switch number {
                case 1: [garbage.manifold()]
                // A list of the right type would be taken, with what is right in it.
                case 2: garbage.objects().filter { $0.type != right.type }
                default: [right]
                }
            }
        }
        await bench.bluez.start()
        try await wait(for: "Well added", in: bench)
        #expect(bench.text.contains("daemon unusable"))
        await bench.bluez.stop()
        #expect(await reader.value.map(\.kind) == [.objectList])
        await connection.close()
    }

    @Test(
        "a list of the right type with senseless objects gives what is right in it",
        arguments: [5, 6, 7, 8] as [UInt64])
    func objects(seed: UInt64) async throws {
        let bench = try await Bench()
        let garbage = GarbageSource(seed: seed, isDeep: false)
        let connection = try await start(on: bench) {
            garbage.next { garbage, _ in
                let entries = (0..<2000).map { _ in DBusEntry(.objectPath(garbage.path()), garbage.interfaces()) }
                return [.dictionary(entries, key: .objectPath, value: .dictionary(key: .string, value: .properties))]
            }
        }
        await bench.bluez.start()
        try await wait(for: "daemon running", in: bench)
        try await connection.emit(
            .root, Name.objectManager, "InterfacesAdded",
            [
                .objectPath(try path(Self.newcomer)),
                .dictionary(
                    [
                        DBusEntry(
                            .string(Name.device), .properties(try Self.newcomerProperties().map { ($0.name, $0.value) })
                        )
                    ], key: .string, value: .properties),
            ])
        try await wait(for: "Well added", in: bench)
        #expect(await bench.bluez.ignored.malformed > 0)
        await bench.bluez.stop()
        await connection.close()
    }
}
