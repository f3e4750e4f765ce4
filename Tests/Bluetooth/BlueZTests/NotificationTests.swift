import DBus
import TestSupport
import Testing

@testable import BlueZ

@Suite("Notifications", .timeLimit(.minutes(10)))
struct NotificationTests {
    @Test("every value after StartNotify is reported, in order, equal ones too, and none before it")
    func delivery() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await fake.notify([1])
        try await bench.settle(fake)
        let reference = try Strap.reference()
        try await bench.bluez.startNotify(reference)
        var expected: [[UInt8]] = []
        for number in 0..<200 {
            let octets = [UInt8(number / 2)]
            expected.append(octets)
            try await fake.notify(octets)
        }
        try await bench.wait(forNotifications: expected)
        #expect(bench.notifications == expected)
        guard case .notification(let notified, _) = bench.events.elements.last?.kind else {
            Issue.record("the last event is no notification")
            return
        }
        #expect(notified == reference)
        await fake.die()
    }

    @Test("the backlog ends when everything that the daemon had sent before is reported")
    func backlog() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await bench.bluez.startNotify(try Strap.reference())
        // Delivered within the call that receives it, as the supervisor is.
        let delivered = Recorder<BlueZEvent>()
        let delivery = await bench.bluez.events().deliver { delivered.record($0) }
        for round in 0..<20 {
            for number in 0..<25 { try await fake.notify([UInt8(round), UInt8(number)]) }
            await bench.bluez.handleBacklog(within: .seconds(10))
            let count = delivered.elements.count { if case .notification = $0.kind { true } else { false } }
            #expect(count == 25 * (round + 1))
        }
        withExtendedLifetime(delivery) {}
        await fake.die()
        try await bench.wait(for: "daemon gone")
        // A missing daemon does not answer, and no caller waits for it.
        await bench.bluez.handleBacklog(within: .seconds(10))
    }

    @Test("what we read ourselves is no notification, and what comes meanwhile is")
    func reading() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let reference = try Strap.reference()
        try await bench.bluez.startNotify(reference)
        try await fake.notify([1])
        #expect(try await bench.bluez.read(reference) == [0xAB])
        async let first = bench.bluez.read(reference)
        async let second = bench.bluez.read(reference)
        try await fake.notify([2])
        #expect(try await [first, second] == [[0xAB], [0xAB]])
        try await fake.notify([3])
        try await bench.wait(forNotifications: [[1], [2], [3]])
        #expect(bench.notifications == [[1], [2], [3]])
        #expect(await !bench.bluez.isReading)
        await fake.die()
    }

    @Test("a read that fails takes no notification away")
    func failedRead() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let reference = try Strap.reference()
        try await bench.bluez.startNotify(reference)
        fake.fail("ReadValue", [("org.bluez.Error.NotPermitted", "Read not permitted")])
        await #expect(
            throws: BlueZError(.notPermitted, name: "org.bluez.Error.NotPermitted", text: "Read not permitted")
        ) {
            try await bench.bluez.read(reference)
        }
        try await fake.notify([0xAB])
        try await bench.wait(forNotifications: [[0xAB]])
        #expect(bench.notifications == [[0xAB]])
        await fake.die()
    }

    @Test("a session outlives the link: values are reported before the services are resolved again")
    func reconnection() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await bench.bluez.startNotify(try Strap.reference())
        try await fake.changeDevice([("ServicesResolved", .boolean(false)), ("Connected", .boolean(false))])
        try await fake.changeDevice([("Connected", .boolean(true))])
        try await fake.notify([7])
        try await fake.changeDevice([("ServicesResolved", .boolean(true))])
        try await bench.wait(for: "Polar resolved", times: 2)
        #expect(
            bench.text.suffix(5) == [
                "Polar changed", "Polar connected", "2a37 [7]", "Polar changed", "Polar resolved",
            ])
        await fake.die()
    }

    @Test("after StopNotify nothing is reported, nor after StartNotify was refused")
    func stopped() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let reference = try Strap.reference()
        try await bench.bluez.startNotify(reference)
        try await fake.notify([1])
        try await bench.wait(forNotifications: [[1]])
        try await bench.bluez.stopNotify(reference)
        try await fake.notify([2])
        try await bench.settle(fake)
        fake.fail("StartNotify", [("org.bluez.Error.NotSupported", "Operation is not supported")])
        await #expect(throws: BlueZError.self) { try await bench.bluez.startNotify(reference) }
        try await fake.notify([3])
        try await bench.settle(fake)
        #expect(bench.notifications == [[1]])
        await fake.die()
    }

    @Test("a characteristic that went and came has no session, and its cached value is ignored")
    func forgotten() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await bench.bluez.startNotify(try Strap.reference())
        for object in [Strap.measurement, Strap.location, Strap.service, Strap.device] {
            try await fake.connection.unexport(try path(object))
        }
        try await fake.addStrap(isConnected: true, isResolved: true)
        try await fake.addServices()
        try await fake.notify([9])
        try await bench.settle(fake)
        #expect(bench.notifications.isEmpty)
        await fake.die()
    }

    @Test("other properties beside the value are taken too")
    func beside() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await bench.bluez.startNotify(try Strap.reference())
        try await fake.connection.setProperties(
            of: try path(Strap.measurement), Name.characteristic,
            [("Notifying", .boolean(true)), ("Value", .bytes([5])), ("MTU", .uint16(185))])
        try await bench.wait(forNotifications: [[5]])
        try await bench.settle(fake)
        let found = await bench.bluez.characteristic(BluetoothUUID(0x2A37), of: Strap.address)
        #expect(found?.isNotifying == true)
        #expect(found?.mtu == 185)
        await fake.die()
    }

    @Test("values are written with and without an answer")
    func writing() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await bench.bluez.write([1, 2], to: try Strap.reference())
        try await bench.bluez.write([], to: try Strap.reference(), .withoutResponse)
        #expect(fake.calls.elements == ["WriteValue [1, 2] request", "WriteValue [] command"])
        await fake.die()
    }

    @Test("a reference to what is not there any more is refused without a call")
    func staleReference() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let stale = CharacteristicReference(
            path: try path(Strap.measurement), uuid: BluetoothUUID(0x2A1C), service: BluetoothUUID(0x1809),
            peripheral: Strap.address)
        let error = await #expect(throws: BlueZError.self) { try await bench.bluez.startNotify(stale) }
        #expect(error?.kind == .unknownObject)
        #expect(fake.calls.elements.isEmpty)
        await fake.die()
    }
}

extension BluetoothCentral {
    fileprivate var isReading: Bool { notifySessions.isReading }
}
