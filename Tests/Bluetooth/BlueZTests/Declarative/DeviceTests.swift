import DBus
import TestSupport
import Testing

@testable import BlueZ

/// The strap of the tests, declared.
private struct HeartRateStrap: DeviceDeclaration {
    struct HeartRate: ServiceDeclaration {
        static let uuid = BluetoothUUID(0x180D)
        let measurement = Declared<[UInt8]>(BluetoothUUID(0x2A37), .notifies)
        let location = Declared<UInt8>(BluetoothUUID(0x2A38), .isRead)
    }

    static let discovery = DiscoveryCriteria(services: [HeartRate.uuid])
    let heartRate = HeartRate()
}

@Suite("A device", .timeLimit(.minutes(10)))
struct DeviceTests {
    private func device(_ bench: Bench) -> Device<HeartRateStrap> {
        Device(HeartRateStrap.self, at: Strap.address, of: bench.bluez)
    }

    @Test("has the name and the services that BlueZ knows, before it is connected, too")
    func known() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let device = device(bench)
        #expect(await device.name == "Polar")
        #expect(await device.services.map(\.uuid) == [HeartRateStrap.HeartRate.uuid])
        #expect(await device.services.first?.characteristics.count == 2)
        #expect(await device.lastActivity == nil)
        await fake.die()
        try await bench.wait(for: "Polar removed")
        #expect(await device.name == nil)
        #expect(await device.advertisement == nil)
        #expect(await device.services.isEmpty)
    }

    @Test("has the data of its newest advertisement")
    func advertisement() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let device = device(bench)
        #expect(await device.advertisement?.companyData == [:])
        #expect(await device.advertisement?.timestamp == nil)
        try await fake.changeDevice([
            (
                "ManufacturerData",
                .dictionary([DBusEntry(.uint16(0x006B), .variant(.bytes([1, 2])))], key: .uint16, value: .variant)
            ),
            (
                "ServiceData",
                .dictionary([DBusEntry(.string("1809"), .variant(.bytes([3])))], key: .string, value: .variant)
            ),
        ])
        try await bench.wait(for: "Polar advertised")
        let advertisement = try #require(await device.advertisement)
        #expect(advertisement.companyData == [0x006B: [1, 2]])
        #expect(advertisement.serviceData == [BluetoothUUID(0x1809): [3]])
        #expect(advertisement.services == [BluetoothUUID(0x180D)])
        #expect(advertisement.timestamp != nil)
        #expect(await device.lastActivity == advertisement.timestamp)
        await fake.die()
    }

    @Test("is active when it is connected, and when it sends something")
    func activity() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let device = device(bench)
        try await device.connect()
        let connected = try #require(await device.lastActivity)
        var readings = await device.heartRate.measurement.readings().makeAsyncIterator()
        try await fake.notify([6, 70])
        let reading = try #require(await readings.next())
        #expect(await device.lastActivity == reading.timestamp)
        #expect(reading.timestamp.monotonicNanoseconds > connected.monotonicNanoseconds)
        await fake.die()
    }

    @Test("says whether a characteristic notifies")
    func notifying() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let device = device(bench)
        let measurement = device.heartRate.measurement
        #expect(await !measurement.isNotifying)
        try await device.connect()
        #expect(await measurement.isNotifying)
        #expect(await !device.heartRate.location.isNotifying)
        await measurement.unsubscribe()
        #expect(await !measurement.isNotifying)
        try await measurement.subscribe()
        #expect(await measurement.isNotifying)
        try await device.disconnect()
        #expect(await !measurement.isNotifying)
        await fake.die()
    }

    @Test("can be subscribed to again after the central has stopped its notifications")
    func stoppedByCentral() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let device = device(bench)
        try await device.connect()
        try await bench.bluez.stopNotify(try Strap.reference())
        let measurement = device.heartRate.measurement
        try await awaitCondition("the end of the notifications") { await !measurement.isNotifying }
        let count = fake.calls.elements.count { $0 == "StartNotify" }
        try await measurement.subscribe()
        #expect(fake.calls.elements.count { $0 == "StartNotify" } == count + 1)
        var values = await measurement.values().makeAsyncIterator()
        try await fake.notify([6, 71])
        #expect(await values.next() == [6, 71])
        await fake.die()
    }

    @Test("reads after connecting what is declared so, unless that is switched off while the program runs")
    func automaticReading() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let device = device(bench)
        let (location, measurement) = (device.heartRate.location, device.heartRate.measurement)
        #expect(await location.isReadAutomatically)
        #expect(await !measurement.isReadAutomatically)
        func reads() -> Int { fake.calls.elements.count { $0 == "ReadValue" } }

        try await device.connect()
        #expect(await location.latest?.value == 0xAB)
        #expect(reads() == 1)
        try await device.disconnect()
        await location.setReadAutomatically(false)
        try await device.connect()
        #expect(reads() == 1)
        #expect(await location.latest == nil)
        try await device.disconnect()
        await location.setReadAutomatically(true)
        await measurement.setReadAutomatically(true)
        #expect(await measurement.isReadAutomatically)
        try await device.connect()
        #expect(reads() == 3)
        await fake.die()
    }
}
