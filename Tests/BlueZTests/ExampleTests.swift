import BlueZ
import DBus
import EventLoops
import TestSupport
import Testing

// The example of the article "BlueZ", word for word; `RepositoryTests` compares the two.

func printHeartRates(bus: BusAddress = .system, print: @Sendable (String) -> Void) async throws {
    let heartRateService = BluetoothUUID(0x180D)
    let heartRateMeasurement = BluetoothUUID(0x2A37)

    let loop = EventLoop()
    loop.startThread(named: "bluetooth")
    let bluez = BluetoothCentral(loop: loop, bus: bus)
    let events = await bluez.events()
    await bluez.start()

    for await event in events {
        switch event.kind {
        case .adapter(.added, let adapter):
            // A discovery that is wanted begins by itself when the adapter can, so a refusal does not matter.
            try? await bluez.startDiscovery(on: adapter.path)
        case .peripheral(.added, let strap) where strap.uuids.contains(heartRateService):
            try? await bluez.connect(strap.address)
        case .servicesResolved(let strap):
            guard let rate = await bluez.characteristic(heartRateMeasurement, of: strap.address) else { break }
            try await bluez.startNotify(rate.reference)
        case .notification(let characteristic, let octets):
            print("\(characteristic.peripheral): \(octets)")
        case .daemon(.gone):
            print("bluetoothd is not running")
        default: break
        }
    }
}

@Suite("The example of the article")
struct ExampleTests {
    @Test("it scans, connects, subscribes and prints what the strap sends")
    func printsHeartRates() async throws {
        let bus = try PrivateBusDaemon()
        let daemonLoop = RunningLoop()
        let fake = try await FakeBlueZ.start(bus.address, on: daemonLoop.loop)
        let lines = Recorder<String>()
        let example = Task { try await printHeartRates(bus: .address(bus.address)) { lines.record($0) } }
        defer { example.cancel() }

        try await fake.addAdapter()
        try await awaitCondition("a discovery") { fake.calls.elements.contains("StartDiscovery") }
        try await fake.addStrap()
        try await awaitCondition("a connect") { fake.calls.elements.contains("Connect") }
        try await fake.changeDevice([("Connected", .boolean(true))])
        try await fake.addServices()
        try await fake.changeDevice([("ServicesResolved", .boolean(true))])
        try await awaitCondition("a subscription") { fake.calls.elements.contains("StartNotify") }
        try await fake.notify([0x06, 77])
        try await awaitCondition("a line") { lines.count > 0 }
        #expect(lines.elements == ["C0:52:49:00:00:02: [6, 77]"])
    }
}
