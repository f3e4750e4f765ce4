import DBus
import EventLoops
import TestSupport

@testable import BlueZ

/// A private bus, a client on it, and the client's events.
final class Bench: Sendable {
    let bus: PrivateBusDaemon
    let clientLoop = RunningLoop()
    let daemonLoop = RunningLoop()
    let bluez: BluetoothCentral
    let events = Recorder<BlueZEvent>()
    private let reader: Task<Void, Never>

    /// Starts the bus, but neither client nor daemon.
    ///
    /// - Parameters:
    ///   - forbidden: A name whose owner must not receive messages.
    ///   - mark: The name by which the client distinguishes buses.
    ///   - isMarked: Whether the client takes only such a bus; `nil` for either.
    init(
        startingBus: Bool = true, forbidding forbidden: String? = nil, mark: String? = nil, isMarked: Bool? = nil
    ) async throws {
        bus = try PrivateBusDaemon(forbidding: forbidden)
        if !startingBus { bus.stop() }
        bluez = BluetoothCentral(loop: clientLoop.loop, bus: .address(bus.address), mark: mark, isMarked: isMarked)
        let sequence = await bluez.events()
        let events = events
        reader = Task { for await event in sequence { events.record(event) } }
    }

    deinit {
        reader.cancel()
    }

    /// Starts a daemon with an adapter and, if wanted, a connected strap, and the client, and waits until they are
    /// reported.
    static func withStrap() async throws -> (Bench, FakeBlueZ) {
        let bench = try await Bench()
        let fake = try await bench.startDaemon()
        try await fake.addAdapter()
        try await fake.addStrap(isConnected: true, isResolved: true)
        try await fake.addServices()
        await bench.bluez.start()
        try await bench.wait(for: "Polar resolved")
        return (bench, fake)
    }

    func startDaemon() async throws -> FakeBlueZ {
        try await FakeBlueZ.start(bus.address, on: daemonLoop.loop)
    }

    /// The events so far as text.
    var text: [String] { events.elements.map(\.kind.text) }

    /// The notifications so far.
    var notifications: [[UInt8]] {
        events.elements.compactMap { if case .notification(_, let octets) = $0.kind { octets } else { nil } }
    }

    /// Waits until something has been reported a number of times.
    func wait(for text: String, times: Int = 1) async throws {
        try await awaitCondition("\(text) (\(times)), received: \(self.text)") {
            self.text.count { $0 == text } >= times
        }
    }

    /// Waits until everything that the daemon has sent until now is reported, by a change of the strap.
    func settle(_ fake: FakeBlueZ) async throws {
        let next = (await bluez.peripheral(Strap.address)?.appearance?.rawValue ?? 0) + 1
        try await fake.changeDevice([("Appearance", .uint16(next))])
        try await awaitCondition("the newest signal") {
            self.events.elements.contains { event in
                guard case .peripheral(.changed, let strap) = event.kind else { return false }
                return strap.appearance?.rawValue == next
            }
        }
    }

    /// Waits until as many notifications have been reported; that they are these is the caller's to check.
    func wait(forNotifications expected: [[UInt8]]) async throws {
        try await awaitCondition("\(expected), received: \(notifications)") {
            self.notifications.count >= expected.count
        }
    }
}
