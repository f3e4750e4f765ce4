import DBus
import Testing

@Suite("Connecting")
struct ConnectingTests {
    @Test("the order of a first connection is that of the real bluetoothd")
    func firstConnection() async throws {
        try await withSimulator { client, _ in
            try await client.attach("/D2")
            let events = await client.log.events
            let steps = [
                "/D2 Device1 {Connected: true}", "+ /D2/service0001 GattService1",
                "+ /D2/service0001/char0002 GattCharacteristic1",
                "+ /D2/service0001/char0002/desc0004 GattDescriptor1",
                "+ /D2/service001b GattService1", "+ /D2/service001b/char001c GattCharacteristic1",
                "/D2 Device1 {UUIDs: [1800, 1801, 180a, 180d, 180f], ServicesResolved: true}",
                "/D2 Device1 {Appearance: 833}", "+ /D2 Battery1",
            ]
            let places = steps.map { events.firstIndex(of: $0) ?? -1 }
            #expect(!places.contains(-1) && places == places.sorted(), "\(zip(steps, places).map { $0 })")
            // How long after the other signals the answer is handled depends on this client.
            let answered = try await client.log.wait(for: "Connect => ok")
            #expect(places[0] < answered)
            // 1800 is listed among the UUIDs only.
            let objects = try await client.objects().filter { $0.hasPrefix("/D2") }
            #expect(objects.count == 1 + 18)
            #expect(try await client.property("/D2", "Battery1", "Percentage") == "87")
        }
    }

    @Test("the characteristics have the flags and properties of the real ones")
    func characteristics() async throws {
        try await withSimulator { client, _ in
            try await client.attach("/D2")
            #expect(try await client.property(heartRateMeasurement, "GattCharacteristic1", "UUID") == "2a37")
            #expect(try await client.property(heartRateMeasurement, "GattCharacteristic1", "Flags") == "[notify]")
            #expect(try await client.property(heartRateMeasurement, "GattCharacteristic1", "NotifyAcquired") == "false")
            #expect(try await client.property(heartRateMeasurement, "GattCharacteristic1", "MTU") == "247")
            #expect(
                try await client.property("/D2/service0001/char0002", "GattCharacteristic1", "Notifying") == "false")
            #expect(
                await client.failure(
                    "/D2/service0001/char0002", "org.freedesktop.DBus.Properties", "Get",
                    [.string("org.bluez.GattCharacteristic1"), .string("NotifyAcquired")]
                ).contains("No such property"))
        }
    }

    @Test("Connect while a Connect is pending is refused, and when connected it succeeds at once")
    func twice() async throws {
        try await withSimulator(timeScale: 0.2) { client, bench in
            try await client.discover(until: "/D2")
            try await client.call("/hci0", "Adapter1", "StopDiscovery")
            try await bench.perform("vanish hr")
            async let first = client.call("/D2", "Device1", "Connect")
            let second = try await bench.client()
            try await bench.untilConnecting()
            #expect(
                await second.failure("/D2", "Device1", "Connect") == "Failed: Operation already in progress")
            try await bench.perform("return hr")
            _ = try await first
            try await second.call("/D2", "Device1", "Connect")
        }
    }

    @Test("Connect to a sensor that is not there fails after a long time")
    func absent() async throws {
        // Slow enough that the device is not forgotten before the call arrives on a busy machine.
        try await withSimulator(timeScale: 0.1) { client, bench in
            try await client.discover(until: "/D1")
            try await client.call("/hci0", "Adapter1", "StopDiscovery")
            try await bench.perform("vanish temp")
            #expect(
                await client.failure("/D1", "Device1", "Connect") == "Failed: le-connection-abort-by-local")
        }
    }

    @Test("Disconnect cancels a pending Connect")
    func cancelled() async throws {
        try await withSimulator(timeScale: 0.2) { client, bench in
            try await client.discover(until: "/D1")
            try await client.call("/hci0", "Adapter1", "StopDiscovery")
            try await bench.perform("vanish temp")
            async let failure = client.failure("/D1", "Device1", "Connect")
            let other = try await bench.client()
            try await bench.untilConnecting()
            try await other.call("/D1", "Device1", "Disconnect")
            #expect(await failure == "Failed: br-connection-canceled")
        }
    }

    @Test("while a discovery runs Connect waits for the next report, unless the controller filters no duplicates")
    func duringDiscovery() async throws {
        // Slow enough that the next report cannot come before a call has been answered on a busy machine.
        try await withSimulator(timeScale: 0.2) { client, bench in
            try await client.discover(until: "/D2")
            let before = await client.log.events.count
            try await client.call("/D2", "Device1", "Connect")
            let report = try await client.log.wait(for: "/D2 Device1 {RSSI: -58}", from: before)
            let connected = try await client.log.wait(for: "/D2 Device1 {Connected: true}")
            #expect(report < connected)

            try await bench.perform("dupfilter off")
            try await client.log.wait(beginning: "+ /D3 Device1")
            let next = await client.log.events.count
            try await client.call("/D3", "Device1", "Connect")
            let seen = await client.log.events.dropFirst(next)
            #expect(seen.contains("/D3 Device1 {Connected: true}") && !seen.contains("/D3 Device1 {RSSI: -58}"))
        }
    }

    @Test("a connection that fails to be established is reported as connected first")
    func refused() async throws {
        try await withSimulator { client, bench in
            try await client.discover(until: "/D2")
            try await client.call("/hci0", "Adapter1", "StopDiscovery")
            try await bench.perform("refuse hr 1")
            #expect(
                await client.failure("/D2", "Device1", "Connect") == "Failed: le-connection-abort-by-local")
            let up = try await client.log.wait(for: "/D2 Device1 {Connected: true}")
            let down = try await client.log.wait(for: "/D2 Device1 {Connected: false}")
            #expect(up < down)
            try await client.call("/D2", "Device1", "Connect")
        }
    }

    @Test("a link that dies during service discovery leaves no services and no UUIDs")
    func dyingEarly() async throws {
        try await withSimulator(timeScale: 4) { client, bench in
            try await client.discover(until: "/D2")
            try await client.call("/hci0", "Adapter1", "StopDiscovery")
            async let connected: [DBusValue] = client.call("/D2", "Device1", "Connect")
            try await client.log.wait(for: "/D2 Device1 {Connected: true}")
            try await bench.perform("bye hr")
            try await client.log.wait(for: "/D2 Device1 {Connected: false}")
            _ = try? await connected
            #expect(try await client.property("/D2", "Device1", "UUIDs") == "[]")
            #expect(!(await client.log.events.contains { $0.hasPrefix("+ /D2/") }))
        }
    }

    @Test("Connect right after one's own Disconnect fails, as the kernel still ends the link")
    func tooSoon() async throws {
        try await withSimulator(timeScale: 2) { client, _ in
            try await client.discover(until: "/D2")
            try await client.call("/hci0", "Adapter1", "StopDiscovery")
            try await client.call("/D2", "Device1", "Connect")
            try await client.call("/D2", "Device1", "Disconnect")
            #expect(await client.failure("/D2", "Device1", "Connect") == "Failed: Input/output error")
        }
    }

    @Test("Disconnect when nothing is connected succeeds at once")
    func nothingToDisconnect() async throws {
        try await withSimulator { client, _ in
            try await client.discover(until: "/D2")
            try await client.call("/D2", "Device1", "Disconnect")
        }
    }

    @Test("RemoveDevice disconnects, then removes everything")
    func removing() async throws {
        try await withSimulator { client, _ in
            try await client.attach("/D2")
            let path = try #require(ObjectPath("/org/bluez/hci0/dev_C0_52_49_00_00_02"))
            try await client.call("/hci0", "Adapter1", "RemoveDevice", [.objectPath(path)])
            let down = try await client.log.wait(for: "/D2 Device1 {ServicesResolved: false}")
            let child = try await client.log.wait(for: "- /D2/service001b/char001c GattCharacteristic1")
            let parent = try await client.log.wait(for: "- /D2/service001b GattService1")
            let gone = try await client.log.wait(for: "- /D2 Device1")
            #expect(down < child && child < parent && parent < gone)
            #expect(
                await client.failure("/hci0", "Adapter1", "RemoveDevice", [.objectPath(path)])
                    == "DoesNotExist: Does Not Exist")
        }
    }
}
