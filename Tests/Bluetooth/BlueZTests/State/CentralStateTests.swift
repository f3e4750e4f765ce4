import DBus
import Glibc
import TestSupport
import Testing

@testable import BlueZ

extension BluetoothCentral {
    func use(_ kernel: KernelBluetooth) { self.kernel = kernel }
}

/// The kernel's files about Bluetooth: a switch of hci0, and a pipe instead of the device that reports changes.
private struct KernelFiles {
    let folder: ScratchFolder
    let device: String

    init() throws {
        folder = try ScratchFolder()
        device = folder.path + "/device"
        #expect(mkdir(folder.path + "/rfkill0", 0o700) == 0 && mkfifo(device, 0o600) == 0)
        _ = try folder.write("hci0\n", to: "rfkill0/name")
        _ = try folder.write("bluetooth\n", to: "rfkill0/type")
        try set("1")
    }

    /// Sets the switch: 0 is blocked by software, 1 is not blocked, 2 is blocked by hardware.
    func set(_ state: String) throws { _ = try folder.write(state + "\n", to: "rfkill0/state") }

    var radioSwitch: RadioSwitch { RadioSwitch(directory: folder.path, device: device) }

    func kernel(isSupported: Bool = true) -> KernelBluetooth {
        KernelBluetooth(folder: isSupported ? folder.path : folder.path + "/bluetooth", radioSwitch: radioSwitch)
    }
}

@Suite("The state of a central", .timeLimit(.minutes(10)))
struct CentralStateTests {
    @Test("follows bus, daemon and adapter from the beginning to the end")
    func follows() async throws {
        let bench = try await Bench(startingBus: false)
        #expect(await bench.bluez.state == .unknown)
        let states = Recorder<BluetoothState>()
        let sequence = await bench.bluez.states()
        let reader = Task { for await state in sequence { states.record(state) } }
        func wait(for state: BluetoothState) async throws {
            try await awaitCondition("\(state), received: \(states.elements)") { states.elements.last == state }
        }

        await bench.bluez.start()
        try await awaitCondition("a lost bus") {
            if case .noBus = states.elements.last { true } else { false }
        }
        try bench.bus.start()
        try await wait(for: .noDaemon)
        let fake = try await bench.startDaemon()
        try await wait(for: .noAdapter)
        try await fake.addAdapter(isPowered: false)
        try await wait(for: .off(adapter: "hci0"))
        try await fake.changeAdapter([("PowerState", .string("off-blocked"))])
        try await wait(for: .blocked(adapter: "hci0", .soft))
        try await fake.changeAdapter([("PowerState", .string("on")), ("Powered", .boolean(true))])
        try await wait(for: .on)
        await fake.die()
        try await wait(for: .noDaemon)
        await bench.bluez.stop()
        await reader.value
        #expect(await bench.bluez.state == .unknown)
        #expect(zip(states.elements, states.elements.dropFirst()).allSatisfy { $0 != $1 }, "each change once")
    }

    @Test("tells a bus that forbids calls from a missing daemon")
    func unauthorized() async throws {
        let bench = try await Bench(forbidding: "org.bluez")
        let fake = try await bench.startDaemon()
        await bench.bluez.start()
        try await bench.wait(for: "daemon refused")
        guard case .unauthorized = await bench.bluez.state else {
            Issue.record("\(await bench.bluez.state)")
            return
        }
        await fake.die()
    }

    @Test("of a kernel without Bluetooth is unsupported, until a daemon has an adapter")
    func unsupported() async throws {
        let bench = try await Bench()
        await bench.bluez.use(try KernelFiles().kernel(isSupported: false))
        await bench.bluez.start()
        try await bench.wait(for: "daemon gone")
        #expect(await bench.bluez.state == .unsupported)
        let fake = try await bench.startDaemon()
        try await fake.addAdapter()
        try await bench.bluez.ready(timeout: .seconds(120))
        await fake.die()
    }

    @Test("follows a radio switch that is moved while the adapter is off")
    func radioSwitch() async throws {
        let files = try KernelFiles()
        let bench = try await Bench()
        await bench.bluez.use(files.kernel())
        let fake = try await bench.startDaemon()
        try await fake.addAdapter(isPowered: false)
        await bench.bluez.start()
        try await bench.wait(for: "hci0 added")
        var states = await bench.bluez.states().makeAsyncIterator()
        #expect(await states.next() == .off(adapter: "hci0"))
        let writer = open(files.device, O_WRONLY)
        defer { close(writer) }
        for (position, state) in [
            ("0", BluetoothState.blocked(adapter: "hci0", .soft)), ("2", .blocked(adapter: "hci0", .hard)),
            ("1", .off(adapter: "hci0")),
        ] {
            try files.set(position)
            let event = [UInt8](repeating: 0, count: 8)
            #expect(write(writer, event, event.count) == event.count)
            #expect(await states.next() == state)
        }
        await bench.bluez.stop()
        #expect(await states.next() == nil)
        await fake.die()
    }

    @Test("is waited for until it is on")
    func ready() async throws {
        let bench = try await Bench()
        await bench.bluez.start()
        let waiting = Task { try await bench.bluez.ready(timeout: .seconds(300)) }
        try await bench.wait(for: "daemon gone")
        let fake = try await bench.startDaemon()
        try await fake.addAdapter(isPowered: false)
        try await bench.wait(for: "hci0 added")
        try await fake.changeAdapter([("Powered", .boolean(true))])
        try await waiting.value
        try await bench.bluez.ready(timeout: .zero)
        await fake.die()
    }

    @Test("is the reason when the time is over, the task is cancelled or the central stops")
    func notReady() async throws {
        let bench = try await Bench()
        await bench.bluez.start()
        try await bench.wait(for: "daemon gone")
        let late = await #expect(throws: BluetoothUnavailableError.self) {
            try await bench.bluez.ready(timeout: .milliseconds(10))
        }
        #expect(late == BluetoothUnavailableError(state: .noDaemon))
        let cancelled = Task { try await bench.bluez.ready(timeout: .seconds(300)) }
        cancelled.cancel()
        await #expect(throws: BluetoothUnavailableError(state: .noDaemon)) { try await cancelled.value }
        let stopped = Task { try await bench.bluez.ready(timeout: .seconds(300)) }
        try await awaitCondition("a reader") { await bench.bluez.stateBroadcast.readerCount > 0 }
        await bench.bluez.stop()
        await #expect(throws: BluetoothUnavailableError(state: .unknown)) { try await stopped.value }
    }
}

@Suite("The kernel's radio switches")
struct RadioSwitchTests {
    @Test("say how an adapter that is off is blocked")
    func block() throws {
        let files = try KernelFiles()
        var adapter = Adapter(path: try path("/org/bluez/hci0"))
        for (position, block) in [("0", RadioSwitch.Block.soft), ("2", .hard), ("1", nil), ("nonsense", nil)] {
            try files.set(position)
            #expect(files.radioSwitch.block(of: adapter) == block)
        }
        try files.set("2")
        adapter.isBlocked = false
        #expect(files.radioSwitch.block(of: adapter) == nil, "the daemon knows that it is only off")
        adapter.isBlocked = nil
        adapter.isPowered = true
        #expect(files.radioSwitch.block(of: adapter) == nil)
        #expect(files.radioSwitch.states().map(\.isBluetooth) == [true])
    }

    @Test("are not needed where the daemon reports the block")
    func daemonOnly() throws {
        var adapter = Adapter(path: try path("/org/bluez/hci0"))
        #expect(RadioSwitch.unknown.block(of: adapter) == nil)
        adapter.isBlocked = true
        #expect(RadioSwitch.unknown.block(of: adapter) == .soft)
        #expect(try KernelFiles().radioSwitch.block(of: adapter) == .soft)
    }
}
