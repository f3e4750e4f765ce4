import SensorDrivers
import TestSupport
import Testing
import VitalDecoders
import Vitals
import Waves

@testable import KnownSensors
@testable import Sensors

@Suite("Waves of oximeters that send them by themselves")
struct OximeterWaveTests {
    private static let missing = WavePiece.missing

    private static func connected<Driver: SensorDriver>(
        _ driver: Driver.Type, _ attributes: [DriverAttribute], isWanted: Bool = true
    ) -> DriverBench {
        var bench = DriverBench(driver, waves: isWanted ? [.plethysmogram] : [])
        bench.connect(attributes)
        return bench
    }

    // MARK: FS20F

    private static func sample(_ value: UInt8, flags: UInt8 = 0, counter: UInt8) -> [UInt8] {
        let body: [UInt8] = [0x08, 0x56, value, flags, value / 7, counter]
        return [0xFE] + body + [Checksum.sum(body)]
    }

    @Test("FS20F: frames of a device, split over notifications")
    func fingertip() {
        var bench = Self.connected(FingertipOximeterDriver.self, Attributes.fingertip)
        let uuid = FingertipOximeterDriver.characteristic
        for notification in [
            "FE 08 56 3A 00 09 13 B4", "FE 08 56 35 00 08 14 AF FE 0A 55 00 4F 63 14 BF 39 1D FE 08",
            "56 31 00 07 15 AB",
        ] { bench.receive(octets(notification), from: uuid) }
        #expect(bench.waves.map(\.samples) == [[0x3A], [0x35], [0x31]])
        #expect(bench.waves.map(\.placement.first) == [0, 20_000_000, 40_000_000])
        #expect(bench.waves.allSatisfy { $0.placement.lost == 0 && !$0.placement.isNewEpoch })
        #expect(bench.waveStates == [.wanted, .streaming])
        #expect(
            bench.reportsBesideWaves == [
                .reading(.oxygenSaturation, .measured(VitalValue(whole: 99), .good)),
                .reading(.pulseRate, .measured(VitalValue(whole: 79), .good)),
                .reading(.perfusionIndex, .measured(VitalValue(hundredths: 531), .good)),
            ])
    }

    @Test(
        "FS20F: a gap in the counter is a loss; a frame with a wrong checksum is malformed and lost; flag 2 is nothing")
    func fingertipLoss() {
        var bench = Self.connected(FingertipOximeterDriver.self, Attributes.fingertip)
        let uuid = FingertipOximeterDriver.characteristic
        bench.receive(Self.sample(10, counter: 254) + Self.sample(11, flags: 4, counter: 255), from: uuid)
        bench.wait(.milliseconds(100))
        bench.receive(Self.sample(12, counter: 0) + Self.sample(15, counter: 3), from: uuid)
        var wrong = Self.sample(16, counter: 4)
        wrong[3] = 17
        bench.receive(wrong + Self.sample(18, counter: 5), from: uuid)
        #expect(bench.waves.map(\.samples) == [[10, 11], [12], [15], [18]])
        #expect(bench.waves.map(\.placement.lost) == [0, 0, 2, 1])
        let malformed = bench.reports.filter { if case .malformed = $0 { true } else { false } }
        #expect(malformed.count == 1)
    }

    @Test("FS20F: without the finger there is no wave, and what comes with it again is a new one without a loss")
    func fingertipOff() {
        var bench = Self.connected(FingertipOximeterDriver.self, Attributes.fingertip)
        let uuid = FingertipOximeterDriver.characteristic
        bench.receive(Self.sample(50, counter: 1) + Self.sample(0, flags: 2, counter: 2), from: uuid)
        for counter in 3..<80 {
            bench.wait(.milliseconds(20))
            bench.receive(Self.sample(0, flags: 2, counter: UInt8(counter)), from: uuid)
        }
        bench.receive(Self.sample(51, counter: 80), from: uuid)
        #expect(bench.waveStates == [.wanted, .streaming, .off, .streaming])
        #expect(bench.waves.map(\.samples) == [[50], [51]])
        #expect(bench.waves.map(\.placement.isNewEpoch) == [false, true])
        #expect(bench.waves.map(\.placement.lost) == [0, 0])
    }

    // MARK: BCI

    private static func packet(_ sample: UInt8, beeps: Bool = false) -> [UInt8] {
        [0x88 | (beeps ? 0x40 : 0), sample, 0x03, 0x48, 0x61]
    }

    @Test("BCI: a sample a packet, 0 and a packet that is cut short are none, a beat is the beginning of a beep")
    func bci() {
        var bench = Self.connected(BCIOximeterDriver.self, Attributes.bci)
        let uuid = BCIOximeterDriver.characteristic
        // It is not known whether the first one begins.
        bench.receive(Self.packet(40, beeps: true) + Self.packet(41) + Self.packet(42, beeps: true), from: uuid)
        bench.wait(.milliseconds(30))
        let cut = Array(Self.packet(44).prefix(3))
        bench.receive(Self.packet(43, beeps: true) + Self.packet(0) + cut + Self.packet(45, beeps: true), from: uuid)
        bench.wait(.milliseconds(40))
        bench.receive(Self.packet(46) + Self.packet(100, beeps: true), from: uuid)
        #expect(bench.waves.map(\.samples) == [[40, 41, 42], [43, Self.missing, Self.missing, 45], [46, 100]])
        #expect(bench.waves.map(\.beats) == [[2], [], [1]])
        #expect(bench.waves.map(\.placement.first) == [0, 30_000_000, 70_000_000])
        #expect(bench.waves.allSatisfy { $0.placement.lost == 0 })
    }

    @Test("BCI: without a probe or a finger there is no wave, no packet of it that is cut short, and no beep begins")
    func bciOff() {
        var bench = Self.connected(BCIOximeterDriver.self, Attributes.bci)
        let uuid = BCIOximeterDriver.characteristic
        let off: [UInt8] = [0xA0, 30, 0x13, 0x7F, 0x7F]
        bench.receive(Self.packet(40) + off + [0x88, 20] + Self.packet(41, beeps: true), from: uuid)
        #expect(bench.waves.map(\.samples) == [[40], [41]])
        #expect(bench.waves.map(\.beats) == [[], []])
        #expect(bench.waveStates == [.wanted, .streaming, .off, .streaming])
    }

    // MARK: Nonin

    private static func pleth(_ counter: UInt16, _ first: UInt16) -> [UInt8] {
        let words = (0..<25).map { first &+ $0 } + [counter]
        return [53] + words.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    private static let worn: [UInt8] = [10, 0x10, 30, 0, 50, 0, 1, 97, 0, 72]

    @Test("Nonin: 25 samples a value, whose loss the counter tells")
    func nonin() {
        var bench = Self.connected(NoninOximeterDriver.self, Attributes.nonin)
        let uuid = NoninOximeterDriver.plethysmogram
        bench.receive(Self.worn, from: NoninOximeterDriver.characteristic)
        bench.receive(Self.pleth(0xFFFF, 32_000), from: uuid)
        bench.wait(.milliseconds(333))
        bench.receive(Self.pleth(0, 0xFF00), from: uuid)
        bench.wait(.milliseconds(999))
        bench.receive(Self.pleth(3, 1), from: uuid)
        #expect(bench.waves.map(\.samples) == [32_000, 0xFF00, 1].map { first in (0..<25).map { first + $0 } })
        #expect(bench.waves.map(\.placement.lost) == [0, 0, 50])
        #expect(bench.waveStates == [.wanted, .streaming])
        bench.receive([52] + Self.pleth(4, 1).dropFirst(), from: uuid)
        guard case .malformed? = bench.reports.last else {
            Issue.record("\(bench.reports)")
            return
        }
    }

    @Test("Nonin: no wave without a finger, and a sentence for a model without the characteristic")
    func noninOff() {
        var bench = Self.connected(NoninOximeterDriver.self, Attributes.nonin)
        bench.receive([10, 0x00, 30, 0, 50, 0, 1, 127, 1, 255], from: NoninOximeterDriver.characteristic)
        bench.receive(Self.pleth(7, 1), from: NoninOximeterDriver.plethysmogram)
        #expect(bench.waves.isEmpty)
        #expect(bench.waveStates == [.wanted, .off])
        var old = Self.connected(NoninOximeterDriver.self, Array(Attributes.nonin.prefix(1)))
        old.receive(Self.worn, from: NoninOximeterDriver.characteristic)
        #expect(old.waveStates == [.refused("This model does not send its plethysmogram.")])
        #expect(old.state == .streaming)
    }

    // MARK: All of them

    @Test("report none that nobody wants, and the same values with and without it")
    func unwanted() {
        var random = SeededGenerator(seed: 5)
        let fingertip = (0..<100).flatMap { Self.sample(UInt8($0), flags: $0 % 30 == 7 ? 2 : 0, counter: UInt8($0)) }
        let bci = (0..<100).flatMap { Self.packet(UInt8($0), beeps: $0 % 7 == 0) }
        func compare<Driver: SensorDriver>(
            _ driver: Driver.Type, _ attributes: [DriverAttribute], _ uuid: BluetoothUUID, _ stream: [UInt8]
        ) {
            var (with, without) = (
                Self.connected(driver, attributes), Self.connected(driver, attributes, isWanted: false)
            )
            var rest = stream[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(Int.random(in: 1...20, using: &random)))
                rest = rest.dropFirst(piece.count)
                with.receive(piece, from: uuid)
                without.receive(piece, from: uuid)
            }
            #expect(!with.waves.isEmpty)
            #expect(without.reports == with.reportsBesideWaves)
        }
        compare(
            FingertipOximeterDriver.self, Attributes.fingertip, FingertipOximeterDriver.characteristic, fingertip)
        compare(BCIOximeterDriver.self, Attributes.bci, BCIOximeterDriver.characteristic, bci)
    }
}
