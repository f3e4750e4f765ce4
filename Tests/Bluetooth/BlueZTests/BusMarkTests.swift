import DBus
import TestSupport
import Testing

@testable import BlueZ

@Suite("A bus of another kind than the first", .timeLimit(.minutes(10)))
struct BusMarkTests {
    private static let mark = "io.example.Mark"

    /// A daemon with an adapter, on a bus with the mark or without it.
    private static func populate(
        _ bench: Bench, isMarked: Bool
    ) async throws -> (fake: FakeBlueZ, holder: DBusConnection?) {
        var holder: DBusConnection?
        if isMarked {
            let connection = try await DBusConnection.connect(
                to: .address(bench.bus.address), on: bench.daemonLoop.loop)
            #expect(try await connection.requestName(mark))
            holder = connection
        }
        let fake = try await bench.startDaemon()
        try await fake.addAdapter()
        return (fake, holder)
    }

    @Test("is reported, and nothing on it comes in; one of the first kind is used again", arguments: [false, true])
    func changed(isMarked: Bool) async throws {
        let bench = try await Bench(mark: Self.mark)
        #expect(bench.bluez.isMarked == nil)
        var present = try await Self.populate(bench, isMarked: isMarked)
        await bench.bluez.start()
        try await bench.wait(for: "hci0 added")
        #expect(bench.bluez.isMarked == isMarked)

        func replaceBus(isMarked: Bool) async throws {
            bench.bus.stop()
            try await bench.wait(for: "bus lost")
            await present.fake.die()
            await present.holder?.close()
            try bench.bus.start()
            present = try await Self.populate(bench, isMarked: isMarked)
        }
        try await replaceBus(isMarked: !isMarked)
        try await bench.wait(for: "bus foreign \(!isMarked)")
        #expect(bench.text.count { $0 == "hci0 added" } == 1)
        #expect(await bench.bluez.adapters.isEmpty)
        #expect(bench.bluez.isMarked == isMarked)

        try await replaceBus(isMarked: isMarked)
        try await bench.wait(for: "hci0 added", times: 2)
        #expect(bench.bluez.isMarked == isMarked)
        await present.fake.die()
        await present.holder?.close()
    }

    @Test("is recognised also when the mark and the daemon come to a bus that was reached without them")
    func later() async throws {
        let bench = try await Bench(mark: Self.mark)
        await bench.bluez.start()
        try await bench.wait(for: "daemon gone")
        #expect(bench.bluez.isMarked == false)
        let present = try await Self.populate(bench, isMarked: true)
        try await bench.wait(for: "bus foreign true")
        #expect(!bench.text.contains("hci0 added") && !bench.text.contains("daemon running"))
        await present.fake.die()
        await present.holder?.close()
    }

    @Test("is none where the kind was given at the start and another one answers", arguments: [false, true])
    func given(isMarked: Bool) async throws {
        let bench = try await Bench(mark: Self.mark, isMarked: isMarked)
        #expect(bench.bluez.isMarked == isMarked)
        let present = try await Self.populate(bench, isMarked: !isMarked)
        await bench.bluez.start()
        try await bench.wait(for: "bus foreign \(!isMarked)")
        #expect(!bench.text.contains("bus connected") && !bench.text.contains("hci0 added"))
        await present.fake.die()
        await present.holder?.close()
    }

    @Test("is left for one of the first kind also when the mark came to it late")
    func lateAgain() async throws {
        let bench = try await Bench(mark: Self.mark)
        let first = try await Self.populate(bench, isMarked: false)
        await bench.bluez.start()
        try await bench.wait(for: "hci0 added")
        bench.bus.stop()
        try await bench.wait(for: "bus lost")
        await first.fake.die()
        try bench.bus.start()
        try await bench.wait(for: "daemon gone")
        let foreign = try await Self.populate(bench, isMarked: true)
        try await bench.wait(for: "bus foreign true")
        bench.bus.stop()
        await foreign.fake.die()
        await foreign.holder?.close()
        try bench.bus.start()
        let last = try await Self.populate(bench, isMarked: false)
        try await bench.wait(for: "hci0 added", times: 2)
        await last.fake.die()
    }
}
