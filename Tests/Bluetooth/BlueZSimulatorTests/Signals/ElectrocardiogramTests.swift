import Base
import Testing

@testable import BlueZSimulator

@Suite("The electrocardiogram of a simulated heart")
struct ElectrocardiogramTests {
    private static let noise = Noise(seed: 5)

    /// A minute of beats at a constant rate, without breath.
    private static func beats(_ rhythm: HeartRhythm, rate: Double) -> [HeartBeat] {
        var heart = HeartBeats(noise: noise)
        var beats: [HeartBeat] = []
        for second in 1...60 {
            heart.advance(to: Double(second), rhythm: rhythm, breath: { _ in 0 }, rate: { _ in rate })
            beats += heart.beats(after: beats.last?.seconds ?? -1, through: Double(second))
        }
        return beats
    }

    /// The parts around a beat in which the signal is not 0, in seconds from the R peak, to a millisecond.
    private static func waves(around beat: HeartBeat, _ beats: [HeartBeat]) -> [ClosedRange<Double>] {
        var waves: [ClosedRange<Double>] = []
        for millisecond in -260...650 {
            let place = Double(millisecond) / 1000
            guard abs(Electrocardiogram.millivolts(at: beat.seconds + place, beats, noise)) > 0.002 else { continue }
            // The signal crosses 0 within a QRS complex.
            if let last = waves.last, place - last.upperBound < 0.012 {
                waves[waves.count - 1] = last.lowerBound...place
            } else {
                waves.append(place...place)
            }
        }
        return waves
    }

    @Test("its PR, QRS and QT, measured in the signal, are those of the table", arguments: [50.0, 60, 72, 100, 125])
    func intervals(rate: Double) throws {
        let beats = Self.beats(.normal, rate: rate)
        let waves = Self.waves(around: beats[10], beats)
        let complex = try #require(waves.firstIndex { $0.contains(0) })
        try #require(complex > 0 && complex + 1 < waves.count)
        let (p, qrs, t) = (waves[complex - 1], waves[complex], waves[complex + 1])
        let expected = min(0.2, max(0.12, 0.1 + 0.06 * 60 / rate))
        #expect(abs(qrs.lowerBound - p.lowerBound - expected) < 0.006)
        #expect(abs(qrs.upperBound - qrs.lowerBound - 0.09) < 0.006)
        // QT corrected by Fridericia's formula.
        let corrected = (t.upperBound - qrs.lowerBound) * (rate / 60).root(3)
        #expect(abs(corrected - 0.4) < 0.008)
    }

    @Test("its R peak is where the beat is, and higher than everything else")
    func peak() {
        let beats = Self.beats(.normal, rate: 60)
        let beat = beats[10]
        let samples = (-400...500).map {
            Electrocardiogram.millivolts(at: beat.seconds + Double($0) / 1000, beats, Self.noise)
        }
        #expect(samples.indices.max { samples[$0] < samples[$1] } == 400)
        #expect(abs(samples[400] - 1.2) < 0.001)
    }

    @Test("an ectopic beat is early, wide and without a P wave, and its pause makes up for it")
    func ectopic() throws {
        let beats = Self.beats(.ectopic, rate: 60)
        let places = beats.indices.filter { beats[$0].origin == .ventricle }
        #expect((8...11).contains(places.count))
        for place in places.dropLast() {
            #expect(abs(beats[place].interval - 0.62) < 1e-9 && abs(beats[place + 1].interval - 1.38) < 1e-9)
        }
        let beat = beats[try #require(places.first)]
        let waves = Self.waves(around: beat, beats)
        let complex = try #require(waves.first { $0.contains(0) })
        #expect(abs(complex.upperBound - complex.lowerBound - 0.15) < 0.006)
        // What is before it is the T wave of the beat before: nothing begins within 200 ms.
        #expect(!waves.contains { $0.lowerBound < -0.08 && $0.lowerBound > -0.25 })
    }

    @Test("fibrillation has irregular intervals around the scripted rate, waves instead of P waves, and no P wave")
    func fibrillation() {
        let beats = Self.beats(.fibrillation, rate: 90)
        let intervals = beats.map(\.interval)
        #expect(abs(60 / intervals.mean - 90) < 4)
        #expect((0.15...0.3).contains(intervals.deviation / intervals.mean))
        #expect(beats.allSatisfy { ElectrocardiogramIntervals(of: $0).pr == nil })
        // The mean of all beats has nothing where P waves are, because the small waves have no fixed place.
        let lead = (-140 ... -50).map { millisecond in
            beats.dropFirst().dropLast().map {
                Electrocardiogram.millivolts(at: $0.seconds + Double(millisecond) / 1000, beats, Self.noise)
            }.mean
        }
        #expect(lead.allSatisfy { abs($0) < 0.05 })
        let quiet = Electrocardiogram.millivolts(at: 30, [], Self.noise)
        #expect(quiet == 0)
    }

    @Test("without a rate there are no beats, and they begin again with one")
    func pause() {
        var heart = HeartBeats(noise: Self.noise)
        let rate = { (seconds: Double) in (20..<30).contains(seconds) ? 0.0 : 60 }
        for second in 1...40 {
            heart.advance(to: Double(second), rhythm: .normal, breath: { _ in 0 }, rate: rate)
        }
        let times = heart.beats.map(\.seconds)
        #expect(!times.contains { (22..<30).contains($0) })
        #expect(times.contains { $0 > 39 } && times.contains { $0 < 20 })
        #expect(heart.beats.allSatisfy { $0.interval < 1.2 })
    }

    @Test("any time, rate and depth of breath give finite signals")
    func anything() {
        for index in 0..<500 {
            let wild = Noise(seed: UInt64(index))
            var body = SimulatedBody(noise: wild)
            let rhythm = HeartRhythm.allCases[index % 3]
            var seconds = 0.0
            for step in 0..<20 {
                seconds += max(0, wild.value(at: step)) * (step % 7 == 0 ? 1e6 : 3)
                body.advance(
                    to: seconds, rhythm: rhythm, respirationRate: { _ in 60 * wild.value(at: 100 + step) },
                    heartRate: { _ in 400 * wild.value(at: 200 + step) })
                let acceleration = body.acceleration(at: seconds, motion: 1, isWorn: true)
                #expect(body.microvolts(at: seconds, amplitude: 1, motion: 1, mains: 1).isFinite)
                #expect((acceleration.x + acceleration.y + acceleration.z).isFinite)
                #expect((0...100).contains(body.pulseWave(at: seconds, perfusion: 20, motion: 1)))
                #expect(body.heart.beats.count <= HeartBeats.capacity)
            }
        }
    }
}

extension Double {
    /// The root of an order.
    fileprivate func root(_ order: Int) -> Double {
        var (low, high) = (0.0, 1 + self)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            var power = 1.0
            for _ in 0..<order { power *= middle }
            if power < self { low = middle } else { high = middle }
        }
        return low
    }
}
