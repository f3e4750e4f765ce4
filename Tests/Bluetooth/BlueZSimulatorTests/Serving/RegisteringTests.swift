import DBus
import TestSupport
import Testing

@testable import BlueZSimulator

extension BusClient {
    /// Offers an application with one readable characteristic, below a path of its own.
    fileprivate func offerApplication(at path: String) async throws {
        let root = try #require(ObjectPath(path))
        let service = root.child("s")
        await connection.exportObjectManager(at: root)
        try await connection.export(
            service,
            [
                ExportedInterface(
                    "org.bluez.GattService1", properties: [("UUID", .string("180d")), ("Primary", .boolean(true))])
            ])
        let read = ExportedMethod("ReadValue", input: "a{sv}", output: "ay") { _ in [.bytes([1])] }
        try await connection.export(
            service.child("c"),
            [
                ExportedInterface(
                    "org.bluez.GattCharacteristic1",
                    properties: [
                        ("UUID", .string("2a38")), ("Service", .objectPath(service)), ("Flags", .strings(["read"])),
                    ], methods: [read])
            ])
    }

    /// Offers an advertisement with a name.
    fileprivate func offerAdvertisement(at path: String, name: DBusValue = .string("Bed")) async throws {
        try await connection.export(
            try #require(ObjectPath(path)),
            [ExportedInterface("org.bluez.LEAdvertisement1", properties: [("LocalName", name)])])
    }

    /// Calls a manager with the path of an object; answers the error, or `ok []`.
    fileprivate func manage(_ member: String, _ path: String) async throws -> String {
        let object = DBusValue.objectPath(try #require(ObjectPath(path)))
        let isAbout = member.contains("Application") ? "GattManager1" : "LEAdvertisingManager1"
        return await failure(
            "/hci0", isAbout, member, member.hasPrefix("Register") ? [object, .properties([])] : [object])
    }
}

@Suite("Registering services and advertisements", .timeLimit(.minutes(10)))
struct RegisteringTests {
    @Test("an application is taken once, and forgotten when it is unregistered")
    func application() async throws {
        try await withSimulator { client, bench in
            try await client.offerApplication(at: "/app")
            #expect(try await client.manage("UnregisterApplication", "/app") == "DoesNotExist: Does Not Exist")
            #expect(try await client.manage("RegisterApplication", "/app") == "ok []")
            #expect(try await client.manage("RegisterApplication", "/app") == "AlreadyExists: Already Exists")
            #expect(await bench.simulator.servedCharacteristics == [BluetoothUUID(0x2A38)])
            #expect(try await client.manage("UnregisterApplication", "/app") == "ok []")
            #expect(await bench.simulator.servedCharacteristics == [])
        }
    }

    @Test("an application without objects is refused, and can then be registered with some")
    func refusedApplication() async throws {
        try await withSimulator { client, bench in
            #expect(try await client.manage("RegisterApplication", "/app") == "Failed: No object received")
            try await client.offerApplication(at: "/app")
            #expect(try await client.manage("RegisterApplication", "/app") == "ok []")
        }
    }

    @Test("an advertisement is taken once, up to five of them, and not without power")
    func advertisements() async throws {
        try await withSimulator { client, bench in
            for number in 0..<6 { try await client.offerAdvertisement(at: "/ad\(number)") }
            try await client.offerAdvertisement(at: "/bad", name: .byte(1))
            #expect(
                try await client.manage("RegisterAdvertisement", "/bad") == "Failed: Failed to parse advertisement.")
            for number in 0..<5 { #expect(try await client.manage("RegisterAdvertisement", "/ad\(number)") == "ok []") }
            #expect(try await client.manage("RegisterAdvertisement", "/ad0") == "AlreadyExists: Already Exists")
            #expect(
                try await client.manage("RegisterAdvertisement", "/ad5")
                    == "NotPermitted: Maximum advertisements reached")
            #expect(try await client.property("/hci0", "LEAdvertisingManager1", "ActiveInstances") == "5")
            #expect(try await client.manage("UnregisterAdvertisement", "/ad0") == "ok []")
            #expect(try await client.manage("UnregisterAdvertisement", "/ad0") == "DoesNotExist: Does Not Exist")
            #expect(await bench.simulator.advertisements.map(\.name) == ["Bed", "Bed", "Bed", "Bed"])
            try await bench.perform("power off")
            #expect(await bench.simulator.advertisements.isEmpty)
            #expect(
                try await client.manage("RegisterAdvertisement", "/ad5") == "Failed: Failed to register advertisement")
        }
    }

    @Test("what a client has registered ends with it")
    func clientLeaves() async throws {
        try await withSimulator { client, bench in
            let other = try await bench.client()
            try await other.offerApplication(at: "/app")
            try await other.offerAdvertisement(at: "/ad")
            #expect(try await other.manage("RegisterApplication", "/app") == "ok []")
            #expect(try await other.manage("RegisterAdvertisement", "/ad") == "ok []")
            await other.connection.close()
            try await awaitCondition("the advertisement has ended") { await bench.simulator.advertisements.isEmpty }
            #expect(await bench.simulator.servedCharacteristics.isEmpty)
            try await client.offerApplication(at: "/app")
            #expect(try await client.manage("RegisterApplication", "/app") == "ok []")
            #expect(await bench.simulator.servedCharacteristics == [BluetoothUUID(0x2A38)])
        }
    }

    @Test("a central connects only to what is advertised, and is a device as long as its link")
    func central() async throws {
        try await withSimulator { client, bench in
            await #expect(throws: SimulatorError.notAdvertised) { _ = try await bench.simulator.connectCentral() }
            try await client.offerApplication(at: "/app")
            try await client.offerAdvertisement(at: "/ad")
            #expect(try await client.manage("RegisterApplication", "/app") == "ok []")
            #expect(try await client.manage("RegisterAdvertisement", "/ad") == "ok []")
            let before = try await client.objects()
            let phone = try await bench.simulator.connectCentral()
            #expect(try await client.objects().count == before.count + 1)
            #expect(try await phone.read(BluetoothUUID(0x2A38)) == [1])
            await #expect(throws: SimulatorError.unknownCharacteristic(BluetoothUUID(0x2A39))) {
                _ = try await phone.read(BluetoothUUID(0x2A39))
            }
            await #expect(throws: SimulatorError.refused(code: 0xFD)) {
                _ = try await phone.subscribe(to: BluetoothUUID(0x2A38))
            }
            await phone.disconnect()
            #expect(try await client.objects() == before)
            await #expect(throws: SimulatorError.notConnected) { _ = try await phone.read(BluetoothUUID(0x2A38)) }
        }
    }
}
