import DBus
import Testing

@Suite("The end of a link, and the next one")
struct LinkTests {
    private static let value = "\(heartRateMeasurement) GattCharacteristic1 {Value: 16485503}"

    @Test("Disconnect takes its time, values still come, and two signals report the end")
    func disconnecting() async throws {
        try await withSimulator { client, _ in
            try await client.attach("/D2")
            try await client.call(heartRateMeasurement, "GattCharacteristic1", "StartNotify")
            try await client.log.wait(for: Self.value)
            try await client.call("/D2", "Device1", "Disconnect")
            let battery = try await client.log.wait(for: "- /D2 Battery1")
            let value = try await client.log.wait(for: Self.value, from: battery)
            let unresolved = try await client.log.wait(for: "/D2 Device1 {ServicesResolved: false}")
            let down = try await client.log.wait(for: "/D2 Device1 {Connected: false}")
            #expect(battery < value && value < unresolved && unresolved < down)
        }
    }

    @Test("one signal reports a lost link; the services stay without MTU and the session continues")
    func linkLoss() async throws {
        try await withSimulator(timeScale: 0.4) { client, bench in
            try await client.attach("/D2")
            try await client.call(heartRateMeasurement, "GattCharacteristic1", "StartNotify")
            try await client.log.wait(for: Self.value)
            try await bench.perform("drop hr")
            let lost = try await client.log.wait(for: "/D2 Device1 {ServicesResolved: false, Connected: false}")
            let battery = try await client.log.wait(for: "- /D2 Battery1")
            #expect(lost < battery)
            #expect(try await client.property(heartRateMeasurement, "GattCharacteristic1", "Value") == "16485503")
            #expect(try await client.property(heartRateMeasurement, "GattCharacteristic1", "Notifying") == "true")
            #expect(
                await client.failure(
                    heartRateMeasurement, "org.freedesktop.DBus.Properties", "Get",
                    [.string("org.bluez.GattCharacteristic1"), .string("MTU")]
                ).contains("No such property"))
            #expect(
                await client.failure(heartRateMeasurement, "GattCharacteristic1", "StartNotify")
                    == "InProgress: In Progress")
            #expect(
                await client.failure(
                    "/D2/service001b/char001f", "GattCharacteristic1", "ReadValue", [.properties([])])
                    == "Failed: Not connected")

            // The next link: no new objects, and values come without StartNotify.
            let before = await client.log.events.count
            try await client.call("/D2", "Device1", "Connect")
            try await client.log.wait(for: "/D2 Device1 {ServicesResolved: true}", from: before)
            try await client.log.wait(for: Self.value, from: before)
            #expect(!(await client.log.events.dropFirst(before).contains { $0.hasPrefix("+ /D2/") }))
        }
    }

    @Test("some time after its link a device is removed, children first")
    func removal() async throws {
        try await withSimulator { client, bench in
            try await client.attach("/D2")
            try await bench.perform("bye hr")
            let descriptor = try await client.log.wait(for: "- /D2/service001b/char001c/desc001e GattDescriptor1")
            let characteristic = try await client.log.wait(for: "- /D2/service001b/char001c GattCharacteristic1")
            let service = try await client.log.wait(for: "- /D2/service001b GattService1")
            let device = try await client.log.wait(for: "- /D2 Device1")
            #expect(descriptor < characteristic && characteristic < service && service < device)
        }
    }

    @Test("a link stays when the client that made it leaves")
    func clientLeaves() async throws {
        try await withSimulator { client, bench in
            let other = try await bench.client()
            try await other.attach("/D2")
            await other.connection.close()
            // The simulator handles the departure before this call, which comes later on the same bus.
            #expect(try await client.property("/D2", "Device1", "Connected") == "true")
            try await client.call("/D2", "Device1", "Connect")
        }
    }

    @Test("a pending Connect continues when its client leaves")
    func pendingClientLeaves() async throws {
        try await withSimulator(timeScale: 0.2) { client, bench in
            try await client.discover(until: "/D2")
            try await client.call("/hci0", "Adapter1", "StopDiscovery")
            try await bench.perform("vanish hr")
            let other = try await bench.client()
            let pending = Task { try? await other.call("/D2", "Device1", "Connect") }
            try await bench.untilConnecting()
            await other.connection.close()
            _ = await pending.value
            try await bench.perform("return hr")
            try await client.log.wait(for: "/D2 Device1 {Connected: true}")
        }
    }
}
