import SensorDrivers
import Testing
import VitalDecoders
import Vitals
import Waves

@testable import KnownSensors
@testable import Sensors

/// An answer with a frame of Viatom's newer protocols.
func viatomAnswer(_ command: UInt8, _ data: [UInt8], flag: UInt8 = 1) -> [UInt8] {
    let octets = [0xA5, command, ~command, flag, 0, UInt8(data.count & 255), UInt8(data.count >> 8)] + data
    return octets + [Checksum.crc8(octets)]
}

@Suite("Newer oximeter rings")
struct OxyIIDriverTests {
    private static let uuid = OxyIIDriver.notifying
    private static let live = octets("A5 04 FB 00 00 00 00 93")
    private static let missing = WavePiece.missing

    private static func connected(waves: Set<WaveKind> = [.plethysmogram]) -> DriverBench {
        var bench = DriverBench(OxyIIDriver.self, waves: waves)
        bench.connect(Attributes.newRing)
        return bench
    }

    /// The data of live values.
    private static func data(
        contact: UInt8 = 1, saturation: UInt8 = 97, pulse: UInt16 = 62, samples: [UInt8] = [], announced: UInt16? = nil
    ) -> [UInt8] {
        let count = announced ?? UInt16(samples.count)
        return [77, 0, 0, 0, 2, contact, saturation, 25, UInt8(pulse & 255), UInt8(pulse >> 8), 0xC7, 3, 1, 80]
            + [0, 0, 0, 0, 0, 0, 0xE8, 3, 0, 0, UInt8(count & 255), UInt8(count >> 8)] + samples
    }

    @Test("are logged in to, told to be quiet, and polled; nothing else is written")
    func requests() {
        var bench = Self.connected()
        for _ in 0..<3 {
            bench.receive(viatomAnswer(0x04, Self.data()), from: Self.uuid)
            bench.wait(.seconds(1))
        }
        let written = bench.written(to: OxyIIDriver.writing)
        #expect(written.count == 6)
        #expect(Array(written[0].prefix(7)) == [0xA5, 0xFF, 0x00, 0x00, 0x00, 0x10, 0x00] && written[0].count == 24)
        #expect(written[1] == octets("A5 10 EF 00 00 01 00 00 07"))
        #expect(written.dropFirst(2).allSatisfy { $0 == Self.live })
        #expect(bench.requests.allSatisfy { if case .write = $0.kind { false } else { true } })
    }

    @Test("are logged in to with the time, as recorded")
    func login() {
        func frame(_ seconds: Int64) -> [UInt8] {
            ViatomFrames.request(
                0xFF, OxyIIDriver.login(at: Moment(monotonicNanoseconds: 0, wallMilliseconds: seconds * 1000)))
        }
        #expect(
            Array(frame(1_790_000_000)[7..<23])
                == octets("00 68 15 88 72 09 1C B0 98 C8 C7 DA 44 78 84 99"))
        #expect(
            Array(frame(1_788_095_920).dropLast())
                == octets("A5 FF 00 00 00 10 00 00 68 15 88 72 09 1C B0 98 C8 C7 DA 74 6E A1 99"))
    }

    @Test("have frames with a checksum, as recorded")
    func frames() {
        #expect(ViatomFrames.request(0xE1, number: 2) == octets("A5 E1 1E 00 02 00 00 BF"))
        #expect(ViatomFrames.request(0x04) == Self.live)
        #expect(ViatomFrames.request(0x10, [0]) == octets("A5 10 EF 00 00 01 00 00 07"))
    }

    @Test("send values and samples in one answer, in pieces of any length")
    func vector() {
        let whole = octets(
            "A5 04 FB 01 00 1F 00 4D 00 00 00 02 01 61 19 3E 00 00 03 01 50 00 00 00 00 00 00 E8 03 00 00 05 00 0A 14 9C 28 32 5E"
        )
        for length in 1...whole.count {
            var bench = Self.connected()
            for start in stride(from: 0, to: whole.count, by: length) {
                bench.receive(Array(whole[start..<min(whole.count, start + length)]), from: Self.uuid)
            }
            #expect(
                bench.reportsBesideWaves == [
                    .battery(80), .reading(.oxygenSaturation, .measured(VitalValue(whole: 97), .good)),
                    .reading(.pulseRate, .measured(VitalValue(whole: 62), .good)),
                    .reading(.perfusionIndex, .measured(VitalValue(hundredths: 250), .good)),
                ], "in pieces of \(length)")
            #expect(bench.waves.map(\.samples) == [[190, 180, Self.missing, 160, 150]])
            #expect(bench.waveStates == [.wanted, .streaming])
        }
    }

    @Test(
        "have values in one state of the contact alone, in which all descriptions agree", arguments: UInt8.min ... .max)
    func contact(state: UInt8) {
        var bench = Self.connected()
        bench.receive(viatomAnswer(0x04, Self.data(contact: state, samples: [20, 40])), from: Self.uuid)
        let expected: Reading.Outcome =
            switch state {
            case 1: .measured(VitalValue(whole: 97), .good)
            case 0, 2: .noMeasurement(.offBody)
            default: .noMeasurement(.equipment)
            }
        #expect(bench.reports.contains(.reading(.oxygenSaturation, expected)))
        #expect(bench.waves.isEmpty == (state != 1))
        #expect(bench.waveStates.last == (state == 1 ? .streaming : .off))
    }

    @Test(
        "have no pulse where one description reads another one, or where it stands for none",
        arguments: [0, 255, 256, 318, 0xFFFF])
    func pulse(number: UInt16) {
        var bench = Self.connected()
        bench.receive(viatomAnswer(0x04, Self.data(pulse: number)), from: Self.uuid)
        #expect(bench.reports.contains(.reading(.pulseRate, .noMeasurement(.searching))))
    }

    @Test("that answer with an error, another command, too little or a wrong checksum send no values")
    func malformed() {
        var bench = Self.connected()
        bench.receive(viatomAnswer(0x04, Self.data(), flag: 0xFB), from: Self.uuid)
        bench.receive(viatomAnswer(0x10, []), from: Self.uuid)
        bench.receive([0xA5, 0xA5, 0x00], from: Self.uuid)
        #expect(bench.reportsBesideWaves.isEmpty)
        bench.receive(viatomAnswer(0x04, Array(Self.data().prefix(25))), from: Self.uuid)
        bench.receive(Array(viatomAnswer(0x04, Self.data()).dropLast()) + [0], from: Self.uuid)
        let malformed = bench.reports.filter { if case .malformed = $0 { true } else { false } }
        #expect(malformed.count == 2 && bench.reportsBesideWaves.count == 2)
        bench.receive(viatomAnswer(0x04, Self.data(samples: [20], announced: 60_000)), from: Self.uuid)
        #expect(bench.waves.map(\.samples.count) == [256])
        #expect(bench.waves.first?.samples.first == 180)
    }

    @Test("that are silent, or not worn for two minutes, are left alone")
    func sleeps() {
        var silent = Self.connected()
        silent.receive(viatomAnswer(0x04, Self.data()), from: Self.uuid)
        silent.wait(.seconds(20))
        #expect(silent.state == .finished)
        var idle = Self.connected(waves: [])
        for _ in 0..<62 {
            idle.receive(viatomAnswer(0x04, Self.data(contact: 0)), from: Self.uuid)
            idle.wait(.seconds(2))
        }
        #expect(idle.state == .finished)
    }

    @Test("that miss an answer begin their wave anew, without a loss that nobody counted")
    func missed() {
        var bench = Self.connected()
        bench.receive(viatomAnswer(0x04, Self.data(samples: [20])), from: Self.uuid)
        bench.wait(.seconds(2))
        bench.receive(viatomAnswer(0x04, Self.data(samples: [40])), from: Self.uuid)
        #expect(bench.waves.map(\.placement.isNewEpoch) == [false, true])
        #expect(bench.waves.map(\.placement.lost) == [0, 0])
    }
}
