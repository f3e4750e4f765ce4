import DBus
import TestSupport
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
                    .hasPrefix("org.freedesktop.DBus.Error.Spawn.ChildExited"))
        }
    }

    @Test("SIGKILL: only the name's owner changes; after a restart the known device has the link that the kernel kept")
    func killed() async throws {
        // Slow enough that bluetoothd is back before the kernel gives the link up, also on a busy machine.
        try await withSimulator(timeScale: 4) { client, bench in
            try await client.attach("/D2")
            try await bench.perform("bluez-kill")
            let gone = try await client.log.wait(for: "org.bluez is gone")
            try await bench.perform("bluez-start")
            let back = try await client.log.wait(for: "org.bluez is there")
            let adapter = try await client.log.wait(beginning: "+ /hci0 Adapter1", from: back)
            let events = await client.log.events
            #expect(back == gone + 1, "\(events[gone...back])")
            #expect(events[back..<adapter].contains { $0.hasPrefix("+ /org/bluez AgentManager1") })
            #expect(try await client.property("/hci0", "Adapter1", "Powered") == "true")
            try await client.log.wait(beginning: "+ /D2 Device1", from: adapter)
            // The services are never found on that link, and two seconds after the death it ends.
            try await client.log.wait(for: "/D2 Device1 {Connected: false}", from: adapter)
            let before = await client.log.events.count
            try await client.call("/D2", "Device1", "Connect")
            try await client.log.wait(for: "+ /D2/service001b/char001c GattCharacteristic1", from: before)
            try await client.log.wait(for: "/D2 Device1 {ServicesResolved: true}", from: before)
        }
    }

    @Test("SIGKILL during a discovery: the next one can begin only when the kernel's scan has ended")
    func killedScanning() async throws {
        // Slow enough that the scan of 10.24 s has not ended when it is tried, also on a busy machine.
        try await withSimulator(timeScale: 4) { client, bench in
            try await client.discover(until: "/D3")
            try await bench.perform("bluez-kill")
            try await bench.perform("bluez-start")
            let back = try await client.log.wait(for: "org.bluez is there")
            try await client.log.wait(beginning: "+ /hci0 Adapter1", from: back)
            for _ in 0..<2 {
                #expect(
                    await client.failure("/hci0", "Adapter1", "StartDiscovery")
                        == "InProgress: Operation already in progress")
            }
        }
        try await withSimulator { client, bench in
            try await client.discover(until: "/D3")
            try await bench.perform("bluez-kill")
            try await bench.perform("sleep 10.3")
            try await bench.perform("bluez-start")
            try await client.log.wait(beginning: "+ /hci0 Adapter1", from: client.log.wait(for: "org.bluez is there"))
            try await client.call("/hci0", "Adapter1", "StartDiscovery")
        }
    }

    @Test("the bus goes and comes back at the same address, and bluetoothd with a start of its own")
    func busRestarts() async throws {
        try await withSimulator { client, bench in
            try await client.attach("/D2")
            try await bench.perform("dbus-stop")
            let lost = await client.failure("/hci0", "Adapter1", "StartDiscovery")
            #expect(lost == "the connection to the bus is gone")
            try await bench.perform("dbus-start")
            let late = try await bench.client()
            #expect(
                await late.failure("/hci0", "Adapter1", "StartDiscovery")
                    .hasPrefix("org.freedesktop.DBus.Error.Spawn.ChildExited"))
            try await bench.perform("bluez-start")
            try await late.log.wait(beginning: "+ /D2 Device1")
            try await late.log.wait(for: "/hci0 Adapter1 {Powered: true}")
            try await late.call("/D2", "Device1", "Connect")
        }
    }

    @Test("bluetoothd waits for a bus that starts at the same moment")
    func startsTogether() async throws {
        try await withSimulator { _, bench in
            try await bench.perform("dbus-stop")
            let loop = bench.simulator.loop
            let commands = ["dbus-start", "bluez-start"].map { command in
                Task(executorPreference: loop) { try await bench.perform(command) }
            }
            for command in commands { try await command.value }
            // The adapter may have come before the client listens.
            let late = try await bench.client()
            try await awaitCondition("the adapter is there") { try await late.objects().contains("/hci0") }
        }
    }

    @Test("without permission every call of bluetoothd is refused, until it is given")
    func refused() async throws {
        try await withSimulator { client, bench in
            try await bench.perform("permit off")
            #expect(
                await client.failure("/hci0", "Adapter1", "StartDiscovery")
                    .hasPrefix("org.freedesktop.DBus.Error.AccessDenied"))
            try await bench.perform("permit on")
            try await client.call("/hci0", "Adapter1", "StartDiscovery")
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
