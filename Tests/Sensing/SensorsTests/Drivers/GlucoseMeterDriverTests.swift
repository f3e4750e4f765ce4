import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("Glucose meters")
struct GlucoseMeterDriverTests {
    private static let measurement = BluetoothUUID(0x2A18)
    private static let contexts = BluetoothUUID(0x2A34)
    private static let control = BluetoothUUID(0x2A52)
    private static let success: [UInt8] = [6, 0, 1, 1]
    private static let none: [UInt8] = [6, 0, 1, 6]

    /// A record of 105 mg/dL at 02:00 plus a minute for each number.
    private static func record(_ sequence: Int, mantissa: Int = 105, contextFollows: Bool = false) -> [UInt8] {
        [
            contextFollows ? 0x12 : 0x02, UInt8(sequence & 255), UInt8(sequence >> 8), 0xEA, 0x07, 1, 2, 2,
            UInt8(sequence % 60), 0, UInt8(mantissa & 255), 0xB0 | UInt8(mantissa >> 8), 0x11,
        ]
    }

    private static func connected(newest: Int? = nil) -> DriverBench {
        var bench = DriverBench(GlucoseMeterDriver.self, newestSequence: newest)
        bench.values[BluetoothUUID(0x2A2B)] = [0xEA, 0x07, 1, 2, 3, 0, 0, 5, 0, 0]
        bench.connect(Attributes.glucoseMeter)
        return bench
    }

    @Test("hand over a thousand records, each once with its number and time")
    func thousand() {
        var bench = Self.connected()
        #expect(bench.written(to: Self.control) == [[1, 1]])
        for sequence in 1...1000 { bench.receive(Self.record(sequence), from: Self.measurement) }
        bench.receive(Self.success, from: Self.control)
        #expect(bench.entries.compactMap(\.facts.sequence) == Array(1...1000))
        #expect(bench.entries.allSatisfy { $0.facts.isTimeKnown })
        #expect(bench.entries[0].content == .vital(.glucose, VitalValue(whole: 105), site: .finger))
        #expect(bench.entries[50].taken.map { bench.now.since($0) } == .seconds(540))
        #expect(bench.state == .finished)
    }

    @Test("are asked only for what is not in the record yet")
    func onlyNew() {
        var bench = Self.connected(newest: 300)
        #expect(bench.written(to: Self.control) == [[1, 3, 1, 0x2D, 0x01]])
        bench.receive(Self.record(301), from: Self.measurement)
        bench.receive(Self.success, from: Self.control)
        #expect(bench.entries.count == 1)
        #expect(bench.state == .finished)
    }

    @Test("without a new record are asked for the last one, and that is all")
    func nothingNew() {
        var bench = Self.connected(newest: 300)
        bench.receive(Self.none, from: Self.control)
        #expect(bench.written(to: Self.control).last == [1, 6])
        bench.receive(Self.record(300), from: Self.measurement)
        bench.receive(Self.success, from: Self.control)
        #expect(bench.state == .finished)
    }

    @Test("that count anew, or backwards, are asked for everything, one request at a time")
    func countsAnew() {
        var bench = Self.connected(newest: 300)
        bench.receive(Self.none, from: Self.control)
        bench.receive(Self.record(2), from: Self.measurement)
        #expect(bench.written(to: Self.control).count == 2)
        bench.receive(Self.success, from: Self.control)
        #expect(bench.written(to: Self.control).last == [1, 1])
        bench.receive(Self.record(1), from: Self.measurement)
        bench.receive(Self.success, from: Self.control)
        #expect(bench.entries.compactMap(\.facts.sequence) == [2, 1])
        #expect(bench.state == .finished)
    }

    /// What was remembered for the next link, in order.
    private static func remembered(_ bench: DriverBench) -> [Int] {
        bench.reports.compactMap { if case .remember(let sequence) = $0 { sequence } else { nil } }
    }

    @Test("whose link breaks go on after what they have handed over in order")
    func progress() {
        var bench = Self.connected()
        for sequence in [5, 6, 6, 9] { bench.receive(Self.record(sequence), from: Self.measurement) }
        #expect(Self.remembered(bench) == [5, 6])
        bench.receive(Self.success, from: Self.control)
        #expect(Self.remembered(bench).last == 9)
    }

    @Test("that hand over the newest first lose nothing by a broken link")
    func backwards() {
        var bench = Self.connected()
        for sequence in [9, 9, 8, 7] { bench.receive(Self.record(sequence), from: Self.measurement) }
        #expect(Self.remembered(bench).isEmpty)
        bench.receive(Self.success, from: Self.control)
        #expect(Self.remembered(bench) == [9])
    }

    @Test("that cannot select are asked for everything")
    func cannotSelect() {
        var bench = Self.connected(newest: 300)
        bench.receive([6, 0, 1, 9], from: Self.control)
        #expect(bench.written(to: Self.control).last == [1, 1])
    }

    @Test("that are busy are asked again, but not for ever")
    func busy() {
        var bench = Self.connected()
        for _ in 0..<4 {
            bench.receive([6, 0, 1, 10], from: Self.control)
            bench.wait(.seconds(4))
        }
        #expect(bench.written(to: Self.control).count == 4)
        #expect(bench.state == .finished)
    }

    @Test("send the circumstances after the record")
    func context() throws {
        var bench = Self.connected()
        bench.receive(Self.record(7, contextFollows: true), from: Self.measurement)
        #expect(bench.entries.isEmpty)
        bench.receive([0x02, 7, 0, 1], from: Self.contexts)
        #expect(try #require(bench.entries.first).facts.remark == "before a meal")
    }

    @Test("lose no record whose circumstances do not come")
    func lostContext() {
        var bench = Self.connected()
        bench.receive(Self.record(7, contextFollows: true), from: Self.measurement)
        bench.receive(Self.record(8, contextFollows: true), from: Self.measurement)
        bench.receive(Self.success, from: Self.control)
        #expect(bench.entries.compactMap(\.facts.sequence) == [7, 8])
    }

    @Test(
        "give no value where a bit of the status says that it cannot be used, whatever the number",
        arguments: GlucoseSensorStatus.table, [UInt16(0), 1, 1 << 11, 0xF000])
    func status(bit: StatusBit, others: UInt16) throws {
        var bench = Self.connected()
        let status = UInt16(1) << bit.bit | others
        var record = Self.record(7)
        record[0] |= 1 << 3
        bench.receive(record + [UInt8(status & 255), UInt8(status >> 8)], from: Self.measurement)
        let entry = try #require(bench.entries.first)
        switch bit.reading.usability {
        case .unusable:
            guard case .noMeasurement(.glucose, let reason) = entry.content else {
                Issue.record("\(bit.name) is a value: \(entry.content)")
                return
            }
            #expect((reason == .equipment) == (bit.reading.cause == .equipmentFault))
        case .questionable, .usable:
            guard case .vital(.glucose, _, _) = entry.content else {
                Issue.record("\(bit.name) is no value: \(entry.content)")
                return
            }
            #expect(entry.facts.quality == .good)
        }
        #expect(entry.facts.remark?.contains(bit.name) == true)
    }

    @Test(
        "keep a result that is no number, with its time and number",
        arguments: [
            (0x07FF, .notANumber), (0x0800, .notANumber), (0x0801, .notANumber), (0x07FE, .aboveRange),
            (0x0802, .belowRange), (0xB7FB, .outOfRange), (0x0000, .outOfRange), (0xBFFF, .outOfRange),
        ] as [(UInt16, AbsenceReason)])
    func noNumber(concentration: UInt16, reason: AbsenceReason) throws {
        var bench = Self.connected()
        var record = Self.record(7)
        (record[10], record[11]) = (UInt8(concentration & 255), UInt8(concentration >> 8))
        bench.receive(record, from: Self.measurement)
        bench.receive(Self.success, from: Self.control)
        let entry = try #require(bench.entries.first)
        #expect(entry.content == .noMeasurement(.glucose, reason))
        #expect(entry.facts.sequence == 7 && entry.facts.isTimeKnown)
    }

    @Test("hand over the time by their own clock with the offset that the person has set", arguments: [-180, 0, 90])
    func offset(minutes: Int) throws {
        var bench = Self.connected()
        let octets = UInt16(bitPattern: Int16(minutes))
        // Base time 2026-01-02 02:07:00 with an offset.
        bench.receive(
            [0x01, 7, 0, 0xEA, 0x07, 1, 2, 2, 7, 0, UInt8(octets & 255), UInt8(octets >> 8)], from: Self.measurement)
        bench.receive(Self.success, from: Self.control)
        let base = DeviceTime(year: 2026, month: 1, day: 2, hour: 2, minute: 7, second: 0)
        #expect(try #require(bench.entries.first).facts.deviceTime == base.advanced(byMinutes: minutes))
    }

    @Test("keep a record without a concentration")
    func noConcentration() throws {
        var bench = Self.connected()
        bench.receive([0x00, 7, 0, 0xEA, 0x07, 1, 2, 2, 7, 0], from: Self.measurement)
        #expect(try #require(bench.entries.first).content == .noMeasurement(.glucose, .notANumber))
    }

    @Test(
        "say on which side of its range a result lies, unless the status contradicts itself or names a fault",
        arguments: [
            (1 << 5, .aboveRange), (1 << 6, .belowRange), (3 << 5, .outOfRange), (1 << 5 | 1, .aboveRange),
            (1 << 5 | 1 << 1, .equipment), (1 << 6 | 1 << 2, .unusable),
        ] as [(UInt16, AbsenceReason)])
    func side(status: UInt16, reason: AbsenceReason) throws {
        var bench = Self.connected()
        var record = Self.record(7)
        record[0] |= 1 << 3
        bench.receive(record + [UInt8(status & 255), UInt8(status >> 8)], from: Self.measurement)
        #expect(try #require(bench.entries.first).content == .noMeasurement(.glucose, reason))
    }

    @Test("with a stamp that cannot be have an unknown time", arguments: ImpossibleStamps.all)
    func impossibleStamp(stamp: [UInt8]) throws {
        var bench = Self.connected()
        var record = Self.record(7)
        record.replaceSubrange(3..<10, with: stamp)
        bench.receive(record, from: Self.measurement)
        #expect(try #require(bench.entries.first).facts.isTimeKnown == false)
    }

    @Test("do not enter a test with control solution")
    func controlSolution() {
        var bench = Self.connected()
        var record = Self.record(1)
        record[12] = 0x4A
        bench.receive(record, from: Self.measurement)
        bench.receive(Self.success, from: Self.control)
        #expect(bench.entries.isEmpty)
    }

    @Test("that do not answer are given up after half a minute")
    func silent() {
        var bench = Self.connected()
        bench.wait(.seconds(31))
        #expect(bench.state == .failed(.silence))
    }
}
