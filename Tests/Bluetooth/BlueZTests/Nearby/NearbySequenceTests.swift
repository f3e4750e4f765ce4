import DBus
import TestSupport
import Testing

@testable import BlueZ

@Suite("The lists of what is nearby", .timeLimit(.minutes(10)))
struct NearbySequenceTests {
    private static let straps = DiscoveryCriteria(services: [BluetoothUUID(0x180D)])

    @Test("begin with an empty one, and follow what the daemon hears and removes")
    func follows() async throws {
        let bench = try await Bench()
        await bench.bluez.start()
        var lists = await bench.bluez.nearby(matching: Self.straps).makeAsyncIterator()
        #expect(await lists.next() == NearbyPeripherals(peripherals: []))
        let fake = try await bench.startDaemon()
        try await fake.addAdapter()
        try await awaitCondition("a discovery, though there was no adapter at first") {
            fake.calls.elements.contains("StartDiscovery")
        }
        try await fake.addStrap()
        let found = await lists.next()
        #expect(found?.peripherals.map(\.address) == [Strap.address])
        #expect(found?.found.map(\.address) == [Strap.address])
        #expect(found?.strongest?.rssi == -58)
        try await fake.changeDevice([("RSSI", .int16(-41))])
        var next = await lists.next()
        while next?.peripherals.first?.rssi == -58 { next = await lists.next() }
        #expect(next?.peripherals.first?.rssi == -41)
        #expect(next?.found == [] && next?.lost == [])
        try await fake.connection.unexport(try path(Strap.device))
        let lost = await lists.next()
        #expect(lost?.peripherals == [])
        #expect(lost?.lost.map(\.address) == [Strap.address])
        await bench.bluez.stop()
        #expect(await lists.next() == nil)
        await fake.die()
    }

    @Test("lose what is not heard, without a word of the daemon")
    func stale() async throws {
        let bench = try await Bench()
        let fake = try await bench.startDaemon()
        try await fake.addAdapter()
        try await fake.addStrap()
        await bench.bluez.start()
        try await bench.wait(for: "Polar added")
        var lists = await bench.bluez.nearby(matching: Self.straps, staleAfter: .milliseconds(50)).makeAsyncIterator()
        var list = await lists.next()
        #expect(list?.found.map(\.address) == [Strap.address])
        while list?.lost.isEmpty == true { list = await lists.next() }
        #expect(list?.lost.map(\.address) == [Strap.address])
        #expect(list?.peripherals == [])
        await fake.die()
    }
}
