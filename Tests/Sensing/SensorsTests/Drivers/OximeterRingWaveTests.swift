import SensorDrivers
import Testing
import VitalDecoders
import Vitals
import Waves

@testable import KnownSensors
@testable import Sensors

@Suite("The plethysmogram of oximeter rings")
struct OximeterRingWaveTests {
    private static let uuid = OximeterRingDriver.notifying
    private static let values = OximeterRingDriver.Poll.values.octets
    private static let wave = OximeterRingDriver.Poll.wave.octets
    private static let missing = WavePiece.missing

    private static func answer(_ data: [UInt8], result: UInt8 = 0) -> [UInt8] {
        let octets = [0x55, result, ~result, 0, 0, UInt8(data.count & 255), UInt8(data.count >> 8)] + data
        return octets + [Checksum.crc8(octets)]
    }

    private static func valuesAnswer(lead: UInt8 = 1) -> [UInt8] {
        answer([97, 60, 0, 16, 0, 0, 0, 85, 1, 3, 25, lead, 0])
    }

    private static func waveAnswer(_ samples: [UInt8], lead: UInt8 = 1, announced: UInt8? = nil) -> [UInt8] {
        answer([98, 61, 0, 84, 0, 25, lead, 0, 0, 0, announced ?? UInt8(samples.count), 0] + samples)
    }

    /// A ring that has answered its first poll, so that the second one is for the wave.
    private static func connected(waves: Set<WaveKind> = [.plethysmogram]) -> DriverBench {
        var bench = DriverBench(OximeterRingDriver.self, waves: waves)
        bench.connect(Attributes.ring)
        bench.receive(valuesAnswer(), from: uuid)
        bench.wait(.seconds(1))
        return bench
    }

    private static func saturations(_ bench: DriverBench) -> Int {
        bench.reports.count { if case .reading(.oxygenSaturation, .measured, _) = $0 { true } else { false } }
    }

    private static let present: [DriverAction] = [
        .battery(85), .reading(.oxygenSaturation, .measured(VitalValue(whole: 97), .good)),
        .reading(.pulseRate, .measured(VitalValue(whole: 60), .good)),
        .reading(.perfusionIndex, .measured(VitalValue(hundredths: 250), .good)),
    ]

    @Test("is asked for with the values, once a second and instead of them")
    func polled() {
        var bench = Self.connected()
        for _ in 0..<5 {
            bench.receive(Self.waveAnswer([20, 40]), from: Self.uuid)
            bench.wait(.seconds(1))
        }
        #expect(
            bench.written(to: OximeterRingDriver.writing) == [Self.values] + Array(repeating: Self.wave, count: 6))
        #expect(Self.saturations(bench) == 6)
        #expect(bench.waves.map(\.samples) == Array(repeating: [180, 160], count: 5))
        #expect(bench.waveStates == [.wanted, .streaming])
    }

    @Test("is not asked for where nobody wants it")
    func unwanted() {
        var bench = Self.connected(waves: [.electrocardiogram])
        bench.wait(.seconds(1))
        for _ in 0..<5 {
            bench.receive(Self.valuesAnswer(), from: Self.uuid)
            bench.wait(.seconds(2))
        }
        #expect(Set(bench.written(to: OximeterRingDriver.writing)) == [Self.values])
        #expect(bench.waveStates.isEmpty && bench.waves.isEmpty)
    }

    @Test("is decoded with its values: 97 %, 60, battery 85, index 2.5, samples 10, 20, none, 40 and 50")
    func vector() {
        let answer = octets(
            "55 00 FF 00 00 11 00 61 3C 00 55 01 19 01 00 00 00 05 00 0A 14 9C 28 32 0E")
        var bench = Self.connected()
        let before = bench.reportsBesideWaves.count
        for start in stride(from: 0, to: answer.count, by: 20) {
            bench.receive(Array(answer[start..<min(answer.count, start + 20)]), from: Self.uuid)
        }
        #expect(Array(bench.reportsBesideWaves.dropFirst(before)) == Self.present)
        #expect(bench.waves.map(\.samples) == [[190, 180, Self.missing, 160, 150]])
    }

    @Test("may have more than a second's samples after a late poll", arguments: [125, 126, 150, 243, 244, 255])
    func long(count: Int) {
        var bench = Self.connected()
        let answer = Self.waveAnswer(Array(repeating: 60, count: count))
        for start in stride(from: 0, to: answer.count, by: 20) {
            bench.receive(Array(answer[start..<min(answer.count, start + 20)]), from: Self.uuid)
        }
        #expect(bench.waves.map(\.samples.count) == [count])
        #expect(Self.saturations(bench) == 2)
    }

    @Test("is not in the answer of the values: 97 %, 60, battery 85, index 2.5")
    func valuesVector() {
        var bench = DriverBench(OximeterRingDriver.self, waves: [.plethysmogram])
        bench.connect(Attributes.ring)
        bench.receive(Self.answer(octets("61 3C 00 10 00 00 00 55 01 03 19 01")), from: Self.uuid)
        #expect(bench.reportsBesideWaves == Self.present)
    }

    @Test("is given up where the ring answers with an error, and its values are asked for at once")
    func error() {
        var bench = Self.connected()
        bench.receive(Self.answer([], result: 1), from: Self.uuid)
        #expect(bench.written(to: OximeterRingDriver.writing) == [Self.values, Self.wave, Self.values])
        for _ in 0..<5 {
            bench.receive(Self.valuesAnswer(), from: Self.uuid)
            bench.wait(.seconds(2))
        }
        #expect(bench.written(to: OximeterRingDriver.writing).count { $0 == Self.wave } == 1)
        #expect(Self.saturations(bench) == 6)
        guard case .refused? = bench.waveStates.last else {
            Issue.record("\(bench.waveStates)")
            return
        }
    }

    @Test(
        "is given up after three polls that are not answered; values come every three seconds meanwhile, then every two"
    )
    func silent() {
        var bench = Self.connected()
        var (asked, latest) = (bench.written(to: OximeterRingDriver.writing).count, bench.now)
        var longest = Duration.zero
        for _ in 0..<300 {
            bench.wait(.milliseconds(100))
            let written = bench.written(to: OximeterRingDriver.writing)
            guard written.count > asked else { continue }
            asked = written.count
            guard written.last == Self.values else { continue }
            longest = max(longest, bench.now.since(latest))
            latest = bench.now
            bench.receive(Self.valuesAnswer(), from: Self.uuid)
        }
        #expect(bench.written(to: OximeterRingDriver.writing).count { $0 == Self.wave } == 3)
        #expect(longest <= .seconds(2))
        #expect(bench.state == .streaming)
        guard case .refused? = bench.waveStates.last else {
            Issue.record("\(bench.waveStates)")
            return
        }
    }

    @Test("that is answered late is known by its form, and the values' answer is, too")
    func late() {
        var bench = Self.connected()
        bench.wait(.seconds(1))
        #expect(bench.written(to: OximeterRingDriver.writing).last == Self.values)
        bench.receive(Self.waveAnswer(Array(repeating: 60, count: 125)), from: Self.uuid)
        bench.receive(Self.valuesAnswer(), from: Self.uuid)
        bench.wait(.seconds(1))
        #expect(bench.written(to: OximeterRingDriver.writing).last == Self.wave)
        // And the other way round.
        bench.receive(Self.valuesAnswer(), from: Self.uuid)
        let absences = bench.reports.count { if case .reading(_, .noMeasurement, _) = $0 { true } else { false } }
        #expect(absences == 0)
        #expect(Self.saturations(bench) == 4)
        #expect(bench.waves.map(\.samples.count) == [125])
    }

    @Test("that comes in part, and too late, does not spoil the values after it", arguments: [0x55, 0x00, 0xFF])
    func rest(sample: UInt8) {
        var bench = Self.connected()
        let answer = Self.waveAnswer(Array(repeating: sample, count: 125))
        bench.receive(Array(answer.prefix(60)), from: Self.uuid)
        bench.wait(.seconds(1))
        bench.receive(Array(answer.dropFirst(60)), from: Self.uuid)
        let before = Self.saturations(bench)
        bench.receive(Self.valuesAnswer(), from: Self.uuid)
        #expect(Self.saturations(bench) == before + 1)
    }

    @Test("with fewer samples than announced is malformed; those that are there are kept, the others are a gap")
    func cut() {
        var bench = Self.connected()
        bench.receive(Self.waveAnswer([20, 40], announced: 5), from: Self.uuid)
        #expect(bench.waves.map(\.samples) == [[180, 160, Self.missing, Self.missing, Self.missing]])
        #expect(Self.saturations(bench) == 2)
        let malformed = bench.reports.filter { if case .malformed = $0 { true } else { false } }
        #expect(malformed.count == 1)
    }

    @Test("ends while the ring is not worn, which is asked for its values only")
    func off() {
        var bench = Self.connected()
        bench.receive(Self.waveAnswer([20, 40]), from: Self.uuid)
        bench.wait(.seconds(1))
        // What its wave says of that is only a reason to ask for the values at once.
        bench.receive(Self.waveAnswer([20, 40], lead: 0), from: Self.uuid)
        #expect(bench.waveStates == [.wanted, .streaming])
        #expect(bench.written(to: OximeterRingDriver.writing).last == Self.values)
        bench.receive(Self.valuesAnswer(lead: 0), from: Self.uuid)
        #expect(bench.waveStates == [.wanted, .streaming, .off])
        bench.wait(.seconds(2))
        #expect(bench.written(to: OximeterRingDriver.writing).last == Self.values)
        bench.receive(Self.valuesAnswer(), from: Self.uuid)
        bench.wait(.seconds(1))
        #expect(bench.written(to: OximeterRingDriver.writing).last == Self.wave)
        bench.receive(Self.waveAnswer([60]), from: Self.uuid)
        #expect(bench.waves.map(\.placement.isNewEpoch) == [false, true])
        #expect(bench.waves.map(\.placement.lost) == [0, 0])
    }

    @Test("does not keep a ring awake that nobody wears")
    func sleeps() {
        var bench = Self.connected()
        for _ in 0..<62 {
            bench.receive(Self.valuesAnswer(lead: 0), from: Self.uuid)
            bench.wait(.seconds(2))
        }
        #expect(bench.state == .finished)
    }
}
