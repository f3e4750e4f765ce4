import DBus
import Testing

@Suite("bluetoothd stops, dies, comes back")
struct DaemonTests {
    @Test("SIGTERM removes every object before the name goes")
    func terminated() async throws {
        try await withSimulator { client, bench in
            try await client.attach("/D2")
            try await bench.perform("bluez-stop")
            let lost = try await client.log.wait(for: "/D2 Device1 {ServicesResolved: false, Connected: false}")
            let device = try await client.log.wait(beginning: "- /D2 Device1")
            let adapter = try await client.log.wait(beginning: "- /hci0 Adapter1")
            let name = try await client.log.wait(for: "org.bluez is gone")
            #expect(lost < device && device < adapter && adapter < name)
            #expect(
                await client.failure("/hci0", "Adapter1", "StartDiscovery")
                    .hasPrefix("org.freedesktop.DBus.Error.ServiceUnknown"))
        }
    }

    @Test(
        "SIGKILL: only the name's owner is told; back, there is the known device, and no discovery can begin at first")
    func killed() async throws {
        try await withSimulator { client, bench in
            try await client.attach("/D2")
            try await client.call("/hci0", "Adapter1", "StartDiscovery")
            try await client.log.wait(for: "+ /D3 Device1")
            try await bench.perform("bluez-kill")
            let gone = try await client.log.wait(for: "org.bluez is gone")
            try await bench.perform("bluez-start")
            let back = try await client.log.wait(for: "org.bluez is there")
            let adapter = try await client.log.wait(beginning: "+ /hci0 Adapter1", from: back)
            let events = await client.log.events
            #expect(back == gone + 1, "\(events[gone...back])")
            #expect(events[back..<adapter].contains { $0.hasPrefix("+ /org/bluez AgentManager1") })
            try await client.log.wait(for: "/hci0 Adapter1 {Powered: true}", from: adapter)
            try await client.log.wait(beginning: "+ /D2 Device1", from: adapter)
            #expect(
                await client.failure("/hci0", "Adapter1", "StartDiscovery")
                    == "InProgress: Operation already in progress")
            try await client.call("/hci0", "Adapter1", "StartDiscovery")
            // Sessions are gone: whoever notified gets nothing, and connecting brings the objects again.
            let before = await client.log.events.count
            try await client.call("/D2", "Device1", "Connect")
            try await client.log.wait(for: "+ /D2/service001b/char001c GattCharacteristic1", from: before)
            try await client.log.wait(for: "/D2 Device1 {ServicesResolved: true}", from: before)
        }
    }

    @Test("an agent can be registered once, and goes with its client")
    func agents() async throws {
        try await withSimulator { client, bench in
            let path = DBusValue.objectPath(.root)
            let other = try await bench.client()
            try await other.call("/org/bluez", "AgentManager1", "RegisterAgent", [path, .string("")])
            try await client.log.wait(for: "/hci0 Adapter1 {Pairable: true}")
            #expect(
                await other.failure("/org/bluez", "AgentManager1", "RegisterAgent", [path, .string("")])
                    == "AlreadyExists: Already Exists")
            try await other.call("/org/bluez", "AgentManager1", "RequestDefaultAgent", [path])
            await other.connection.close()
            try await client.log.wait(for: "/hci0 Adapter1 {Pairable: false}")
            #expect(
                await client.failure("/org/bluez", "AgentManager1", "UnregisterAgent", [path])
                    == "DoesNotExist: Does Not Exist")
        }
    }
}
