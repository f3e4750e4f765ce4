import DBus
import Glibc
import TestSupport
import Testing

@testable import BlueZ

/// The open sockets of packets in this process; only the tests of this file make any, one after another.
private func packetSocketCount() -> Int {
    (0..<1024 as Range<Int32>).count { number in
        var type: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == Int32(SOCK_SEQPACKET.rawValue)
    }
}

extension BluetoothCentral {
    fileprivate var hasWaitingValues: Bool { acquiredSockets.sockets.values.contains { $0.hasWaitingValues } }
}

@Suite("An acquired characteristic", .serialized, .timeLimit(.minutes(10)))
struct AcquiringTests {
    /// Reads until the sequence ends; returns the octets, and why it ended.
    private func drain(_ sequence: AcquiredNotifications) async -> ([[UInt8]], NotificationsEndedError.Reason?) {
        var octets: [[UInt8]] = []
        do {
            for try await notification in sequence { octets.append(notification.octets) }
            return (octets, nil)
        } catch {
            return (octets, error.reason)
        }
    }

    private func send(_ packets: [[UInt8]], from fake: FakeBlueZ) throws {
        let socket = try fake.socket("AcquireNotify")
        for packet in packets { #expect(socket.sendPacket(packet) == .sent) }
    }

    /// What a writer has sent until now.
    private func received(_ fake: FakeBlueZ) throws -> [[UInt8]] {
        let socket = try fake.socket("AcquireWrite")
        var packets: [[UInt8]] = []
        while case .packet(let octets) = socket.receivePacket(atMost: 512) { packets.append(octets) }
        return packets
    }

    private func isClosed(_ member: String, _ fake: FakeBlueZ) throws -> Bool {
        try fake.socket(member).receivePacket(atMost: 512) == .end
    }

    // MARK: Notifications

    @Test("gives its values in order, past the events, and ends with the link after the last one")
    func linkLost() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let sequence = try await bench.bluez.acquireNotify(try Strap.reference())
        #expect(sequence.transferUnit == 247)
        try send([[6, 70], [], [6, 71]], from: fake)
        try await fake.changeDevice([("ServicesResolved", .boolean(false)), ("Connected", .boolean(false))])
        #expect(await drain(sequence) == ([[6, 70], [], [6, 71]], .linkLost))
        #expect(sequence.droppedCount == 0)
        #expect(bench.notifications.isEmpty)
        #expect(fake.calls.elements == ["AcquireNotify"])
        await fake.die()
    }

    @Test("ends when the daemon closes the socket, before it says why")
    func closed() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let sequence = try await bench.bluez.acquireNotify(try Strap.reference())
        try send([[1], [2]], from: fake)
        fake.closeSocket("AcquireNotify")
        #expect(await drain(sequence) == ([[1], [2]], .linkLost))
        await fake.die()
    }

    @Test("ends with the daemon, with its service, and with the client")
    func otherEnds() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let orphaned = try await bench.bluez.acquireNotify(try Strap.reference())
        try await fake.connection.unexport(try path(Strap.measurement))
        #expect(await drain(orphaned) == ([], .characteristicGone))
        await fake.die()

        let (second, dying) = try await Bench.withStrap()
        let gone = try await second.bluez.acquireNotify(try Strap.reference())
        await dying.die()
        #expect(await drain(gone) == ([], .daemonGone))

        let (third, living) = try await Bench.withStrap()
        let stopped = try await third.bluez.acquireNotify(try Strap.reference())
        await third.bluez.stop()
        #expect(await drain(stopped) == ([], .stopped))
        await living.die()
    }

    @Test("keeps as many unread values as wanted, the newest, and counts the others")
    func dropped() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let sequence = try await bench.bluez.acquireNotify(try Strap.reference(), keeping: 2)
        try send([[1], [2], [3], [4], [5]], from: fake)
        try await awaitCondition("three dropped values") { sequence.droppedCount == 3 }
        fake.closeSocket("AcquireNotify")
        #expect(await drain(sequence) == ([[4], [5]], .linkLost))
        await fake.die()
    }

    @Test("ignores and counts what is longer than a value, and goes on")
    func tooLong() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let sequence = try await bench.bluez.acquireNotify(try Strap.reference())
        try send([[UInt8](repeating: 1, count: 513), [UInt8](repeating: 2, count: 512)], from: fake)
        fake.closeSocket("AcquireNotify")
        #expect(await drain(sequence) == ([[UInt8](repeating: 2, count: 512)], .linkLost))
        #expect(await bench.bluez.ignored.malformed == 1)
        await fake.die()
    }

    @Test("is refused in the daemon's words, and without a link")
    func refused() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let reference = try Strap.reference()
        fake.fail("AcquireNotify", [("org.bluez.Error.NotPermitted", "Notify acquired")])
        fake.fail("AcquireWrite", [("org.bluez.Error.NotSupported", "Operation is not supported")])
        let notify = await #expect(throws: BlueZError.self) { _ = try await bench.bluez.acquireNotify(reference) }
        #expect(notify?.kind == .notPermitted)
        let write = await #expect(throws: BlueZError.self) { _ = try await bench.bluez.acquireWrite(reference) }
        #expect(write?.kind == .notSupported)
        try await fake.changeDevice([("Connected", .boolean(false))])
        try await bench.wait(for: "Polar disconnected")
        let unlinked = await #expect(throws: BlueZError.self) { _ = try await bench.bluez.acquireNotify(reference) }
        #expect(unlinked?.kind == .notConnected)
        await fake.die()
    }

    @Test("takes nothing but a socket of packets with a possible transfer unit", arguments: 0..<5)
    func senselessAnswer(number: Int) async throws {
        let (bench, fake) = try await Bench.withStrap()
        let packets = try DBusFileDescriptor.packetSockets()
        let stream = try connectedDescriptors()
        let streams = [DBusFileDescriptor(owning: stream.0), DBusFileDescriptor(owning: stream.1)]
        let answers: [[DBusValue]] = [
            [], [.string("socket"), .uint16(247)], [.unixFileDescriptor(packets.0)],
            [.unixFileDescriptor(packets.0), .uint16(22)], [.unixFileDescriptor(streams[0]), .uint16(247)],
        ]
        fake.answer("AcquireWrite", with: answers[number])
        let error = await #expect(throws: BlueZError.self) {
            _ = try await bench.bluez.acquireWrite(try Strap.reference())
        }
        #expect(error?.kind == .unexpectedAnswer)
        await fake.die()
    }

    @Test("is released with its reader or writer, and no descriptor stays open")
    func descriptors() async throws {
        let before = packetSocketCount()
        let (bench, fake) = try await Bench.withStrap()
        let reference = try Strap.reference()
        for _ in 0..<10 {
            do {
                let sequence = try await bench.bluez.acquireNotify(reference)
                let writer = try await bench.bluez.acquireWrite(reference)
                try send([[1]], from: fake)
                try await writer.write([2])
                for try await value in sequence {
                    #expect(value.octets == [1])
                    break
                }
            }
            try await awaitCondition("the end of the notifications") { try isClosed("AcquireNotify", fake) }
            #expect(try received(fake) == [[2]])
            try await awaitCondition("the end of the writes") { try isClosed("AcquireWrite", fake) }
        }
        fake.closeSocket("AcquireNotify")
        fake.closeSocket("AcquireWrite")
        try await awaitCondition("as many descriptors as before") { packetSocketCount() <= before }
        await fake.die()
    }

    // MARK: Writes

    @Test("is written in order by values of a possible length")
    func writes() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let writer = try await bench.bluez.acquireWrite(try Strap.reference())
        #expect(writer.greatestLength == 244)
        for length in [1, 244] { try await writer.write([UInt8](repeating: 9, count: length)) }
        for length in [0, 245] {
            let error = await #expect(throws: BlueZError.self) {
                try await writer.write([UInt8](repeating: 9, count: length))
            }
            #expect(error?.kind == .invalidArguments)
        }
        #expect(try received(fake).map(\.count) == [1, 244])
        await fake.die()
    }

    @Test("lets writes wait while the socket is full, and loses none of them")
    func backPressure() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let writer = try await bench.bluez.acquireWrite(try Strap.reference())
        let writing = Task {
            for number in 0..<2000 {
                try await writer.write([UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: 0, count: 200))
            }
        }
        try await awaitCondition("a write that waits") { await bench.bluez.hasWaitingValues }
        var packets: [[UInt8]] = []
        try await awaitCondition("all values") {
            packets += try received(fake)
            return packets.count >= 2000
        }
        try await writing.value
        #expect(packets.map { Int($0[0]) | Int($0[1]) << 8 } == Array(0..<2000))
        #expect(await !bench.bluez.hasWaitingValues)
        await fake.die()
    }

    /// Writes until the socket is full; returns how many values it holds.
    private func fill(_ writer: AcquiredWriter) async throws -> Int {
        for count in 0... {
            do throws(BlueZError) {
                try await writer.write([UInt8](repeating: 1, count: 244), timeout: .milliseconds(20))
            } catch {
                #expect(error.kind == .timedOut)
                return count
            }
        }
        return 0
    }

    @Test("does not send a value whose time is over")
    func timedOut() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let writer = try await bench.bluez.acquireWrite(try Strap.reference())
        let count = try await fill(writer)
        #expect(await !bench.bluez.hasWaitingValues)
        #expect(try received(fake).count == count)
        try await writer.write([5])
        #expect(try received(fake) == [[5]])
        await fake.die()
    }

    @Test("fails a waiting write and all later ones when the link is lost, and when the writer is closed")
    func writesEnd() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let writer = try await bench.bluez.acquireWrite(try Strap.reference())
        _ = try await fill(writer)
        let waiting = Task { try await writer.write([2]) }
        try await awaitCondition("a write that waits") { await bench.bluez.hasWaitingValues }
        fake.closeSocket("AcquireWrite")
        let first = await #expect(throws: BlueZError.self) { try await waiting.value }
        let second = await #expect(throws: BlueZError.self) { try await writer.write([3]) }
        #expect(first?.kind == .notConnected && second?.kind == .notConnected)

        let closed = try await bench.bluez.acquireWrite(try Strap.reference())
        await closed.close()
        try await awaitCondition("the end of the writes") { try isClosed("AcquireWrite", fake) }
        await #expect(throws: BlueZError(afterEnd: .stopped)) { try await closed.write([4]) }
        await fake.die()
    }

    @Test("reports its steps to who traces")
    func operations() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let reference = try Strap.reference()
        let steps = Recorder<PeripheralOperation>()
        let delivery = await bench.bluez.operations().deliver { steps.record($0) }
        do {
            let writer = try await bench.bluez.acquireWrite(reference)
            try await writer.write([1])
            _ = try await bench.bluez.acquireNotify(reference)
        }
        let write = PeripheralOperation.Kind.write(reference, [1], .withoutResponse)
        let expected = [write, write, .subscribe(reference), .subscribe(reference), .unsubscribe(reference)]
        try await awaitCondition("the release") { steps.elements.count == 6 }
        #expect(steps.elements.map(\.kind).prefix(5) == expected[...])
        withExtendedLifetime(delivery) {}
        await fake.die()
    }
}
