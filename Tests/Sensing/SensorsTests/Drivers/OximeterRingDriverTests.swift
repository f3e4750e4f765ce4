import SensorDrivers
import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("Oximeter rings")
struct OximeterRingDriverTests {
    /// An answer with live values.
    private static func answer(
        spo2: UInt8, pulse: UInt16, isWorn: Bool = true, lead: UInt8? = nil, length: Int = 13
    ) -> [UInt8] {
        let lead = lead ?? (isWorn ? 1 : 0)
        let (low, high) = (UInt8(pulse & 255), UInt8(pulse >> 8))
        var octets: [UInt8] = [0x55, 0, 0xFF, 0, 0, UInt8(length), 0, spo2, low, high, 0, 0, 0, 0, 88, 0, 0, 30, lead]
        octets += Array(repeating: 0x55, count: length - 12)
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
        #expect(bench.written(to: OximeterRingDriver.writing) == [OximeterRingDriver.Poll.values.octets])
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
                    .reading(.perfusionIndex, .measured(VitalValue(whole: 3), .good)),
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

    @Test("have a pulse of two octets")
    func pulse() {
        for pulse in UInt16.min ... .max {
            var bench = Self.connected()
            bench.receive(Self.answer(spo2: 97, pulse: pulse), from: OximeterRingDriver.notifying)
            let expected: Reading.Outcome =
                switch pulse {
                case 0, 255, 511, 0xFFFF: .noMeasurement(.searching)
                case 20...300: .measured(VitalValue(whole: Int(pulse)), .good)
                default: .noMeasurement(.outOfRange)
                }
            guard bench.reports.dropLast().last != .reading(.pulseRate, expected) else { continue }
            Issue.record("\(pulse): \(bench.reports)")
            return
        }
    }

    @Test("are worn in one state of the lead alone; every other one is off, or an error", arguments: UInt8.min ... .max)
    func lead(state: UInt8) {
        var bench = Self.connected()
        bench.receive(Self.answer(spo2: 97, pulse: 64, lead: state), from: OximeterRingDriver.notifying)
        let expected: (saturation: Reading.Outcome, pulse: Reading.Outcome) =
            switch state {
            case 0: (.noMeasurement(.offBody), .noMeasurement(.offBody))
            case 1: (.measured(VitalValue(whole: 97), .good), .measured(VitalValue(whole: 64), .good))
            default: (.noMeasurement(.equipment), .noMeasurement(.equipment))
            }
        var readings: [DriverAction] = [
            .reading(.oxygenSaturation, expected.saturation), .reading(.pulseRate, expected.pulse),
        ]
        if state == 1 { readings.append(.reading(.perfusionIndex, .measured(VitalValue(whole: 3), .good))) }
        #expect(Array(bench.reports.dropFirst()) == readings)
    }

    @Test("have no saturation of 0, 127 or 255, which stand for none", arguments: [UInt8(0), 127, 255])
    func noSaturation(number: UInt8) {
        var bench = Self.connected()
        bench.receive(Self.answer(spo2: number, pulse: 64), from: OximeterRingDriver.notifying)
        #expect(bench.reports.contains(.reading(.oxygenSaturation, .noMeasurement(.searching))))
    }

    @Test("answer with up to 145 octets, in pieces of twenty")
    func long() {
        for length in 12...137 {
            var bench = Self.connected()
            let answer = Self.answer(spo2: 97, pulse: 260, length: length)
            for start in stride(from: 0, to: answer.count, by: 20) {
                bench.receive(Array(answer[start..<min(answer.count, start + 20)]), from: OximeterRingDriver.notifying)
            }
            #expect(
                bench.reports.dropLast().last == .reading(.pulseRate, .measured(VitalValue(whole: 260), .good)),
                "\(length)")
        }
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
