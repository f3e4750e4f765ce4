import BlueZSimulator
import DBus
import TestSupport
import Testing

@Suite("Acquired characteristics")
struct AcquiringTests {
    private static let interface = "GattCharacteristic1"
    private static let notifyAcquired = "\(heartRateMeasurement) GattCharacteristic1 {NotifyAcquired: true}"
    private static let notifyReleased = "\(heartRateMeasurement) GattCharacteristic1 {NotifyAcquired: false}"

    /// A device whose values come back from where they were written to.
    private static let echo = """
        {
          sensors: [{
            name: 'Echo', kind: 'generic', address: 'C0:52:49:00:00:02', battery: 50,
            advertises: ['FFF0'],
            services: [{
              uuid: 'FFF0',
              characteristics: [
                {uuid: 'FFF1', flags: ['write', 'write-without-response']},
                {uuid: 'FFF2', flags: ['notify'], echoes: 'FFF1'},
              ],
            }],
          }],
        }
        """

    private func acquire(
        _ client: BusClient, _ path: String, _ member: String
    ) async throws -> DBusFileDescriptor {
        let answer = try await client.call(path, Self.interface, member, [.properties([])])
        #expect(answer.last == .uint16(247))
        guard case .unixFileDescriptor(let socket)? = answer.first else {
            throw DBusConnectionError.unexpectedReply(expected: "h", found: "\(answer)")
        }
        return socket
    }

    /// The next packet of a socket.
    private func next(_ socket: DBusFileDescriptor) async throws -> DBusFileDescriptor.ReceivedPacket {
        var packet = DBusFileDescriptor.ReceivedPacket.nothing
        try await awaitCondition("a packet") {
            packet = socket.receivePacket(atMost: 512)
            return packet != .nothing
        }
        return packet
    }

    @Test("notifications go through the socket only, until the client closes it")
    func notifications() async throws {
        try await withSimulator { client, _ in
            try await client.attach("/D2")
            do {
                let socket = try await acquire(client, heartRateMeasurement, "AcquireNotify")
                let acquired = try await client.log.wait(for: Self.notifyAcquired)
                #expect(try await acquired < client.log.wait(for: "AcquireNotify => ok"))
                #expect(try await next(socket) == .packet([0x16, 0x48, 0x55, 0x03]))
                for member in ["AcquireNotify", "StartNotify"] {
                    let arguments: [DBusValue] = member == "AcquireNotify" ? [.properties([])] : []
                    #expect(
                        await client.failure(heartRateMeasurement, Self.interface, member, arguments)
                            == "NotPermitted: Notify acquired")
                }
            }
            try await client.log.wait(for: Self.notifyReleased)
            let events = await client.log.events
            #expect(!events.contains { $0.hasPrefix("\(heartRateMeasurement) GattCharacteristic1 {Value") })
            #expect(!events.contains { $0.hasPrefix("\(heartRateMeasurement) GattCharacteristic1 {Notifying") })

            try await client.call(heartRateMeasurement, Self.interface, "StartNotify")
            #expect(
                await client.failure(heartRateMeasurement, Self.interface, "AcquireNotify", [.properties([])])
                    == "InProgress: In Progress")
        }
    }

    @Test("the socket ends with the link, and with StopNotify")
    func ends() async throws {
        try await withSimulator { client, bench in
            try await client.attach("/D2")
            try await bench.perform("quiet hr")
            let stopped = try await acquire(client, heartRateMeasurement, "AcquireNotify")
            try await client.call(heartRateMeasurement, Self.interface, "StopNotify")
            #expect(try await next(stopped) == .end)
            let released = try await client.log.wait(for: Self.notifyReleased)

            let lost = try await acquire(client, heartRateMeasurement, "AcquireNotify")
            try await bench.perform("drop hr")
            #expect(try await next(lost) == .end)
            try await client.log.wait(for: Self.notifyReleased, from: released + 1)
            #expect(
                await client.failure(heartRateMeasurement, Self.interface, "AcquireNotify", [.properties([])])
                    == "Failed: Not connected")
        }
    }

    @Test("the sockets of a killed bluetoothd end without a signal")
    func killed() async throws {
        try await withSimulator { client, bench in
            try await client.attach("/D2")
            try await bench.perform("quiet hr")
            let socket = try await acquire(client, heartRateMeasurement, "AcquireNotify")
            try await bench.perform("bluez-kill")
            #expect(try await next(socket) == .end)
            #expect(!(await client.log.events.contains(Self.notifyReleased)))
        }
    }

    @Test("an acquired write arrives as one, and other writes are refused meanwhile")
    func writes() async throws {
        let scenario = try Scenario(json5: Self.echo, file: "echo.json5")
        try await withSimulator(scenario) { client, bench in
            try await client.attach("/D2")
            let paths = try await client.objects().filter { $0.hasPrefix("/D2/service") && $0.contains("char") }
            var found: [String: String] = [:]
            for path in paths where !path.contains("desc") {
                found[try await client.property(path, Self.interface, "UUID")] = path
            }
            let (written, echoed) = (try #require(found["fff1"]), try #require(found["fff2"]))
            #expect(try await client.property(written, Self.interface, "WriteAcquired") == "false")
            let echo = try await acquire(client, echoed, "AcquireNotify")
            let write: [DBusValue] = [.bytes([9]), .properties([])]
            do {
                let socket = try await acquire(client, written, "AcquireWrite")
                try await client.log.wait(for: "\(written) GattCharacteristic1 {WriteAcquired: true}")
                #expect(
                    await client.failure(written, Self.interface, "AcquireWrite", [.properties([])])
                        == "NotPermitted: Write acquired")
                #expect(
                    await client.failure(written, Self.interface, "WriteValue", write) == "NotPermitted: Write acquired"
                )
                for octets: [UInt8] in [[1], [2, 3]] { #expect(socket.sendPacket(octets) == .sent) }
                #expect(try await next(echo) == .packet([1]))
                #expect(try await next(echo) == .packet([2, 3]))
            }
            try await client.log.wait(for: "\(written) GattCharacteristic1 {WriteAcquired: false}")
            try await client.call(written, Self.interface, "WriteValue", write)
            #expect(try await next(echo) == .packet([9]))
        }
    }

    @Test("what a characteristic cannot do is refused")
    func refusals() async throws {
        try await withSimulator { client, _ in
            try await client.attach("/D2")
            // Service Changed indicates only.
            for (path, member) in [
                ("/D2/service0001/char0002", "AcquireNotify"), (heartRateMeasurement, "AcquireWrite"),
            ] {
                #expect(
                    await client.failure(path, Self.interface, member, [.properties([])])
                        == "NotSupported: Operation is not supported")
            }
        }
    }
}
