import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("Stored spot-checks of an oximeter")
struct SpotCheckDriverTests {
    private static let measurement = BluetoothUUID(0x2A5E)
    private static let control = BluetoothUUID(0x2A52)
    private static let success: [UInt8] = [6, 0, 1, 1]

    /// A spot-check of 96 % and 70 beats a minute at 02:00 plus so many minutes, from the memory.
    private static func record(
        _ minute: UInt8, saturation: UInt8 = 96, measurement: UInt16 = 0x0200, device: UInt32 = 0, flags: UInt8 = 0
    ) -> [UInt8] {
        [7 | flags, saturation, 0, 70, 0] + stamp(minute)
            + [UInt8(measurement & 255), UInt8(measurement >> 8)]
            + [UInt8(device & 255), UInt8(device >> 8 & 255), UInt8(device >> 16)]
    }

    private static func stamp(_ minute: UInt8) -> [UInt8] { [0xEA, 7, 1, 2, 2, minute, 0] }

    /// The bench's time is 03:00; the oximeter's clock is ahead by some hours.
    private static func connected(hoursAhead: UInt8 = 0) -> DriverBench {
        var bench = DriverBench(SpotCheckDriver.self)
        bench.values[BluetoothUUID(0x2A2B)] = [0xEA, 7, 1, 2, 3 + hoursAhead, 0, 0, 5, 0, 0]
        bench.connect(Attributes.spotChecks)
        return bench
    }

    @Test("are asked for with one request for all, after the clock was read and set, and all subscriptions made")
    func requests() {
        let bench = Self.connected()
        #expect(bench.requests.map(\.uuid.description) == ["2A2B", "2A2B", "2A5E", "2A52", "2A52"])
        #expect(bench.written(to: Self.control) == [[1, 1]])
    }

    @Test("are entries with their times, values and doubts, and the transfer ends with the answer")
    func five() {
        var bench = Self.connected()
        for minute: UInt8 in 0..<5 {
            bench.receive(Self.record(minute, saturation: 90 + minute), from: Self.measurement)
        }
        #expect(bench.state == .conversing)
        bench.receive(Self.success, from: Self.control)
        #expect(bench.state == .finished)
        let expected = (0..<5).flatMap { minute -> [RecordEntry.Content] in
            [
                .vital(.oxygenSaturation, VitalValue(whole: 90 + minute), site: nil),
                .vital(.heartRate, VitalValue(whole: 70), site: nil),
            ]
        }
        #expect(bench.entries.map(\.content) == expected)
        #expect(bench.entries.allSatisfy { $0.facts.isTimeKnown && $0.facts.quality == .good })
        #expect(
            bench.entries[2].facts.deviceTime
                == DeviceTime(DateTime(year: 2026, month: 1, day: 2, hour: 2, minute: 1, second: 0)))
        #expect(bench.entries[2].taken.map { bench.now.since($0) } == .seconds(59 * 60))
        #expect(bench.entries[1].facts.remark == "pulse rate")
        #expect(bench.entries[0].facts.remark == nil)
    }

    @Test("have the right times by a clock that is wrong, as it was before it was set")
    func wrongClock() {
        var bench = Self.connected(hoursAhead: 2)
        bench.receive([7, 96, 0, 70, 0, 0xEA, 7, 1, 2, 4, 0, 0, 0, 2, 0, 0, 0], from: Self.measurement)
        // Stamped 04:00 by a clock that showed 05:00 at three.
        #expect(bench.entries[0].taken.map { bench.now.since($0) } == .seconds(3600))
    }

    @Test("have an unknown time where the clock was never set, or the stamp is of the future, and keep the stamp")
    func unknownTime() {
        var bench = Self.connected()
        bench.receive(Self.record(0, flags: 1 << 4), from: Self.measurement)
        bench.receive([7, 96, 0, 70, 0, 0xEA, 7, 1, 9, 4, 0, 0, 0, 2, 0, 0, 0], from: Self.measurement)
        #expect(bench.entries.count == 4)
        #expect(bench.entries.allSatisfy { !$0.facts.isTimeKnown && $0.facts.deviceTime != nil })
    }

    @Test("without a time are left out and counted, because they could not be recognised when they come again")
    func leftOut() {
        var bench = Self.connected()
        for _ in 0..<2 { bench.receive([0, 96, 0, 70, 0], from: Self.measurement) }
        bench.receive(Self.record(1), from: Self.measurement)
        bench.receive(Self.success, from: Self.control)
        #expect(bench.entries.count == 2)
        #expect(bench.reports.last == .notice("2 stored spot-checks without a time were left out."))
    }

    @Test("with a stamp that cannot be have no known time", arguments: ImpossibleStamps.all)
    func impossibleStamp(stamp: [UInt8]) {
        var bench = Self.connected()
        bench.receive([1, 96, 0, 70, 0] + stamp, from: Self.measurement)
        #expect(bench.entries.allSatisfy { !$0.facts.isTimeKnown })
    }

    @Test("say why they cannot be used, whatever the numbers", arguments: PulseOximeterDeviceAndSensorStatus.table)
    func deviceStatus(bit: StatusBit) throws {
        var bench = Self.connected()
        bench.receive(Self.record(0, device: 1 << bit.bit), from: Self.measurement)
        let entry = try #require(bench.entries.first)
        switch bit.reading.usability {
        case .unusable:
            guard case .noMeasurement(.oxygenSaturation, _) = entry.content, bench.entries.count == 1 else {
                Issue.record("\(bit.name) is a value: \(entry.content)")
                return
            }
        case .questionable: #expect(entry.facts.quality != .good && bench.entries[1].facts.quality != .good)
        case .usable: #expect(entry.facts.quality == .good)
        }
        #expect((entry.facts.remark?.contains(bit.name) == true) == (bit.reading.usability != .usable))
    }

    @Test("for a demonstration or a test are no patient's", arguments: [10, 11])
    func demonstration(bit: Int) {
        var bench = Self.connected()
        bench.receive(Self.record(0, measurement: 1 << bit), from: Self.measurement)
        bench.receive(Self.success, from: Self.control)
        #expect(bench.entries.isEmpty)
    }

    @Test("have the perfusion index as a remark, and no pulse rate where there is none")
    func perfusion() {
        var bench = Self.connected()
        // 96.0 %, NaN beats, index 4.2 %.
        bench.receive([9, 0xC0, 0xF3, 0xFF, 7] + Self.stamp(0) + [42, 0xF0], from: Self.measurement)
        #expect(bench.entries.map(\.content) == [.vital(.oxygenSaturation, VitalValue(whole: 96), site: nil)])
        #expect(bench.entries[0].facts.remark == "perfusion index 4.2 %")
        #expect(bench.entries[0].facts.quality == .questionable)
    }

    @Test(
        "end with no answer to another request, and no count", arguments: [[6, 0, 4, 1], [6, 0, 3, 1], [5, 0, 0, 0]])
    func otherAnswers(octets: [UInt8]) {
        var bench = Self.connected()
        bench.receive(octets, from: Self.control)
        #expect(bench.state == .conversing)
        bench.receive(Self.record(0), from: Self.measurement)
        #expect(bench.entries.count == 2)
    }

    @Test("that do not end are waited for half a minute after the last one")
    func noEnd() {
        var bench = Self.connected()
        bench.receive(Self.record(0), from: Self.measurement)
        bench.wait(.seconds(29))
        bench.receive(Self.record(1), from: Self.measurement)
        bench.wait(.seconds(29))
        #expect(bench.state == .conversing)
        bench.wait(.seconds(2))
        #expect(bench.state == .failed(.silence))
        #expect(bench.entries.count == 4)
    }

    @Test("without end are stopped, and what still comes is swallowed")
    func tooMany() {
        var bench = Self.connected()
        for index in 0..<(RecordTransfer.limit + 20) {
            bench.receive(Self.record(UInt8(index % 60)), from: Self.measurement)
        }
        #expect(bench.written(to: Self.control) == [[1, 1], [3, 0]])
        #expect(bench.entries.count == 2 * RecordTransfer.limit)
        #expect(bench.state == .streaming)
        #expect(bench.conversation.listens(to: Self.measurement))
        #expect(!bench.hasTimer)
    }

    @Test("that are refused are not asked for again on this link")
    func refused() {
        var bench = Self.connected()
        bench.receive([6, 0, 1, 2], from: Self.control)
        #expect(bench.state == .refused("It refuses to hand over its records (opcode_not_supported)."))
    }

    @Test("that cannot be requested are no reason to refuse the oximeter")
    func noControl() {
        var bench = DriverBench(SpotCheckDriver.self)
        bench.connect([Attributes.notifying(Self.measurement)])
        #expect(bench.state == .finished)
        #expect(bench.requests.isEmpty)
    }
}
