import Base
import Testing

@testable import BlueZSimulator

@Suite("The signals of a simulated body")
struct BodyTests {
    private static func sensor(_ fields: String) throws -> SimulatedPeripheral {
        let text = "{sensors: [{name: 'S', address: 'C0:52:49:00:00:02', \(fields)}]}"
        let scenario = try Scenario(json5: text, file: "x")
        return SimulatedPeripheral(scenario.sensors[0], noise: Noise(seed: 3), period: nil)
    }

    /// The times of the highest points of a signal, each more than a part of a second from the others.
    private static func peaks(
        _ samples: [(seconds: Double, value: Double)], above least: Double, apart: Double = 0.25
    ) -> [Double] {
        var peaks: [(seconds: Double, value: Double)] = []
        for sample in samples where sample.value > least {
            if let last = peaks.last, sample.seconds - last.seconds < apart {
                if sample.value > last.value { peaks[peaks.count - 1] = sample }
            } else {
                peaks.append(sample)
            }
        }
        return peaks.map(\.seconds)
    }

    /// Two minutes of a signal.
    private static func samples(
        _ sensor: SimulatedPeripheral, rate: Double, _ signal: (Double) -> Double
    ) -> [(seconds: Double, value: Double)] {
        (0..<Int(120 * rate)).map { index in
            let seconds = Double(index) / rate
            sensor.advanceBody(to: seconds)
            return (seconds, signal(seconds))
        }
    }

    @Test("the beats of the ECG are those of the RR intervals", arguments: ["normal", "ectopic", "fibrillation"])
    func sameBeats(rhythm: String) throws {
        let strap = try Self.sensor(
            "kind: 'heartRateStrap', electrocardiogram: true, rhythm: '\(rhythm)', heartRate: [[0, 60], [120, 90]]")
        var intervals: [Double] = []
        var potential: [(seconds: Double, value: Double)] = []
        for second in 0..<120 {
            for index in 0..<1000 {
                let seconds = Double(second) + Double(index) / 1000
                strap.advanceBody(to: seconds)
                potential.append((seconds, strap.microvolts(at: seconds)))
            }
            strap.nextSample(at: Double(second + 1))
            let octets = strap.octets(.heartRateMeasurement, at: Double(second + 1))
            // Flags and an eight-bit rate come before the intervals, in 1/1024 s.
            intervals += stride(from: 2, to: octets.count, by: 2).map {
                Double(UInt16(octets[$0]) | UInt16(octets[$0 + 1]) << 8) / 1024
            }
        }
        let peaks = Self.peaks(potential, above: 700)
        let measured = zip(peaks.dropFirst(), peaks).map { $0 - $1 }
        #expect(intervals.count > 120 && abs(intervals.count - measured.count) <= 1)
        for (interval, distance) in zip(intervals.reversed(), measured.reversed()) {
            #expect(abs(interval - distance) < 0.006)
        }
    }

    @Test("the pulse wave is as fast as the scripted pulse", arguments: [45.0, 72, 130])
    func pulse(rate: Double) throws {
        let ring = try Self.sensor("kind: 'oximeterRing', pulseRate: \(rate)")
        let wave = Self.samples(ring, rate: 100) { ring.pulseWave(at: $0) }
        let peaks = Self.peaks(wave, above: 60)
        #expect(abs(Double(peaks.count) / 2 - rate) <= 1.5)
    }

    @Test("a beat of the pulse wave rises quickly, and has a notch and a second peak")
    func notch() {
        let beat = (0..<100).map { Plethysmogram.height(at: Double($0) / 100) }
        let peaks = (1..<99).filter { beat[$0] > beat[$0 - 1] && beat[$0] >= beat[$0 + 1] }
        #expect(peaks == [15, 52])
        #expect((16..<52).min { beat[$0] < beat[$1] } == 42)
    }

    @Test("the pulse wave is as high as the perfusion allows")
    func perfusion() throws {
        func height(_ perfusion: Double) throws -> Double {
            let ring = try Self.sensor("kind: 'oximeterRing', pulseRate: 60, perfusion: \(perfusion)")
            let wave = Self.samples(ring, rate: 50) { ring.pulseWave(at: $0) }.map(\.value)
            return (wave.max() ?? 0) - (wave.min() ?? 0)
        }
        #expect(try height(4) > 70)
        #expect(try (5...16).contains(height(0.4)))
        #expect(try height(0) < 2)
    }

    @Test("breath is in the chest's acceleration, the height of R and the RR intervals at the scripted rate")
    func breath() throws {
        let strap = try Self.sensor(
            "kind: 'heartRateStrap', electrocardiogram: true, heartRate: 75, respirationRate: 12")
        let chest = Self.samples(strap, rate: 25) {
            strap.body.acceleration(at: $0, motion: 0, isWorn: true).z - 290
        }
        #expect(Self.peaks(chest, above: 10, apart: 2.5).count == 24)
        // Inhaled, R is a fifth higher than exhaled, and the next beat comes sooner.
        let beats = strap.body.heart.beats.dropFirst(4).dropLast(4)
        let inhaled = beats.filter { strap.body.breaths.depth(at: $0.seconds) > 0.8 }
        let exhaled = beats.filter { strap.body.breaths.depth(at: $0.seconds) < -0.8 }
        func height(_ beats: [HeartBeat]) -> Double {
            beats.map { strap.microvolts(at: $0.seconds) }.mean
        }
        #expect(height(inhaled) - height(exhaled) > 200)
        let fast = beats.filter { strap.body.breaths.depth(at: $0.seconds - $0.interval) > 0.8 }.map(\.interval)
        let slow = beats.filter { strap.body.breaths.depth(at: $0.seconds - $0.interval) < -0.8 }.map(\.interval)
        #expect(fast.mean < slow.mean - 0.03)
    }

    @Test("movement, mains and lost contact are seen in the ECG, and without contact there are no beats")
    func artefacts() throws {
        func spread(_ fields: String, _ change: (SimulatedPeripheral) -> Void = { _ in }) throws -> Double {
            let strap = try Self.sensor("kind: 'heartRateStrap', heartRate: 60, \(fields)")
            change(strap)
            // Between a T wave and the next P wave nothing but artefacts is left.
            var values: [Double] = []
            for _ in Self.samples(strap, rate: 1, { _ in 0 }) {}
            for beat in strap.body.heart.beats.dropFirst().dropLast(2) {
                values += (500..<700).map { strap.microvolts(at: beat.seconds + Double($0) / 1000) }
            }
            return values.deviation
        }
        #expect(try spread("electrocardiogram: true") < 40)
        #expect(try spread("electrocardiogram: {mains: 0.3}") > 150)
        #expect(try spread("electrocardiogram: true, motion: 1") > 300)
        #expect(try spread("electrocardiogram: true") { $0.constants["motion"] = 1 } > 300)
        let strap = try Self.sensor("kind: 'heartRateStrap', heartRate: 60, electrocardiogram: true")
        strap.isOnBody = false
        let open = Self.samples(strap, rate: 130) { strap.microvolts(at: $0) }
        let steps = zip(open.dropFirst(), open).map { abs($0.value - $1.value) }
        #expect((steps.max() ?? 0) < 700)
        #expect(!zip(steps, steps.dropFirst()).contains { $0 == 0 && $1 == 0 })
    }

    @Test("a strap without an ECG sends the intervals that it always sent")
    func withoutElectrocardiogram() throws {
        let strap = try Self.sensor("kind: 'heartRateStrap', heartRate: 72")
        for second in 1...10 { strap.nextSample(at: Double(second)) }
        #expect(strap.octets(.heartRateMeasurement, at: 10) == [0x16, 0x48, 0x55, 0x03])
    }
}
