import DBus
import Testing

@Suite("The adapter's power and presence")
struct PowerTests {
    @Test("power off removes what is not connected, ends the link, and then reports the adapter")
    func powerOff() async throws {
        try await withSimulator(timeScale: 0.4) { client, _ in
            try await client.attach("/D2")
            try await client.call("/hci0", "Adapter1", "StartDiscovery")
            try await client.log.wait(for: "+ /D1 Device1")
            let before = await client.log.events.count
            try await client.set("/hci0", "Adapter1", "Powered", .boolean(false))
            let removed = try await client.log.wait(for: "- /D1 Device1", from: before)
            let lost = try await client.log.wait(for: "/D2 Device1 {ServicesResolved: false, Connected: false}")
            let off = try await client.log.wait(for: "/hci0 Adapter1 {Powered: false, Discovering: false}")
            #expect(removed < lost && lost < off)

            for (method, arguments) in [
                ("StartDiscovery", []), ("StopDiscovery", []), ("SetDiscoveryFilter", [DBusValue.properties([])]),
            ] {
                #expect(
                    await client.failure("/hci0", "Adapter1", method, arguments) == "NotReady: Resource Not Ready")
            }
            #expect(await client.failure("/D2", "Device1", "Connect") == "Failed: Input/output error")
            try await client.call("/D2", "Device1", "Disconnect")

            try await client.set("/hci0", "Adapter1", "Powered", .boolean(true))
            #expect(try await client.property("/hci0", "Adapter1", "Discovering") == "false")
            try await client.call("/D2", "Device1", "Connect")
        }
    }

    @Test("power on while it is being turned off is refused")
    func busy() async throws {
        // Slow enough that the call arrives while the power is being turned off, also on a busy machine.
        try await withSimulator(timeScale: 20) { client, _ in
            try await client.discover(until: "/D1")
            async let off: Void = client.set("/hci0", "Adapter1", "Powered", .boolean(false))
            // The devices that are not connected go at once; the power a moment later.
            try await client.log.wait(for: "- /D1 Device1")
            let arguments: [DBusValue] = [
                .string("org.bluez.Adapter1"), .string("Powered"), .variant(.boolean(true)),
            ]
            #expect(await client.failure("/hci0", "org.freedesktop.DBus.Properties", "Set", arguments) == "Busy")
            try await off
        }
    }

    @Test("power off ends a pending Connect and removes its device")
    func pendingConnect() async throws {
        try await withSimulator(timeScale: 0.2) { client, bench in
            try await client.discover(until: "/D1")
            try await client.call("/hci0", "Adapter1", "StopDiscovery")
            try await bench.perform("vanish temp")
            async let failure = client.failure("/D1", "Device1", "Connect")
            try await bench.untilConnecting()
            try await bench.perform("power off")
            #expect(await failure == "Failed: le-connection-abort-by-local")
            try await client.log.wait(for: "- /D1 Device1")
        }
    }

    @Test("unplugged: devices first, then the adapter; plugged in again: a known device is there without a scan")
    func unplug() async throws {
        try await withSimulator(timeScale: 0.1) { client, bench in
            try await client.attach("/D2")
            try await bench.perform("unplug")
            let device = try await client.log.wait(for: "- /D2 Device1 Battery1")
            let off = try await client.log.wait(for: "/hci0 Adapter1 {Powered: false, Discovering: false}")
            let gone = try await client.log.wait(beginning: "- /hci0 Adapter1")
            #expect(device < off && off < gone)
            #expect(try await client.objects() == ["/org/bluez"])

            try await bench.perform("plug")
            let back = try await client.log.wait(beginning: "+ /hci0 Adapter1", from: gone)
            try await client.log.wait(for: "/hci0 Adapter1 {Powered: true}", from: back)
            try await client.log.wait(beginning: "+ /D2 Device1", from: back)
            #expect(
                try await client.property("/D2", "Device1", "UUIDs") == "[1800, 1801, 180a, 180d, 180f]")
            #expect(try await client.objects() == ["/D2", "/hci0", "/org/bluez"])
        }
    }

    @Test("the adapter is discoverable and pairable for as long as it was told")
    func limits() async throws {
        try await withSimulator { client, bench in
            for (name, limit) in [("Discoverable", "DiscoverableTimeout"), ("Pairable", "PairableTimeout")] {
                try await client.set("/hci0", "Adapter1", limit, .uint32(20))
                try await client.set("/hci0", "Adapter1", name, .boolean(true))
                let begin = try await client.log.wait(for: "/hci0 Adapter1 {\(name): true}")
                try await client.log.wait(for: "/hci0 Adapter1 {\(name): false}", from: begin)
            }
            try await bench.perform("power off")
            await #expect(throws: DBusConnectionError.remote(name: "org.bluez.Error.Failed", message: "Not Powered")) {
                try await client.set("/hci0", "Adapter1", "Discoverable", .boolean(true))
            }
        }
    }
}
