import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("Blood-pressure monitors")
struct BloodPressureDriverTests {
    private static let measurement = BluetoothUUID(0x2A35)
    private static let cuff = BluetoothUUID(0x2A36)
    /// 120/80, mean 93, pulse 72, irregular pulse.
    private static let vector: [UInt8] = [0x14, 0x78, 0, 0x50, 0, 0x5D, 0, 0x48, 0, 0x04, 0]

    @Test("are set by our clock before their measurements are subscribed to")
    func clockFirst() throws {
        var bench = DriverBench(BloodPressureDriver.self)
        bench.values[BluetoothUUID(0x2A2B)] = [0xEA, 0x07, 1, 2, 3, 0, 0, 5, 0, 0]
        bench.connect(Attributes.cuff)
        #expect(bench.requests.map(\.uuid) == [0x2A2B, 0x2A2B, 0x2A36, 0x2A35].map { BluetoothUUID($0) })
        #expect(bench.written(to: BluetoothUUID(0x2A2B)) == [[0xEA, 0x07, 1, 2, 3, 0, 0, 0, 0, 0]])
        #expect(bench.state == .streaming)
    }

    @Test("hand over pressures, pulse and what they noticed")
    func measures() throws {
        var bench = DriverBench(BloodPressureDriver.self)
        bench.connect(Attributes.cuff)
        bench.receive(Self.vector, from: Self.measurement)
        let entry = try #require(bench.entries.first)
        #expect(entry.content == .bloodPressure(BloodPressure(systolic: 120, diastolic: 80, mean: 93, pulse: 72)))
        #expect(entry.facts.remark == "irregular pulse detected")
        #expect(entry.facts.isTimeKnown)
    }

    @Test(
        "hand over a doubtful pressure where a bit of the status doubts it, and a good one else",
        arguments: UInt16(0)..<64)
    func status(bits: UInt16) throws {
        var bench = DriverBench(BloodPressureDriver.self)
        bench.connect(Attributes.cuff)
        bench.receive([0x10, 0x78, 0, 0x50, 0, 0x5D, 0, UInt8(bits), 0x80], from: Self.measurement)
        let entry = try #require(bench.entries.first)
        // Movement, a loose cuff and a wrong position; neither an irregular pulse nor a fast or slow one.
        #expect(entry.facts.quality == (bits & 0b10_0011 == 0 ? .good : .questionable))
        #expect(entry.content == .bloodPressure(BloodPressure(systolic: 120, diastolic: 80, mean: 93)))
    }

    @Test("keep the number of the person who measured, where they have such numbers", arguments: [0, 2, 254, 255])
    func user(number: UInt8) throws {
        var bench = DriverBench(BloodPressureDriver.self)
        bench.connect(Attributes.cuff)
        bench.receive([0x08, 0x78, 0, 0x50, 0, 0x5D, 0, number], from: Self.measurement)
        bench.receive(Self.vector, from: Self.measurement)
        #expect(bench.entries.map(\.facts.user) == [Int(number), nil])
    }

    @Test("show the pressure in the cuff while they inflate")
    func inflates() {
        var bench = DriverBench(BloodPressureDriver.self)
        bench.connect(Attributes.cuff)
        bench.receive([0, 0x91, 0, 0xFF, 0x07, 0xFF, 0x07], from: Self.cuff)
        #expect(bench.reports == [.cuffPressure(145)])
    }

    @Test("may measure in kilopascals")
    func kilopascals() throws {
        var bench = DriverBench(BloodPressureDriver.self)
        bench.connect(Attributes.cuff)
        // 16.0/10.7 kPa, mean not a number.
        bench.receive([1, 0xA0, 0xF0, 0x6B, 0xF0, 0xFF, 0x07], from: Self.measurement)
        let entry = try #require(bench.entries.first)
        #expect(entry.content == .bloodPressure(BloodPressure(systolic: 120, diastolic: 80)))
    }

    @Test(
        "without a result say so, and the reason is entered with its time",
        arguments: [
            (0x07FF, .notANumber), (0x0800, .notANumber), (0x0801, .notANumber), (0x07FE, .aboveRange),
            (0x0802, .belowRange), (0x0000, .outOfRange), (0x012D, .outOfRange), (0x0FFF, .outOfRange),
        ] as [(UInt16, AbsenceReason)])
    func failed(systolic: UInt16, reason: AbsenceReason) throws {
        var bench = DriverBench(BloodPressureDriver.self)
        bench.values[BluetoothUUID(0x2A2B)] = [0xEA, 0x07, 1, 2, 3, 0, 0, 5, 0, 0]
        bench.connect(Attributes.cuff)
        let number = [UInt8(systolic & 255), UInt8(systolic >> 8)]
        bench.receive([2] + number + [0x50, 0, 0x5D, 0, 0xEA, 0x07, 1, 2, 2, 30, 0], from: Self.measurement)
        let entry = try #require(bench.entries.first)
        #expect(entry.content == .noMeasurement(.bloodPressure, reason))
        #expect(entry.taken.map { bench.now.since($0) } == .seconds(1800))
        guard case .notice? = bench.reports.last else {
            Issue.record("nobody was told: \(bench.reports)")
            return
        }
    }

    @Test("with a stamp that cannot be, or has no date, have an unknown time", arguments: ImpossibleStamps.all)
    func impossibleStamp(stamp: [UInt8]) throws {
        var bench = DriverBench(BloodPressureDriver.self)
        bench.values[BluetoothUUID(0x2A2B)] = [0xEA, 0x07, 1, 2, 3, 0, 0, 5, 0, 0]
        bench.connect(Attributes.cuff)
        bench.receive([2, 0x78, 0, 0x50, 0, 0x5D, 0] + stamp, from: Self.measurement)
        let entry = try #require(bench.entries.first)
        #expect(!entry.facts.isTimeKnown)
        #expect(entry.taken == bench.now)
    }

    @Test("with a clock that was an hour ahead give the time of a stored measurement by ours")
    func wrongClock() throws {
        var bench = DriverBench(BloodPressureDriver.self)
        // It is 03:00; the cuff says 04:00, and measured at its 03:30.
        bench.values[BluetoothUUID(0x2A2B)] = [0xEA, 0x07, 1, 2, 4, 0, 0, 5, 0, 0]
        bench.connect(Attributes.cuff)
        bench.receive([0x02, 0x78, 0, 0x50, 0, 0x5D, 0, 0xEA, 0x07, 1, 2, 3, 30, 0], from: Self.measurement)
        let entry = try #require(bench.entries.first)
        #expect(entry.taken.map { bench.now.since($0) } == .seconds(1800))
        #expect(entry.facts.isTimeKnown)
        #expect(entry.facts.deviceTime?.hour == 3)
    }

    @Test("whose clock nobody can compare are not trusted with the time of an old measurement")
    func unknownClock() throws {
        var bench = DriverBench(BloodPressureDriver.self)
        bench.connect([Attributes.notifying(Self.measurement)])
        bench.receive([0x02, 0x78, 0, 0x50, 0, 0x5D, 0, 0xEA, 0x07, 1, 1, 3, 30, 0], from: Self.measurement)
        let entry = try #require(bench.entries.first)
        #expect(!entry.facts.isTimeKnown)
        #expect(entry.taken == bench.now)
    }

    @Test("that lack their measurement are refused with a sentence")
    func incomplete() {
        var bench = DriverBench(BloodPressureDriver.self)
        bench.connect([Attributes.clock])
        guard case .refused(let sentence) = bench.state else {
            Issue.record("\(bench.state)")
            return
        }
        #expect(sentence.hasSuffix("."))
    }

    @Test("without a stamp may have stored what comes at once, but not what was seen to be measured")
    func stored() {
        let stamped: [UInt8] = [0x02, 0x78, 0, 0x50, 0, 0x5D, 0, 0xEA, 0x07, 1, 2, 2, 59, 0]
        let cases: [(pause: Int, inflates: Bool, octets: [UInt8], mayBeStored: Bool)] = [
            (0, false, Self.vector, true), (4, false, Self.vector, true), (6, false, Self.vector, false),
            (0, true, Self.vector, false), (0, false, stamped, false),
        ]
        for one in cases {
            var bench = DriverBench(BloodPressureDriver.self)
            bench.connect(Attributes.cuff)
            if one.inflates { bench.receive([0, 0x91, 0, 0xFF, 0x07, 0xFF, 0x07], from: Self.cuff) }
            bench.wait(.seconds(one.pause))
            bench.receive(one.octets, from: Self.measurement)
            #expect(bench.entries.map(\.facts.mayBeStored) == [one.mayBeStored])
        }
    }
}
