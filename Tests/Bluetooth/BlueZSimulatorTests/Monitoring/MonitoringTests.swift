import DBus
import TestSupport
import Testing

@testable import BlueZSimulator

private let scenario = """
    {
      adapter: {advertisementMonitors: true},
      sensors: [
        {name: 'Strap', kind: 'heartRateStrap', address: 'C0:52:49:00:00:02', manufacturerData: [{company: 0x6B, data: '3F'}]},
        {name: 'Oximeter', kind: 'oximeter', address: 'C0:52:49:00:00:03'},
      ],
    }
    """

/// The strap's name, its maker, and the heart rate service.
private let patterns = [(UInt8(0), UInt8(0x09), Array("Str".utf8)), (0, 0xFF, [0x6B, 0x00]), (0, 0x03, [0x0D, 0x18])]

extension BusClient {
    /// Offers a monitor; what it is told becomes lines of the log, such as `m0 DeviceFound /D2`.
    fileprivate func offerMonitor(_ name: String = "m0", _ more: [(name: String, value: DBusValue)] = []) async throws {
        let methods = ["Activate", "Release", "DeviceFound", "DeviceLost"].map { member in
            ExportedMethod(member, input: member.hasPrefix("Device") ? "o" : "") { [log] call in
                let device = call.arguments.first?.text.map { " " + ShortText.path($0) } ?? ""
                await log.append("\(name) \(member)\(device)")
                return []
            }
        }
        let usual: [(name: String, value: DBusValue)] = [
            ("Type", .string("or_patterns")), ("Patterns", .patterns(patterns)),
        ]
        try await connection.export(
            try #require(ObjectPath("/mon/\(name)")),
            [ExportedInterface(AdvertisementMonitors.interface, properties: usual + more, methods: methods)])
    }

    /// Calls the manager with the path above the monitors; answers the error, or `ok []`.
    fileprivate func manage(_ member: String) async throws -> String {
        let root = try #require(ObjectPath("/mon"))
        return await failure("/hci0", "AdvertisementMonitorManager1", member, [.objectPath(root)])
    }
}

@Suite("Advertisement monitors", .timeLimit(.minutes(10)))
struct MonitoringTests {
    private func withMonitors(_ body: (BusClient, TestBench) async throws -> Void) async throws {
        try await withSimulator(try Scenario(json5: scenario, file: "test")) { client, bench in
            await client.connection.exportObjectManager(at: try #require(ObjectPath("/mon")))
            try await body(client, bench)
        }
    }

    @Test("one is activated, told what it finds without a discovery, and released when it is unregistered")
    func registered() async throws {
        try await withMonitors { client, _ in
            #expect(
                try await client.property("/hci0", "AdvertisementMonitorManager1", "SupportedMonitorTypes")
                    == "[or_patterns]")
            try await client.offerMonitor()
            #expect(try await client.manage("UnregisterMonitor") == "DoesNotExist: Does Not Exist")
            #expect(try await client.manage("RegisterMonitor") == "ok []")
            #expect(try await client.manage("RegisterMonitor") == "AlreadyExists: Already Exists")
            try await client.log.wait(beginning: "m0 Activate")
            try await client.log.wait(beginning: "+ /D2 Device1")
            try await client.log.wait(beginning: "m0 DeviceFound /D2")
            #expect(try await client.property("/hci0", "Adapter1", "Discovering") == "false")
            #expect(try await client.manage("UnregisterMonitor") == "ok []")
            try await client.log.wait(beginning: "m0 Release")
            #expect(try await !client.objects().contains("/D3"))
        }
    }

    @Test("one with thresholds finds a device once, and loses it when it is weak or silent, and with the power")
    func thresholds() async throws {
        try await withMonitors { client, bench in
            try await client.offerMonitor(
                "m0",
                [
                    ("RSSIHighThreshold", .int16(-70)), ("RSSIHighTimeout", .uint16(2)),
                    ("RSSILowThreshold", .int16(-80)), ("RSSILowTimeout", .uint16(3)),
                ])
            #expect(try await client.manage("RegisterMonitor") == "ok []")
            for (loss, returning) in [
                ("rssi hr -90", "rssi hr -60"), ("vanish hr", "return hr"), ("power off", "power on"),
            ] {
                try await client.log.wait(beginning: "m0 DeviceFound /D2")
                try await bench.perform(loss)
                try await client.log.wait(beginning: "m0 DeviceLost /D2")
                try await bench.perform(returning)
            }
            try await client.log.wait(beginning: "m0 DeviceFound /D2")
        }
    }

    @Test("one that cannot be used is released at once: none of its kind, or more patterns than the kernel takes")
    func unusable() async throws {
        try await withMonitors { client, _ in
            try await client.offerMonitor("m0", [("RSSILowTimeout", .uint16(301))])
            let many = [(UInt8, UInt8, [UInt8])](repeating: (0, 9, [1]), count: 17)
            try await client.offerMonitor("m1", [("Patterns", .patterns(many))])
            #expect(try await client.manage("RegisterMonitor") == "ok []")
            try await client.log.wait(beginning: "m0 Release")
            try await client.offerMonitor("m2")
            try await client.log.wait(beginning: "m2 Activate")
        }
    }

    @Test("those that a client adds later are taken, and those that it removes are told nothing more")
    func later() async throws {
        try await withMonitors { client, _ in
            #expect(try await client.manage("RegisterMonitor") == "ok []")
            try await client.offerMonitor("m0")
            try await client.log.wait(beginning: "m0 DeviceFound /D2")
            try await client.connection.unexport(try #require(ObjectPath("/mon/m0")))
            try await client.offerMonitor("m1")
            try await client.log.wait(beginning: "m1 DeviceFound /D2")
        }
    }

    @Test("they are released when the adapter goes")
    func adapterGoes() async throws {
        try await withMonitors { client, bench in
            try await client.offerMonitor()
            #expect(try await client.manage("RegisterMonitor") == "ok []")
            try await client.log.wait(beginning: "m0 DeviceFound /D2")
            try await bench.perform("unplug")
            try await client.log.wait(beginning: "m0 Release")
        }
    }

    @Test("there are none unless the scenario says so, as without the option --experimental")
    func missing() async throws {
        try await withSimulator { client, _ in
            let refusal = try await client.manage("RegisterMonitor")
            #expect(refusal.contains("UnknownMethod"), "\(refusal)")
        }
    }
}
