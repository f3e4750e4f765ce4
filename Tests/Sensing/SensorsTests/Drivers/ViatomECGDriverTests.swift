import SensorDrivers
import Testing
import VitalDecoders
import Vitals
import Waves

@testable import KnownSensors
@testable import Sensors

@Suite("Recorders of an ECG on the service of oximeter rings")
struct ViatomECGDriverTests {
    private static let uuid = OximeterRingDriver.notifying

    private static func connected(waves: Set<WaveKind> = [.electrocardiogram]) -> DriverBench {
        var bench = DriverBench(ViatomECGDriver.self, waves: waves)
        bench.connect(Attributes.ring)
        return bench
    }

    private static func data(pulse: UInt16 = 72, state: UInt8 = 2, samples: [Int16] = []) -> [UInt8] {
        [UInt8(pulse & 255), UInt8(pulse >> 8), 0, 88, 31, 0, 0, 0, state]
            + Array(repeating: 0, count: 11) + [UInt8(samples.count), 0]
            + samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    @Test("are polled once a second with a number, every two seconds where no ECG is wanted")
    func polled() {
        var bench = Self.connected()
        bench.receive(viatomAnswer(0x03, Self.data()), from: Self.uuid)
        bench.wait(.seconds(1))
        let written = bench.written(to: OximeterRingDriver.writing)
        #expect(written.count == 2)
        #expect(written.first == octets("A5 03 FC 00 00 01 00 7D 23"))
        #expect(written.last?[4] == 1)
        var unwanted = Self.connected(waves: [.plethysmogram])
        unwanted.receive(viatomAnswer(0x03, Self.data(samples: [100])), from: Self.uuid)
        unwanted.wait(.seconds(1))
        #expect(unwanted.written(to: OximeterRingDriver.writing).count == 1)
        #expect(unwanted.waves.isEmpty && unwanted.waveStates.isEmpty)
    }

    @Test("send the heart rate and samples in microvolts: 72, battery 88, 247 µV, −99 µV, none")
    func vector() {
        var bench = Self.connected()
        let head = "A5 03 FC 01 00 1C 00 48 00 00 58 1F 00 00 00 02 00 00 00 00 00 00 00 00 00 00 00 03 00"
        bench.receive(octets(head + " 64 00 D8 FF FF 7F 6D"), from: Self.uuid)
        #expect(
            bench.reportsBesideWaves == [
                .battery(88), .reading(.heartRate, .measured(VitalValue(whole: 72), .good)),
            ])
        #expect(bench.waves.map(\.samples) == [[247, -99, WavePiece.missing]])
        #expect(bench.waves.map(\.kind) == [.electrocardiogram])
        #expect(bench.waves.map(\.placement.interval) == [8_000_000])
        #expect(bench.waveStates == [.wanted, .streaming])
    }

    @Test("have neither a heart rate nor an ECG with a lead off, and are left alone after two minutes")
    func leadOff() {
        var bench = Self.connected()
        for _ in 0..<125 {
            bench.receive(viatomAnswer(0x03, Self.data(state: 0x17, samples: [5])), from: Self.uuid)
            bench.wait(.seconds(1))
        }
        #expect(bench.waves.isEmpty)
        #expect(bench.waveStates == [.wanted, .off])
        #expect(bench.reports.contains(.reading(.heartRate, .noMeasurement(.offBody))))
        #expect(bench.state == .finished)
    }

    @Test("have no heart rate of 0 or 65535", arguments: [UInt16(0), 0xFFFF])
    func searching(pulse: UInt16) {
        var bench = Self.connected()
        bench.receive(viatomAnswer(0x03, Self.data(pulse: pulse)), from: Self.uuid)
        #expect(bench.reports.contains(.reading(.heartRate, .noMeasurement(.searching))))
    }

    @Test(
        "that announce more samples than they send are malformed; those that are there are kept, the others are a gap")
    func cut() {
        var bench = Self.connected()
        var data = Self.data(samples: [100, -40])
        data[20] = 4
        bench.receive(viatomAnswer(0x03, data + [7]), from: Self.uuid)
        #expect(bench.waves.map(\.samples) == [[247, -99, WavePiece.missing, WavePiece.missing]])
        let malformed = bench.reports.filter { if case .malformed = $0 { true } else { false } }
        #expect(malformed.count == 1)
    }
}
