import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
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
        bench.wait(WeightScaleDriver.settling)
        #expect(try #require(bench.entries.first).content == content)
    }

    @Test("with a stamp that cannot be, or has no date, have an unknown time", arguments: ImpossibleStamps.all)
    func impossibleStamp(stamp: [UInt8]) throws {
        var bench = Self.connected()
        bench.receive([2, 0x80, 0x38] + stamp, from: Self.measurement)
        bench.end()
        #expect(try #require(bench.entries.first).facts.isTimeKnown == false)
    }

    @Test("without a stamp have measured just now")
    func noStamp() throws {
        var bench = Self.connected()
        bench.receive([0, 0x80, 0x38], from: Self.measurement)
        let now = bench.now
        bench.wait(WeightScaleDriver.settling)
        let entry = try #require(bench.entries.first)
        #expect(entry.facts.isTimeKnown && entry.taken == now)
    }

    /// A frame of hundredths of a kilogram, perhaps with reserved flags, a user and a time stamp.
    private static func frame(_ hundredths: Int, reserved: UInt8 = 0, user: UInt8? = nil, minute: UInt8? = nil)
        -> [UInt8]
    {
        WeightMeasurement(
            rawWeight: UInt16(hundredths * 2),
            timestamp: minute.map { DateTime(year: 2026, month: 1, day: 2, hour: 2, minute: $0, second: 0) },
            userIdentifier: user, reservedFlags: reserved
        ).octets
    }

    @Test(
        "that send while somebody settles hand over one weight: the last that came twice, or else the last",
        arguments: [
            ([(7000, 0)], 7000), ([(3000, 0), (6900, 0), (7240, 0)], 7240),
            ([(3000, 0), (7240, 0), (7240, 0), (4000, 0), (0, 0)], 7240), ([(7240, 0), (0, 0), (0, 0)], 7240),
            ([(3000, 0x10), (6900, 0x80), (7240, 0)], 7240), ([(7240, 0x40), (7240, 0), (5000, 0x40)], 7240),
            ([(7240, 0), (7250, 0x20), (7250, 0x20)], 7240), ([(3000, 0), (3000, 0), (7240, 0), (7240, 0)], 7240),
        ] as [([(Int, UInt8)], Int)])
    func settling(frames: [(Int, UInt8)], expected: Int) throws {
        for isEnded in [false, true] {
            var bench = Self.connected()
            for (weight, reserved) in frames {
                bench.receive(Self.frame(weight, reserved: reserved), from: Self.measurement)
                bench.wait(.milliseconds(400))
            }
            #expect(bench.entries.isEmpty)
            if isEnded { bench.end() } else { bench.wait(.seconds(10)) }
            #expect(bench.entries.map(\.content) == [.weight(VitalValue(hundredths: expected))])
            #expect(bench.entries.first?.facts.quality == .good)
        }
    }

    @Test("that never mark a weight as final hand it over as doubtful", arguments: [0x10, 0x20, 0x40, 0x80] as [UInt8])
    func unsettled(reserved: UInt8) {
        var bench = Self.connected()
        for weight in [3000, 7240] { bench.receive(Self.frame(weight, reserved: reserved), from: Self.measurement) }
        bench.end()
        #expect(bench.entries.map(\.content) == [.weight(VitalValue(hundredths: 7240))])
        #expect(bench.entries.first?.facts.quality == .questionable)
    }

    @Test("hand over each stored weight, that of each person, and each after a while")
    func separate() {
        var bench = Self.connected()
        for minute: UInt8 in [5, 10, 20] {
            bench.receive(Self.frame(7000 + Int(minute), minute: minute), from: Self.measurement)
        }
        for user: UInt8 in [1, 2] { bench.receive(Self.frame(6000 + Int(user), user: user), from: Self.measurement) }
        bench.wait(.seconds(4))
        bench.receive(Self.frame(5000), from: Self.measurement)
        bench.wait(.seconds(4))
        bench.receive(Self.frame(5000), from: Self.measurement)
        bench.end()
        let expected = [7005, 7010, 7020, 6001, 6002, 5000, 5000]
        #expect(bench.entries.map(\.content) == expected.map { .weight(VitalValue(hundredths: $0)) })
    }

    @Test("without a stamp may have stored what comes at the beginning of a link, and not what settles or comes later")
    func stored() {
        let cases: [(pause: Int, frames: Int, apart: Int, mayBeStored: Bool)] = [
            (0, 1, 0, true), (4, 1, 0, true), (6, 1, 0, false), (0, 5, 50, true), (6, 5, 50, false), (0, 5, 400, false),
        ]
        for (pause, frames, apart, mayBeStored) in cases {
            var bench = Self.connected()
            bench.wait(.seconds(pause))
            for _ in 0..<frames {
                bench.receive(Self.frame(7000), from: Self.measurement)
                bench.wait(.milliseconds(apart))
            }
            bench.end()
            #expect(bench.entries.map(\.facts.mayBeStored) == [mayBeStored])
        }
        var bench = Self.connected()
        bench.receive(Self.frame(7000, minute: 3), from: Self.measurement)
        bench.end()
        #expect(bench.entries.first?.facts.mayBeStored == false)
    }
}
