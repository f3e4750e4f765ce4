import SensorDrivers
import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("Oximeters with protocols of their makers")
struct OximeterDriverTests {
    private static func measured(_ number: Int) -> Reading.Outcome { .measured(VitalValue(whole: number), .good) }
    private static func values(
        _ saturation: Reading.Outcome, _ pulse: Reading.Outcome, index: Reading.Outcome? = nil
    ) -> [DriverAction] {
        [.reading(.oxygenSaturation, saturation), .reading(.pulseRate, pulse)]
            + (index.map { [.reading(.perfusionIndex, $0)] } ?? [])
    }
    private static func index(_ hundredths: Int) -> Reading.Outcome {
        .measured(VitalValue(hundredths: hundredths), .good)
    }

    /// A frame of a fingertip oximeter with its checksum.
    private static func frame(_ octets: [UInt8]) -> [UInt8] {
        let body: [UInt8] = [UInt8(octets.count + 3)] + octets
        return [0xFE] + body + [Checksum.sum(body)]
    }

    private static let value = frame([0x55, 0x00, 0x48, 0x61, 0x0B, 0xB8, 0x01])

    @Test("FS20F: frames in pieces of any length, among waveforms and noise")
    func fingertip() {
        let stream = [0x00, 0xFE, 0x99] + Self.frame([0x56, 0x20, 0x00, 0x00, 0x00]) + Self.value
        for length in 1...stream.count {
            var bench = DriverBench(FingertipOximeterDriver.self)
            bench.connect(Attributes.fingertip)
            for start in stride(from: 0, to: stream.count, by: length) {
                let piece = Array(stream[start..<min(stream.count, start + length)])
                bench.receive(piece, from: FingertipOximeterDriver.characteristic)
            }
            #expect(
                bench.reports == Self.values(Self.measured(97), Self.measured(72), index: Self.index(300)),
                "in pieces of \(length)")
        }
    }

    @Test("FS20F: finger out, no value yet, and a wrong checksum")
    func fingertipAbsences() {
        var bench = DriverBench(FingertipOximeterDriver.self)
        bench.connect(Attributes.fingertip)
        bench.receive(Self.frame([0x56, 0x00, 0x02, 0x00, 0x00]), from: FingertipOximeterDriver.characteristic)
        #expect(bench.reports == [DriverAction].offFinger)
        bench.receive(
            Self.frame([0x55, 0x01, 0xFF, 0x7F, 0x00, 0x00, 0x02]), from: FingertipOximeterDriver.characteristic)
        #expect(bench.reports.suffix(2) == Self.values(.noMeasurement(.searching), .noMeasurement(.searching)))
        var wrong = Self.value
        wrong[5] = 0x50
        bench.receive(wrong, from: FingertipOximeterDriver.characteristic)
        guard case .malformed? = bench.reports.last else {
            Issue.record("\(bench.reports)")
            return
        }
    }

    @Test("Jumper: values, nothing, waveforms and a value that is cut short")
    func jumper() {
        var bench = DriverBench(JumperOximeterDriver.self)
        bench.connect(Attributes.jumper)
        bench.receive([0x80, 1, 2, 3, 4], from: JumperOximeterDriver.characteristic)
        #expect(bench.reports.isEmpty)
        bench.receive([0x81, 72, 97, 31], from: JumperOximeterDriver.characteristic)
        #expect(bench.reports == Self.values(Self.measured(97), Self.measured(72), index: Self.index(310)))
        bench.receive([0x81, 255, 127, 0], from: JumperOximeterDriver.characteristic)
        let nothing = Reading.Outcome.noMeasurement(.searching)
        #expect(bench.reports.suffix(3) == Self.values(nothing, nothing, index: nothing))
        bench.receive([0x81, 72], from: JumperOximeterDriver.characteristic)
        guard case .malformed? = bench.reports.last else {
            Issue.record("\(bench.reports)")
            return
        }
    }

    @Test("BCI: several packets in one notification, found again after a lost octet; pulses above 127")
    func bci() {
        var bench = DriverBench(BCIOximeterDriver.self)
        bench.connect(Attributes.bci)
        let packet: [UInt8] = [0x88, 0x20, 0x43, 0x05, 0x61]
        bench.receive([0x20, 0x05] + packet + [0x88, 0x20, 0x43] + packet, from: BCIOximeterDriver.characteristic)
        let expected = Self.values(Self.measured(97), Self.measured(133))
        #expect(bench.reports == expected + expected)
        bench.receive([0xA0, 0, 0, 0x7F, 0x7F, 0x80, 0, 0x10, 0x7F, 0x7F], from: BCIOximeterDriver.characteristic)
        #expect(bench.reports.suffix(4) == [DriverAction].offFinger + .offFinger)
    }

    @Test("Nonin: only after the pairing; values, a weak signal and a finger that is out")
    func nonin() {
        var stranger = DriverBench(NoninOximeterDriver.self, isPaired: false)
        stranger.connect(Attributes.nonin)
        guard case .failed(.pairing) = stranger.state else {
            Issue.record("\(stranger.state)")
            return
        }
        var bench = DriverBench(NoninOximeterDriver.self)
        bench.connect(Attributes.nonin)
        bench.receive([10, 0x10, 30, 0, 50, 0, 1, 97, 0, 72], from: NoninOximeterDriver.characteristic)
        #expect(bench.reports == Self.values(Self.measured(97), Self.measured(72), index: Self.index(50)))
        bench.receive([10, 0x12, 30, 0, 50, 0, 1, 97, 0, 72], from: NoninOximeterDriver.characteristic)
        #expect(
            bench.reports.suffix(3)
                == Self.values(
                    .measured(VitalValue(whole: 97), .questionable), .measured(VitalValue(whole: 72), .questionable),
                    index: .measured(VitalValue(hundredths: 50), .questionable)))
        bench.receive([10, 0x00, 30, 0, 50, 0, 1, 127, 1, 255], from: NoninOximeterDriver.characteristic)
        #expect(bench.reports.suffix(3) == .offFinger + [.reading(.perfusionIndex, .noMeasurement(.offBody))])
    }

    @Test("send no perfusion index until the first one that is not 0, and none beside a saturation that is missing")
    func perfusionIndex() {
        var index = PerfusionIndex()
        let saturation = Self.measured(97)
        #expect(index.report(thousandths: 0, beside: saturation).isEmpty)
        #expect(index.report(thousandths: 2400, beside: .noMeasurement(.searching)).isEmpty)
        #expect(index.absent(.offBody).isEmpty)
        #expect(index.report(thousandths: 2434, beside: saturation) == [.reading(.perfusionIndex, Self.index(243))])
        #expect(index.report(thousandths: 2435, beside: saturation) == [.reading(.perfusionIndex, Self.index(244))])
        let searching = [DriverAction.reading(.perfusionIndex, .noMeasurement(.searching))]
        #expect(index.report(thousandths: 0, beside: saturation) == searching)
        #expect(index.report(thousandths: 2400, beside: .noMeasurement(.outOfRange)) == searching)
        #expect(index.absent(.offBody) == [.reading(.perfusionIndex, .noMeasurement(.offBody))])
        #expect(
            index.report(thousandths: 65_535, beside: saturation)
                == [.reading(.perfusionIndex, .noMeasurement(.outOfRange))])
    }
}

@Suite("What is sent faster than anybody looks")
struct DecimatorTests {
    @Test("is one reading a second, with the extremes and each change to nothing")
    func decimates() {
        var decimator = Decimator()
        let sensor = SensorIdentity(address: "C0:52:49:00:00:0B", name: "BM", kind: .oximeter)
        func reading(_ value: Int?, _ hundredth: Int) -> Reading {
            Reading(
                sensor: sensor, vital: .oxygenSaturation,
                outcome: value.map { .measured(VitalValue(whole: $0), .good) } ?? .noMeasurement(.offBody),
                moment: Moment(monotonicNanoseconds: Int64(hundredth) * 10_000_000, wallMilliseconds: 0))
        }
        var passed: [Reading] = []
        for hundredth in 0..<500 { passed += decimator.take(reading(97, hundredth)) }
        #expect(passed.count == 5)
        passed = []
        for (value, hundredth) in [(97, 500), (96, 510), (97, 520), (88, 530), (97, 540), (99, 550)] {
            passed += decimator.take(reading(value, hundredth))
        }
        #expect(passed.map(\.outcome) == [97, 96, 88, 99].map { .measured(VitalValue(whole: $0), .good) })
        #expect(decimator.take(reading(nil, 560)).count == 1)
        #expect(decimator.take(reading(nil, 570)).isEmpty)
        #expect(decimator.take(reading(97, 580)).count == 1)
    }
}
