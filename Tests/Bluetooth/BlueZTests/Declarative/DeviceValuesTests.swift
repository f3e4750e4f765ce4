import DBus
import EventLoops
import TestSupport
import Testing

@testable import BlueZ

/// The loop that a reader of these tests runs on.
private let running = RunningLoop()

/// Octets of which the first must not be 0, and whether they were decoded on the reader's loop.
private struct Decoded: GATTDecodable {
    let octets: [UInt8]
    let isOnLoop: Bool

    init(gatt octets: [UInt8]) throws(GATTDecodingError) {
        guard octets.first != 0 else { throw GATTDecodingError("it begins with 0") }
        self.octets = octets
        isOnLoop = running.loop.isOnLoop
    }
}

private struct Sensor: DeviceDeclaration {
    struct HeartRate: ServiceDeclaration {
        static let uuid = BluetoothUUID(0x180D)
        let measurement = Declared<Decoded>(BluetoothUUID(0x2A37), .notifies)
    }

    static let discovery = DiscoveryCriteria(services: [HeartRate.uuid])
    let heartRate = HeartRate()
}

@Suite("The values of a device", .timeLimit(.minutes(10)))
struct DeviceValuesTests {
    @Test("are decoded where their reader runs, without those that are malformed")
    func values() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let device = Device(Sensor.self, at: Strap.address, of: bench.bluez)
        try await device.connect()
        let (values, readings) = await (
            device.heartRate.measurement.values(), device.heartRate.measurement.readings()
        )
        let reading = Task {
            await running.run { isolation in
                var (decoded, all) = (values.makeAsyncIterator(), readings.makeAsyncIterator())
                var (found, places): ([Decoded?], [Bool?]) = ([], [])
                for _ in 0..<2 { found.append(await decoded.next(isolation: isolation)) }
                for _ in 0..<3 { places.append(await all.next(isolation: isolation)?.value?.isOnLoop) }
                return (found, places)
            }
        }
        for octets: [UInt8] in [[6, 71], [0], [6, 72]] { try await fake.notify(octets) }
        let (found, places) = await reading.value
        #expect(found.map { $0?.octets } == [[6, 71], [6, 72]])
        #expect(found.allSatisfy { $0?.isOnLoop == true })
        #expect(places == [true, nil, true])
        await fake.die()
    }
}
