import DBus
import TestSupport
import Testing

@testable import BlueZ

extension BluetoothCentral {
    fileprivate var hasNoMonitors: Bool { advertisementMonitors.isEmpty }
}

@Suite("An advertisement monitor", .timeLimit(.minutes(10)))
struct MonitoringTests {
    private static let patterns = [
        AdvertisementPattern.companyData(0x006B, beginning: [0x3F]),
        AdvertisementPattern(type: 9, start: 2, octets: [80]),
    ]

    @Test("reports what the daemon finds and loses by its patterns, until its reader goes")
    func found() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await fake.addMonitorManager()
        do {
            let monitor = try await bench.bluez.monitorAdvertisements(Self.patterns)
            let properties = try fake.monitor().interfaces.interfaceProperties?[Name.monitor]
            #expect(properties?["Type"] == .string("or_patterns"))
            let expected: [DBusValue] = [
                .structure([.byte(0), .byte(0xFF), .bytes([0x6B, 0x00, 0x3F])]),
                .structure([.byte(2), .byte(9), .bytes([80])]),
            ]
            #expect(properties?["Patterns"]?.elements == expected)
            let strap = try #require(await bench.bluez.peripheral(Strap.address))
            for member in ["DeviceFound", "DeviceLost"] { try await fake.callMonitor(member, Strap.device) }
            var reported = monitor.makeAsyncIterator()
            #expect(await reported.next() == .found(strap))
            #expect(await reported.next() == .lost(strap))
        }
        try await awaitCondition("the end") { fake.calls.elements == ["RegisterMonitor", "UnregisterMonitor"] }
        await fake.die()
    }

    @Test("is refused where the daemon does not offer it, or cannot listen")
    func refused() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let missing = await #expect(throws: BlueZError.self) {
            _ = try await bench.bluez.monitorAdvertisements(Self.patterns)
        }
        #expect(missing?.kind == .notSupported)
        try await fake.addMonitorManager(isListening: false)
        let released = await #expect(throws: BlueZError.self) {
            _ = try await bench.bluez.monitorAdvertisements(Self.patterns)
        }
        #expect(released?.kind == .notSupported)
        try await awaitCondition("nothing left") { await bench.bluez.hasNoMonitors }
        await fake.die()
    }

    @Test("has patterns that an advertisement can have")
    func impossible() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await fake.addMonitorManager()
        let pattern = AdvertisementPattern(type: 0x16, octets: [1])
        let impossible = [
            [], [AdvertisementPattern(type: 0x16, octets: [])],
            [pattern, AdvertisementPattern(type: 1, start: 31, octets: [1])],
            [AdvertisementPattern(type: 1, octets: [UInt8](repeating: 0, count: 32))],
            [AdvertisementPattern](repeating: pattern, count: 17),
        ]
        for patterns in impossible {
            let error = await #expect(throws: BlueZError.self) {
                _ = try await bench.bluez.monitorAdvertisements(patterns)
            }
            #expect(error?.kind == .invalidArguments)
        }
        #expect(fake.calls.elements.isEmpty)
        #expect(AdvertisementPattern.firstService(0x180D).map(\.octets) == [[0x0D, 0x18], [0x0D, 0x18]])
        await fake.die()
    }

    @Test("hears only the daemon, and only about what there is")
    func foreign() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await fake.addMonitorManager()
        let monitor = try await bench.bluez.monitorAdvertisements(Self.patterns)
        let stranger = try await DBusConnection.connect(to: .address(bench.bus.address), on: bench.daemonLoop.loop)
        let known = try fake.monitor()
        try await stranger.call(
            known.client, known.path, Name.monitor, "DeviceFound", [.objectPath(try path(Strap.device))])
        try await fake.callMonitor("DeviceFound", Strap.adapter + "/dev_00_00_00_00_00_00")
        try await fake.callMonitor("DeviceLost", Strap.device)
        let strap = try #require(await bench.bluez.peripheral(Strap.address))
        var reported = monitor.makeAsyncIterator()
        #expect(await reported.next() == .lost(strap))
        #expect(await bench.bluez.ignored == IgnoredInput(foreignSignals: 1, malformed: 1))
        await stranger.close()
        await fake.die()
    }

    @Test("ends with its adapter")
    func ends() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await fake.addMonitorManager()
        let monitor = try await bench.bluez.monitorAdvertisements(Self.patterns)
        try await fake.connection.unexport(try path(Strap.adapter))
        var reported = monitor.makeAsyncIterator()
        #expect(await reported.next() == nil)
        #expect(await bench.bluez.hasNoMonitors)
        await fake.die()
    }
}
