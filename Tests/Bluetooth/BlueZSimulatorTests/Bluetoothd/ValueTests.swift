import BlueZSimulator
import DBus
import Testing

@Suite("Values")
struct ValueTests {
    private static let value = "\(heartRateMeasurement) GattCharacteristic1 {Value: 16485503}"

    @Test("values come only with a notify session, and Notifying is signalled before the answer")
    func notifying() async throws {
        try await withSimulator { client, _ in
            try await client.attach("/D2")
            try await client.call(heartRateMeasurement, "GattCharacteristic1", "StartNotify")
            let notifying = try await client.log.wait(
                for: "\(heartRateMeasurement) GattCharacteristic1 {Notifying: true}")
            let answered = try await client.log.wait(for: "StartNotify => ok")
            let first = try await client.log.wait(for: Self.value)
            #expect(notifying < answered && notifying < first)
            // Again by the same client: nothing doubles.
            try await client.call(heartRateMeasurement, "GattCharacteristic1", "StartNotify")
            try await client.log.wait(for: 5, beginning: Self.value)
            try await client.call(heartRateMeasurement, "GattCharacteristic1", "StopNotify")
            let stopped = try await client.log.wait(for: "StopNotify => ok")
            #expect(
                await client.failure(heartRateMeasurement, "GattCharacteristic1", "StopNotify")
                    == "Failed: No notify session started")
            try await client.call("/D2", "Device1", "Disconnect")
            #expect(!(await client.log.events.dropFirst(stopped + 1).contains(Self.value)))
        }
    }

    @Test("everybody gets one signal for every client that notifies")
    func twoClients() async throws {
        try await withSimulator(timeScale: 0.05) { client, bench in
            try await client.attach("/D2")
            try await bench.perform("quiet hr")
            try await client.call(heartRateMeasurement, "GattCharacteristic1", "StartNotify")
            let other = try await bench.client()
            try await other.call(heartRateMeasurement, "GattCharacteristic1", "StartNotify")
            let prefix = "\(heartRateMeasurement) GattCharacteristic1 {Value: "
            try await bench.perform("burst hr 3")
            try await client.log.wait(for: prefix + "0002}")
            try await client.log.wait(for: 6, beginning: prefix)
            let seen = await client.log.events.filter { $0.hasPrefix(prefix) }.map { String($0.suffix(5).prefix(4)) }
            #expect(seen == ["0000", "0000", "0001", "0001", "0002", "0002"])

            await other.connection.close()
            // Until the simulator has noticed, the value comes twice.
            var hasNoticed = false
            while !hasNoticed {
                let before = await client.log.events.count
                try await bench.perform("raw hr 0001")
                try await bench.perform("raw hr 0002")
                let end = try await client.log.wait(for: prefix + "0002}", from: before)
                hasNoticed = await client.log.events[before..<end].filter { $0 == prefix + "0001}" }.count == 1
            }
        }
    }

    @Test("when the last client that notifies leaves the bus, the sensor stops")
    func clientLeaves() async throws {
        try await withSimulator { client, bench in
            try await client.attach("/D2")
            let other = try await bench.client()
            try await other.call(heartRateMeasurement, "GattCharacteristic1", "StartNotify")
            try await client.log.wait(for: Self.value)
            await other.connection.close()
            try await client.log.wait(for: "\(heartRateMeasurement) GattCharacteristic1 {Notifying: false}")
            #expect(try await client.property("/D2", "Device1", "Connected") == "true")
        }
    }

    @Test("nothing is coalesced: a burst arrives whole and in order, and equal values as often as they were sent")
    func bursts() async throws {
        try await withSimulator { client, bench in
            try await client.attach("/D2")
            try await client.call(heartRateMeasurement, "GattCharacteristic1", "StartNotify")
            try await bench.perform("quiet hr")
            let before = await client.log.events.count
            try await bench.perform("burst hr 256")
            for _ in 0..<10 { try await bench.perform("raw hr 0048") }
            try await bench.perform("raw hr ffff")
            let prefix = "\(heartRateMeasurement) GattCharacteristic1 {Value: "
            let end = try await client.log.wait(for: prefix + "ffff}")
            let values = await client.log.events[before..<end].filter { $0.hasPrefix(prefix) }
            let numbers = (0..<256).map { prefix + "00" + ($0 < 16 ? "0" : "") + String($0, radix: 16) + "}" }
            #expect(values.filter { $0 != Self.value } == numbers + Array(repeating: prefix + "0048}", count: 10))
        }
    }

    @Test("ReadValue makes a signal of the value too, every time")
    func reading() async throws {
        try await withSimulator { client, bench in
            try await client.attach("/D2")
            let location = "/D2/service001b/char001f"
            for _ in 0..<2 {
                let answer = try await client.call(location, "GattCharacteristic1", "ReadValue", [.properties([])])
                #expect(answer == [.bytes([1])])
            }
            try await client.log.wait(for: 2, beginning: "\(location) GattCharacteristic1 {Value: 01}")
            let battery = try await client.call(
                "/D2/service0017/char0018", "GattCharacteristic1", "ReadValue", [.properties([])])
            #expect(battery == [.bytes([87])])
            let name = try await client.call(
                "/D2/service000e/char000f", "GattCharacteristic1", "ReadValue",
                [.properties([("offset", .uint16(1))])])
            #expect(name == [.bytes(Array("ig".utf8))])
        }
    }

    @Test("a strap takes the command that resets its energy, and no other")
    func controlPoint() async throws {
        try await withSimulator { client, bench in
            try await client.attach("/D2")
            try await bench.perform("energy 85")
            let (path, interface) = ("/D2/service001b/char0021", "GattCharacteristic1")
            try await client.call(path, interface, "WriteValue", [.bytes([1]), .properties([])])
            try await client.call(heartRateMeasurement, interface, "StartNotify")
            try await client.log.wait(for: "\(heartRateMeasurement) \(interface) {Value: 1e4800005503}")
            #expect(
                await client.failure(path, interface, "WriteValue", [.bytes([2]), .properties([])])
                    == "Failed: Operation failed with ATT error: 0x80")
        }
    }

    @Test("what a characteristic cannot do is refused in BlueZ's words")
    func refusals() async throws {
        try await withSimulator { client, _ in
            try await client.attach("/D2")
            let location = "/D2/service001b/char001f"
            let interface = "GattCharacteristic1"
            let write: [DBusValue] = [.bytes([1]), .properties([])]
            #expect(
                await client.failure(heartRateMeasurement, interface, "ReadValue", [.properties([])])
                    == "NotPermitted: Read not permitted")
            #expect(
                await client.failure(location, interface, "StartNotify") == "NotSupported: Operation is not supported")
            #expect(
                await client.failure(location, interface, "StopNotify") == "Failed: No notify session started")
            #expect(
                await client.failure(location, interface, "WriteValue", write)
                    == "NotSupported: Operation is not supported")
            #expect(
                await client.failure(location + "x", interface, "ReadValue", [.properties([])])
                    .hasPrefix("org.freedesktop.DBus.Error.UnknownObject"))
        }
    }

    @Test("commands change what the sensors send, in every field")
    func commands() async throws {
        try await withSimulator { client, bench in
            try await client.attach("/D2")
            try await client.call(heartRateMeasurement, "GattCharacteristic1", "StartNotify")
            let steps = [
                ("hr 121", "1679"), ("contact off", "0479"), ("contact none", "1079"), ("rr none", "0079"),
                ("rr 500 1000", "107900020004"), ("energy 85", "1879550000020004"), ("wide on", "19790055000002"),
                ("hr 300", "192c0155000002"),
            ]
            for (command, octets) in steps {
                try await bench.perform(command)
                try await client.log.wait(
                    beginning: "\(heartRateMeasurement) GattCharacteristic1 {Value: \(octets)")
            }
        }
    }

    @Test("the battery's level is reported when it changes, and Battery1 goes with the link")
    func battery() async throws {
        try await withSimulator { client, bench in
            try await client.attach("/D2")
            try await bench.perform("battery hr 41")
            try await bench.perform("battery hr 41")
            try await bench.perform("battery hr 40")
            try await client.log.wait(for: "/D2 Battery1 {Percentage: 40}")
            #expect(await client.log.events.filter { $0 == "/D2 Battery1 {Percentage: 41}" }.count == 1)
            try await bench.perform("drop hr")
            try await client.log.wait(for: "- /D2 Battery1")
        }
    }

    @Test("64 sensors at ten values a second each are served, and nothing of a burst is lost")
    func manySensors() async throws {
        let text = """
            {sensors: [{name: 'Strap', address: 'C0:52:49:01:01:10', kind: 'heartRateStrap', copies: 64}]}
            """
        // A tenth of the time makes one value a second ten.
        try await withSimulator(try Scenario(json5: text, file: "crowd.json5"), timeScale: 0.1) { client, bench in
            // The discovery stays, so that none vanishes before it is connected.
            try await bench.perform("dupfilter off")
            try await client.call("/hci0", "Adapter1", "StartDiscovery")
            try await client.log.wait(for: 64, beginning: "+ /hci0/dev_")
            let paths = (0x10..<0x50).map { "/hci0/dev_C0_52_49_01_01_\(String($0, radix: 16, uppercase: true))" }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for path in paths {
                    group.addTask {
                        try await client.call(path, "Device1", "Connect")
                        try await client.log.wait(beginning: "+ \(path) Battery1")
                        try await client.call(
                            path + "/service001b/char001c", "GattCharacteristic1", "StartNotify")
                    }
                }
                try await group.waitForAll()
            }
            for path in paths {
                try await client.log.wait(beginning: "\(path)/service001b/char001c GattCharacteristic1 {Value: 16")
            }
            try await bench.perform("quiet all")
            try await bench.perform("burst all 20")
            for path in paths {
                try await client.log.wait(
                    for: 20, beginning: "\(path)/service001b/char001c GattCharacteristic1 {Value: 00")
            }
        }
    }
}
