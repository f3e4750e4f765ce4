import Testing
import VitalDecoders
import Vitals

@testable import Sensors

@Suite("Weight scales")
struct WeightScaleDriverTests {
    private static let measurement = BluetoothUUID(0x2A9D)

    private static func connected() -> DriverBench {
        var bench = DriverBench(WeightScaleDriver.self)
        bench.values[BluetoothUUID(0x2A2B)] = [0xEA, 0x07, 1, 2, 3, 0, 0, 5, 0, 0]
        bench.connect(Attributes.scale)
        return bench
    }

    @Test(
        "hand over a weight, or the reason for none",
        arguments: [
            // 72.00 kg, and 158.73 lb.
            (0, 14_400, .weight(VitalValue(hundredths: 7200))), (1, 15_873, .weight(VitalValue(hundredths: 7200))),
            (0, 0xFFFF, .noMeasurement(.weight, .unusable)), (0, 0, .noMeasurement(.weight, .outOfRange)),
            (1, 0xFFFF, .noMeasurement(.weight, .unusable)), (1, 0, .noMeasurement(.weight, .outOfRange)),
        ] as [(UInt8, UInt16, RecordEntry.Content)])
    func measures(flags: UInt8, raw: UInt16, content: RecordEntry.Content) throws {
        var bench = Self.connected()
        bench.receive([flags, UInt8(raw & 255), UInt8(raw >> 8)], from: Self.measurement)
        #expect(try #require(bench.entries.first).content == content)
    }

    @Test("without a stamp have measured just now")
    func noStamp() throws {
        var bench = Self.connected()
        bench.receive([0, 0x80, 0x38], from: Self.measurement)
        let entry = try #require(bench.entries.first)
        #expect(entry.stamp.isTimeKnown && entry.taken == bench.now)
    }
}
