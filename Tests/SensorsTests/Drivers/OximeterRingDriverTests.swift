import Testing
import VitalDecoders
import Vitals

@testable import Sensors

@Suite("Oximeter rings")
struct OximeterRingDriverTests {
    /// An answer with live values.
    private static func answer(spo2: UInt8, pulse: UInt8, isWorn: Bool = true) -> [UInt8] {
        var octets: [UInt8] = [0x55, 0, 0xFF, 0, 0, 13, 0, spo2, pulse, 0, 0, 0, 0, 0, 88, 0, 0, 30, isWorn ? 1 : 0, 0]
        octets.append(Checksum.crc8(octets))
        return octets
    }

    private static func connected() -> DriverBench {
        var bench = DriverBench(OximeterRingDriver.self)
        bench.connect(Attributes.ring)
        return bench
    }

    @Test("are asked every two seconds")
    func polled() {
        var bench = Self.connected()
        #expect(bench.written(to: OximeterRingDriver.writing) == [OximeterRingDriver.poll])
        bench.receive(Self.answer(spo2: 97, pulse: 64), from: OximeterRingDriver.notifying)
        bench.wait(.seconds(2))
        #expect(bench.written(to: OximeterRingDriver.writing).count == 2)
    }

    @Test("answer in pieces of any length")
    func pieces() {
        for length in 1...21 {
            var bench = Self.connected()
            let answer = Self.answer(spo2: 97, pulse: 64)
            for start in stride(from: 0, to: answer.count, by: length) {
                bench.receive(
                    Array(answer[start..<min(answer.count, start + length)]), from: OximeterRingDriver.notifying)
            }
            #expect(
                bench.reports == [
                    .battery(88), .reading(.oxygenSaturation, .measured(VitalValue(whole: 97), .good)),
                    .reading(.pulseRate, .measured(VitalValue(whole: 64), .good)),
                ], "in pieces of \(length)")
        }
    }

    @Test("that calibrate, or are not worn, have no value")
    func noValue() {
        var bench = Self.connected()
        bench.receive(Self.answer(spo2: 0, pulse: 0), from: OximeterRingDriver.notifying)
        #expect(bench.reports.contains(.reading(.oxygenSaturation, .noMeasurement(.searching))))
        bench.receive(Self.answer(spo2: 97, pulse: 64, isWorn: false), from: OximeterRingDriver.notifying)
        #expect(
            bench.reports.suffix(2) == [
                .reading(.oxygenSaturation, .noMeasurement(.offBody)), .reading(.pulseRate, .noMeasurement(.offBody)),
            ])
    }

    @Test("that nobody wears are left alone after two minutes, so that they can sleep")
    func sleeps() {
        var bench = Self.connected()
        for _ in 0..<62 {
            bench.receive(Self.answer(spo2: 0, pulse: 0, isWorn: false), from: OximeterRingDriver.notifying)
            bench.wait(.seconds(2))
        }
        #expect(bench.state == .finished)
    }

    @Test("with a wrong checksum are not believed")
    func wrongChecksum() {
        var bench = Self.connected()
        var answer = Self.answer(spo2: 97, pulse: 64)
        answer[7] = 90
        bench.receive(answer, from: OximeterRingDriver.notifying)
        guard case .malformed? = bench.reports.first, bench.reports.count == 1 else {
            Issue.record("\(bench.reports)")
            return
        }
        bench.receive(Self.answer(spo2: 96, pulse: 60), from: OximeterRingDriver.notifying)
        #expect(bench.reports.contains(.reading(.oxygenSaturation, .measured(VitalValue(whole: 96), .good))))
    }

    @Test("that do not answer any more are left alone")
    func silent() {
        var bench = Self.connected()
        bench.receive(Self.answer(spo2: 97, pulse: 64), from: OximeterRingDriver.notifying)
        bench.wait(.seconds(20))
        #expect(bench.state == .finished)
    }
}
