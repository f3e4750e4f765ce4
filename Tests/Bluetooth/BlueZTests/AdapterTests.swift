import DBus
import TestSupport
import Testing

@testable import BlueZ

@Suite("An adapter", .timeLimit(.minutes(10)))
struct AdapterTests {
    @Test("is set up by the caller, and reports each change")
    func settings() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await bench.bluez.setAlias("Ward 3")
        try await bench.bluez.setDiscoverable(true, for: .milliseconds(59_001))
        try await bench.bluez.setPairable(true, for: .zero)
        try await bench.bluez.setPairable(false)
        try await bench.wait(for: "hci0 changed", times: 5)
        #expect(
            fake.calls.elements == [
                "Set Alias", "Set DiscoverableTimeout", "Set Discoverable", "Set PairableTimeout", "Set Pairable",
                "Set Pairable",
            ])
        let adapter = try #require(await bench.bluez.adapters.first)
        #expect(adapter.name == "Ward 3")
        #expect(adapter.isDiscoverable && adapter.discoverableTimeout == .seconds(60))
        #expect(!adapter.isPairable && adapter.pairableTimeout == .zero)
        await fake.die()
    }

    @Test("refuses what cannot be before the daemon is asked")
    func impossible() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let name = String(repeating: "é", count: 124)
        try await bench.bluez.setAlias(name)
        for alias in [name + "x", "a\0b"] {
            let error = await #expect(throws: BlueZError.self) { try await bench.bluez.setAlias(alias) }
            #expect(error?.kind == .invalidArguments)
        }
        for limit in [
            Duration.seconds(-1), .milliseconds(-1), .seconds(1 << 32), .milliseconds(0xFFFF_FFFF * 1000 + 1),
        ] {
            let error = await #expect(throws: BlueZError.self) {
                try await bench.bluez.setDiscoverable(true, for: limit)
            }
            #expect(error?.kind == .invalidArguments)
        }
        try await bench.bluez.setDiscoverable(true, for: .seconds(0xFFFF_FFFF))
        #expect(fake.calls.elements == ["Set Alias", "Set DiscoverableTimeout", "Set Discoverable"])
        await fake.die()
    }

    @Test("that is off, unknown or missing refuses with the reason")
    func refused() async throws {
        let (bench, fake) = try await Bench.withStrap()
        fake.fail("Set", [("org.bluez.Error.Failed", "Not Powered")])
        let off = await #expect(throws: BlueZError.self) { try await bench.bluez.setDiscoverable(true) }
        #expect(off?.kind == .notReady)
        let unknown = await #expect(throws: BlueZError.self) {
            try await bench.bluez.setPairable(true, on: try path("/org/bluez/hci7"))
        }
        #expect(unknown?.kind == .unknownObject)
        try await fake.connection.unexport(try path(Strap.adapter))
        try await bench.wait(for: "hci0 removed")
        let missing = await #expect(throws: BlueZError.self) { try await bench.bluez.setAlias("") }
        #expect(missing?.kind == .noAdapter)
        await fake.die()
    }

    @Test("that is unplugged goes with its peripherals, and is there again when it is plugged in")
    func plugged() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await fake.connection.unexport(try path(Strap.adapter))
        try await bench.wait(for: "hci0 removed")
        #expect(bench.text.suffix(3) == ["Polar disconnected", "Polar removed", "hci0 removed"])
        #expect(await bench.bluez.adapters.isEmpty)
        try await fake.addAdapter(isPowered: false)
        try await bench.wait(for: "hci0 added", times: 2)
        try await fake.changeAdapter([("Powered", .boolean(true))])
        try await bench.wait(for: "hci0 changed")
        #expect(await bench.bluez.adapters.map(\.isPowered) == [true])
        await fake.die()
    }
}
