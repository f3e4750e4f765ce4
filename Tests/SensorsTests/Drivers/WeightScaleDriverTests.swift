import Testing
import VitalDecoders
import Vitals

@testable import Sensors

/// Time stamps (Date Time) that no calendar has, or that lack a date.
enum ImpossibleStamps {
    static let all: [[UInt8]] = [
        [0xEA, 0x07, 13, 2, 2, 30, 0], [0xEA, 0x07, 2, 30, 2, 30, 0], [0xEB, 0x07, 2, 29, 2, 30, 0],
        [0xEA, 0x07, 4, 31, 2, 30, 0], [0xEA, 0x07, 1, 32, 2, 30, 0], [0xEA, 0x07, 1, 2, 24, 30, 0],
        [0xEA, 0x07, 1, 2, 2, 60, 0], [0xEA, 0x07, 1, 2, 2, 30, 60], [0x2D, 0x06, 1, 2, 2, 30, 0],
        [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 1, 2, 2, 30, 0], [0xEA, 0x07, 0, 2, 2, 30, 0],
        [0xEA, 0x07, 1, 0, 2, 30, 0], [0, 0, 0, 0, 2, 30, 0], [0, 0, 0, 0, 0, 0, 0],
    ]
}

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

    @Test("with a stamp that cannot be, or has no date, have an unknown time", arguments: ImpossibleStamps.all)
    func impossibleStamp(stamp: [UInt8]) throws {
        var bench = Self.connected()
        bench.receive([2, 0x80, 0x38] + stamp, from: Self.measurement)
        #expect(try #require(bench.entries.first).stamp.isTimeKnown == false)
    }

    @Test("without a stamp have measured just now")
    func noStamp() throws {
        var bench = Self.connected()
        bench.receive([0, 0x80, 0x38], from: Self.measurement)
        let entry = try #require(bench.entries.first)
        #expect(entry.stamp.isTimeKnown && entry.taken == bench.now)
    }
}
