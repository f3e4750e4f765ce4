import BlueZSimulator
import DBus
import Testing

@Suite("Discovery")
struct DiscoveryTests {
    @Test("before any scan there are the daemon's objects and a powered adapter")
    func objectsAtFirst() async throws {
        try await withSimulator { client, _ in
            let objects = try await client.objects()
            #expect(objects == ["/hci0", "/org/bluez"])
            #expect(try await client.property("/hci0", "Adapter1", "Powered") == "true")
            #expect(try await client.property("/hci0", "Adapter1", "Roles") == "[central, peripheral]")
            #expect(
                await client.failure(
                    "/hci0", "org.freedesktop.DBus.Properties", "Get",
                    [.string("org.bluez.Adapter1"), .string("PowerState")])
                    == "org.freedesktop.DBus.Error.InvalidArgs: No such property 'PowerState'")
        }
    }

    @Test("a scan finds every sensor, with name, signal strength and advertised services")
    func devicesAppear() async throws {
        try await withSimulator { client, _ in
            try await client.discover(until: "/D1")
            try await client.log.wait(beginning: "+ /D2 Device1")
            try await client.log.wait(beginning: "+ /D3 Device1")
            #expect(try await client.property("/D2", "Device1", "Name") == "Polar H10 1234")
            #expect(try await client.property("/D2", "Device1", "RSSI") == "-58")
            #expect(try await client.property("/D2", "Device1", "UUIDs") == "[180d]")
            #expect(try await client.property("/D2", "Device1", "ServicesResolved") == "false")
            #expect(await client.failure("/D2", "Device1", "CancelPairing") == "DoesNotExist: Does Not Exist")
        }
    }

    @Test("a second StartDiscovery of the same client is refused, that of another client is not")
    func sessions() async throws {
        try await withSimulator { client, bench in
            #expect(
                await client.failure("/hci0", "Adapter1", "StopDiscovery") == "Failed: No discovery started")
            try await client.call("/hci0", "Adapter1", "StartDiscovery")
            #expect(
                await client.failure("/hci0", "Adapter1", "StartDiscovery")
                    == "InProgress: Operation already in progress")
            let other = try await bench.client()
            try await other.call("/hci0", "Adapter1", "StartDiscovery")
            try await client.call("/hci0", "Adapter1", "StopDiscovery")
            #expect(try await client.property("/hci0", "Adapter1", "Discovering") == "true")
            let before = await client.log.events.count
            await other.connection.close()
            try await client.log.wait(for: "/hci0 Adapter1 {Discovering: false}", from: before)
        }
    }

    @Test("when the discovery ends the signal strengths are invalidated, and the devices stay")
    func signalStrengthsAreInvalidated() async throws {
        try await withSimulator(timeScale: 0.2) { client, _ in
            try await client.discover(until: "/D2")
            try await client.call("/hci0", "Adapter1", "StopDiscovery")
            let invalidated = try await client.log.wait(for: "/D2 Device1 {} gone [TxPower, RSSI]")
            let stopped = try await client.log.wait(for: "/hci0 Adapter1 {Discovering: false}")
            #expect(invalidated < stopped)
            #expect(
                await client.failure(
                    "/D2", "org.freedesktop.DBus.Properties", "Get",
                    [.string("org.bluez.Device1"), .string("RSSI")]
                ).contains("No such property"))
            #expect(try await client.objects().contains("/D2"))
        }
    }

    @Test("a device that is not heard any more vanishes, also during a discovery, and comes back")
    func temporaryDevices() async throws {
        try await withSimulator { client, bench in
            try await client.discover(until: "/D1")
            try await bench.perform("vanish temp")
            let gone = try await client.log.wait(for: "- /D1 Device1")
            #expect(try await client.property("/hci0", "Adapter1", "Discovering") == "true")
            #expect(await client.failure("/D1", "Device1", "Connect").contains("UnknownObject"))
            try await bench.perform("return temp")
            try await client.log.wait(beginning: "+ /D1 Device1", from: gone)
        }
    }

    @Test("a new name is reported with the next report, and a new address is another device")
    func namesAndAddresses() async throws {
        try await withSimulator { client, bench in
            try await client.discover(until: "/D2")
            try await bench.perform("rename hr Polar H10 9999")
            try await client.log.wait(
                for: "/D2 Device1 {RSSI: -58, Name: Polar H10 9999, Alias: Polar H10 9999}")
            try await bench.perform("rotate hr C0:52:49:00:00:07")
            try await client.log.wait(beginning: "+ /D7 Device1")
            try await client.log.wait(for: "- /D2 Device1")
        }
    }

    @Test("a filter of services leaves the others out")
    func filters() async throws {
        try await withSimulator { client, _ in
            let services = DBusValue.strings(["180d", "00001809-0000-1000-8000-00805f9b34fb"])
            try await client.call("/hci0", "Adapter1", "SetDiscoveryFilter", [.properties([("UUIDs", services)])])
            try await client.call("/hci0", "Adapter1", "StartDiscovery")
            try await client.log.wait(beginning: "+ /D1 Device1")
            try await client.log.wait(beginning: "+ /D2 Device1")
            // Two more reports of the strap: by then a whole scan has passed.
            try await client.log.wait(for: 2, beginning: "/D2 Device1 {RSSI: -58}")
            #expect(try await client.objects() == ["/D1", "/D2", "/hci0", "/org/bluez"])
            #expect(
                await client.failure(
                    "/hci0", "Adapter1", "SetDiscoveryFilter", [.properties([("Transport", .string("pigeon"))])])
                    == "InvalidArguments: Invalid arguments in method call")
        }
    }

    @Test("a name full of escape sequences travels unchanged")
    func hostileNames() async throws {
        let text =
            #"{sensors: [{name: '\x1b[2J\x1b]0;owned\x07\u202e', address: 'C0:52:49:00:00:01', kind: 'generic'}]}"#
        try await withSimulator(try Scenario(json5: text, file: "hostile.json5")) { client, _ in
            try await client.discover(until: "/D1")
            #expect(try await client.property("/D1", "Device1", "Name") == "\u{1B}[2J\u{1B}]0;owned\u{07}\u{202E}")
        }
    }
}
