import DBus
import TestSupport
import Testing

@testable import BlueZ

@Suite("The values of one characteristic", .timeLimit(.minutes(10)))
struct StreamTests {
    /// Reads until the sequence ends; returns the octets, and why it ended.
    private func drain(_ sequence: NotificationSequence) async -> ([[UInt8]], NotificationsEndedError.Reason?) {
        var octets: [[UInt8]] = []
        do {
            for try await notification in sequence { octets.append(notification.octets) }
            return (octets, nil)
        } catch {
            return (octets, error.reason)
        }
    }

    @Test("come in order, and end with the link")
    func linkLost() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let sequence = try await bench.bluez.notifications(of: try Strap.reference())
        try await fake.notify([6, 70])
        try await fake.notify([6, 71])
        try await fake.changeDevice([("ServicesResolved", .boolean(false)), ("Connected", .boolean(false))])
        #expect(await drain(sequence) == ([[6, 70], [6, 71]], .linkLost))
        // The values of the next link are not wanted.
        try await awaitCondition("the end of the session") { fake.calls.elements.contains("StopNotify") }
        await fake.die()
    }

    @Test("end with the daemon, and with a stop by hand")
    func daemonGone() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let reference = try Strap.reference()
        let stopped = try await bench.bluez.notifications(of: reference)
        try await bench.bluez.stopNotify(reference)
        #expect(await drain(stopped) == ([], .stopped))
        let sequence = try await bench.bluez.notifications(of: reference)
        await fake.die()
        #expect(await drain(sequence) == ([], .daemonGone))
    }

    @Test("leave a manually started session to its owner, and share it")
    func shared() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let reference = try Strap.reference()
        try await bench.bluez.startNotify(reference)
        let reader = Task { await drain(try await bench.bluez.notifications(of: reference)) }
        try await awaitCondition("a second start") { fake.calls.elements.count { $0 == "StartNotify" } == 2 }
        reader.cancel()
        _ = try await reader.value
        try await awaitCondition("the reader's end") { await bench.bluez.notificationReaders.isEmpty }
        #expect(!fake.calls.elements.contains("StopNotify"))
        await fake.die()
    }

    @Test("end the session when the last reader goes")
    func lastReader() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let reference = try Strap.reference()
        let reader = Task { await drain(try await bench.bluez.notifications(of: reference)) }
        try await awaitCondition("a start") { fake.calls.elements.contains("StartNotify") }
        reader.cancel()
        let (octets, reason) = try await reader.value
        #expect(octets.isEmpty && reason == nil)
        try await awaitCondition("the end of the session") { fake.calls.elements.contains("StopNotify") }
        await fake.die()
    }

    @Test("are refused without a link, and a refusal leaves nothing behind")
    func refused() async throws {
        let (bench, fake) = try await Bench.withStrap()
        fake.fail("StartNotify", [("org.bluez.Error.NotSupported", "Operation is not supported")])
        let error = await #expect(throws: BlueZError.self) {
            _ = try await bench.bluez.notifications(of: try Strap.reference())
        }
        #expect(error?.kind == .notSupported)
        try await awaitCondition("nothing left") { await bench.bluez.notificationReaders.isEmpty }
        await fake.die()
    }
}

@Suite("Writes and reads with options", .timeLimit(.minutes(10)))
struct ValueOptionTests {
    @Test("a write states its kind, and more than one packet is refused without a response")
    func writes() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let reference = try Strap.reference()
        for mode in [WriteMode.withResponse, .withoutResponse, .reliable] {
            try await bench.bluez.write([1], to: reference, mode)
        }
        #expect(fake.calls.elements == ["WriteValue [1] request", "WriteValue [1] command", "WriteValue [1] reliable"])
        let long = [UInt8](repeating: 0, count: 245)
        let error = await #expect(throws: BlueZError.self) {
            try await bench.bluez.write(long, to: reference, .withoutResponse)
        }
        #expect(error?.kind == .invalidArguments)
        try await bench.bluez.write(long, to: reference)
        #expect(try await bench.bluez.transferUnit(of: reference) == 247)
        await fake.die()
    }

    @Test("an offset beyond what a value can have is refused before anybody is asked")
    func offsets() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let reference = try Strap.reference()
        for offset in [-1, 513] {
            let error = await #expect(throws: BlueZError.self) {
                _ = try await bench.bluez.read(reference, from: offset)
            }
            #expect(error?.kind == .invalidArguments)
        }
        #expect(try await bench.bluez.read(reference, from: 0) == [0xAB])
        #expect(fake.calls.elements == ["ReadValue"])
        await fake.die()
    }

    @Test("a write says from which octet on, and its value and offset must fit together")
    func writeOffsets() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let reference = try Strap.reference()
        try await bench.bluez.write([1, 2], to: reference, at: 510)
        #expect(fake.calls.elements == ["WriteValue [1, 2] request from 510"])
        let error = await #expect(throws: BlueZError.self) {
            try await bench.bluez.write([1, 2, 3], to: reference, .reliable, at: 510)
        }
        #expect(error?.kind == .invalidArguments)
        await fake.die()
    }

    @Test("the daemon's last value is known without a read and without a link")
    func lastValue() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let reference = try Strap.reference()
        #expect(try await bench.bluez.lastValue(of: reference) == [0x06, 99])
        try await fake.changeDevice([("Connected", .boolean(false))])
        try await bench.wait(for: "Polar disconnected")
        try await fake.notify([0x06, 100])
        #expect(try await bench.bluez.lastValue(of: reference) == [0x06, 100])
        try await fake.notify([])
        #expect(try await bench.bluez.lastValue(of: reference) == nil)
        #expect(fake.calls.elements.isEmpty)
        await fake.die()
    }

    @Test("a last value that there is not is none, and one that no attribute can have is refused")
    func senselessLastValue() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let reference = try Strap.reference()
        let at = try path(Strap.measurement)
        for value in [DBusValue.string("text"), .bytes([UInt8](repeating: 0, count: 513))] {
            try await fake.connection.setProperties(of: at, Name.characteristic, [("Value", value)])
            let error = await #expect(throws: BlueZError.self) { _ = try await bench.bluez.lastValue(of: reference) }
            #expect(error?.kind == .unexpectedAnswer)
        }
        try await fake.connection.setProperties(of: at, Name.characteristic, [], invalidated: ["Value"])
        #expect(try await bench.bluez.lastValue(of: reference) == nil)
        await fake.die()
    }

    @Test("flags keep their names in both directions")
    func flags() {
        let names = ["read", "write-without-response", "notify", "reliable-write"]
        #expect(CharacteristicFlags(names: names + ["something-new"]).names == names)
    }
}
