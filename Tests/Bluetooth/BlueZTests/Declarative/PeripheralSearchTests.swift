import TestSupport
import Testing

@testable import BlueZ

@Suite("Searches for peripherals", .timeLimit(.minutes(10)))
struct PeripheralSearchTests {
    @Test("end the discovery that was begun for them with the last one")
    func last() {
        var searches = PeripheralSearches()
        let (first, second) = (searches.begin(), searches.begin())
        searches.recordDiscovery()
        #expect(searches.end(first) == false)
        #expect(searches.end(first) == false, "a search ends once")
        #expect(searches.isActive(second))
        #expect(searches.end(second) == true)
        #expect(searches.count == 0)
    }

    @Test("neither begin nor end a discovery after the caller has stopped all of them")
    func stopped() {
        var searches = PeripheralSearches()
        let old = searches.begin()
        searches.recordDiscovery()
        searches.stop()
        #expect(!searches.isActive(old))
        let new = searches.begin()
        searches.recordDiscovery()
        #expect(searches.end(old) == false)
        #expect(searches.end(new) == true)
    }

    @Test("do not end a discovery of the caller")
    func callers() {
        var searches = PeripheralSearches()
        let search = searches.begin()
        searches.recordDiscovery()
        searches.leaveDiscovery()
        #expect(searches.end(search) == false)
    }

    @Test("share a discovery on the bus, too")
    func sharedDiscovery() async throws {
        let bench = try await Bench()
        let fake = try await bench.startDaemon()
        try await fake.addAdapter()
        await bench.bluez.start()
        try await bench.wait(for: "hci0 added")
        let central = bench.bluez
        let first = Task { for await _ in await central.peripherals(matching: DiscoveryCriteria()) {} }
        try await awaitCondition("a discovery") { fake.calls.elements.contains("StartDiscovery") }
        let second = Task { for await _ in await central.peripherals(matching: DiscoveryCriteria()) {} }
        try await awaitCondition("two searches") { await central.searches.count == 2 }
        second.cancel()
        await second.value
        try await awaitCondition("one search") { await central.searches.count == 1 }
        #expect(await central.wantsDiscovery())
        first.cancel()
        await first.value
        try await awaitCondition("the end of the discovery") { fake.calls.elements.contains("StopDiscovery") }
        #expect(fake.calls.elements.count { $0 == "StartDiscovery" } == 1)
        await fake.die()
    }

    @Test("leave a discovery on the bus to the caller who wants it, too")
    func callersDiscovery() async throws {
        let bench = try await Bench()
        let fake = try await bench.startDaemon()
        try await fake.addAdapter()
        await bench.bluez.start()
        try await bench.wait(for: "hci0 added")
        let central = bench.bluez
        let first = Task { for await _ in await central.peripherals(matching: DiscoveryCriteria()) {} }
        try await awaitCondition("a discovery") { fake.calls.elements.contains("StartDiscovery") }
        try await central.startDiscovery()
        first.cancel()
        await first.value
        try await awaitCondition("no search") { await central.searches.count == 0 }
        #expect(await central.wantsDiscovery())
        #expect(!fake.calls.elements.contains("StopDiscovery"))
        await fake.die()
    }
}
