import DBus
import EventLoops
import TestSupport
import Testing

@testable import BlueZ

@Suite("Starting", .timeLimit(.minutes(10)))
struct StartTests {
    @Test("what the daemon has is reported after the bus and the daemon, parents first")
    func snapshot() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let expected = [
            "bus connected", "daemon running", "hci0 added", "Polar added", "Polar connected", "Polar resolved",
        ]
        #expect(bench.text == expected)
        let services = await bench.bluez.services(of: Strap.address)
        #expect(services.map(\.uuid) == [BluetoothUUID(0x180D)])
        #expect(services.first?.characteristics.map(\.uuid) == [BluetoothUUID(0x2A37), BluetoothUUID(0x2A38)])
        #expect(
            await bench.bluez.characteristic(BluetoothUUID(0x2A37), of: Strap.address)?.reference
                == (try Strap.reference()))
        #expect(await bench.bluez.adapters.map(\.id) == ["hci0"])
        await fake.die()
    }

    @Test("a late reader receives all objects as if they had just come")
    func lateReader() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let late = await bench.bluez.events()
        await bench.bluez.stop()
        let received = await late.reduce(into: [String]()) { $0.append($1.kind.text) }
        #expect(received == bench.text.prefix(6).map { $0 })
        await fake.die()
    }

    @Test("objects that come while the daemon is asked are reported once")
    func objectsMeanwhile() async throws {
        let bench = try await Bench()
        await bench.bluez.start()
        try await bench.wait(for: "daemon gone")
        // The client asks as soon as the name is owned; adding continues meanwhile.
        let fake = try await bench.startDaemon()
        try await fake.addAdapter()
        try await fake.addStrap()
        try await bench.wait(for: "Polar added")
        try await bench.settle(fake)
        let expected = ["bus connected", "daemon gone", "daemon running", "hci0 added", "Polar added", "Polar changed"]
        // That the strap is signalled after it was answered is an advertisement.
        #expect(bench.text.filter { $0 != "Polar advertised" } == expected)
        await fake.die()
    }

    @Test("the connection changes of a peripheral are reported in the order of the signals")
    func connection() async throws {
        let bench = try await Bench()
        let fake = try await bench.startDaemon()
        try await fake.addAdapter()
        await bench.bluez.start()
        try await bench.wait(for: "hci0 added")
        try await fake.addStrap()
        try await fake.changeDevice([("Connected", .boolean(true))])
        try await fake.addServices()
        try await fake.changeDevice([("ServicesResolved", .boolean(true))])
        try await bench.wait(for: "Polar resolved")
        #expect(await bench.bluez.services(of: Strap.address).count == 1)
        try await fake.changeDevice([("ServicesResolved", .boolean(false)), ("Connected", .boolean(false))])
        try await fake.connection.unexport(try path(Strap.device))
        try await bench.wait(for: "Polar removed")
        let expected = [
            "Polar added", "Polar changed", "Polar connected", "Polar changed", "Polar resolved", "Polar changed",
            "Polar disconnected", "Polar removed",
        ]
        #expect(bench.text.suffix(8) == expected[...])
        await fake.die()
    }

    @Test("after the end every reader's events end")
    func stopping() async throws {
        let bench = try await Bench()
        await bench.bluez.start()
        try await bench.wait(for: "daemon gone")
        let sequence = await bench.bluez.events()
        await bench.bluez.stop()
        #expect(await sequence.reduce(into: 0) { count, _ in count += 1 } == 2)
        await #expect(throws: BlueZError(.busLost)) { try await bench.bluez.startDiscovery() }
    }
}
