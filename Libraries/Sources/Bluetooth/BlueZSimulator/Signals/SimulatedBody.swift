import Base
import Glibc

/// The body that a sensor is on: its heart, its breath and its movement.
///
/// All signals of a sensor are functions of it, so they belong together.
struct SimulatedBody {
    private(set) var heart: HeartBeats
    private(set) var breaths: Breaths
    private let noise: Noise

    init(noise: Noise) {
        self.noise = noise
        heart = HeartBeats(noise: noise.stream(0))
        breaths = Breaths()
    }

    /// Computes what happens up to a time; see ``HeartBeats/advance(to:rhythm:breath:rate:)``.
    mutating func advance(
        to seconds: Double, rhythm: HeartRhythm, respirationRate: (Double) -> Double, heartRate: (Double) -> Double
    ) {
        breaths.advance(to: seconds + 1, rate: respirationRate)
        let breaths = breaths
        heart.advance(to: seconds, rhythm: rhythm, breath: breaths.depth, rate: heartRate)
    }

    // MARK: Chest

    /// The potential between the electrodes of a strap, in microvolts.
    ///
    /// - Parameters:
    ///   - seconds: The time, in seconds of the scenario.
    ///   - amplitude: How high the heart's potential is; 1 for an R peak of 1.2 mV.
    ///   - motion: How much the strap is moved, from 0 to 1.
    ///   - mains: The hum of the mains in millivolts, at 50 Hz.
    func microvolts(at seconds: Double, amplitude: Double, motion: Double, mains: Double) -> Double {
        let breath = breaths.depth(at: seconds)
        var millivolts =
            amplitude * (1 + 0.1 * breath) * Electrocardiogram.millivolts(at: seconds, heart.beats, noise.stream(1))
        millivolts += 0.04 * breath
        if motion > 0 {
            // The electrodes slip slowly, and muscles are quick.
            millivolts += motion * 1.2 * noise.stream(2).smooth(at: seconds * 2.5)
            millivolts += motion * 0.3 * noise.stream(3).smooth(at: seconds * 45)
        }
        if mains != 0 { millivolts += mains * Self.hum(at: seconds) }
        return millivolts * 1000 + 3 * noise.stream(4).smooth(at: seconds * 90)
    }

    /// The potential of electrodes that touch nothing, in microvolts: it drifts, hums and is never flat.
    func openMicrovolts(at seconds: Double) -> Double {
        2500 * noise.stream(5).smooth(at: seconds * 0.6) + 180 * Self.hum(at: seconds)
            + 60 * noise.stream(6).smooth(at: seconds * 90)
    }

    private static func hum(at seconds: Double) -> Double { sin(2 * .pi * 50 * seconds) }

    /// The acceleration of a strap on a chest, in thousandths of g: gravity, breath, heart beats and movement.
    func acceleration(at seconds: Double, motion: Double, isWorn: Bool) -> (x: Double, y: Double, z: Double) {
        func rest(_ axis: Int, _ size: Double) -> Double { size * noise.stream(10 + axis).smooth(at: seconds * 40) }
        // It lies on a table.
        guard isWorn else { return (rest(0, 2), rest(1, 2), 1000 + rest(2, 2)) }
        let breath = breaths.depth(at: seconds)
        let knock = heart.beats.reversed().first { $0.seconds <= seconds }.map { beat -> Double in
            let age = seconds - beat.seconds
            return age < 0.25 ? 5 * sin(2 * .pi * 14 * age) * (1 - age / 0.25) : 0
        }
        func moved(_ axis: Int) -> Double {
            motion > 0 ? motion * 450 * noise.stream(20 + axis).smooth(at: seconds * 3) : 0
        }
        return (
            -60 + 4 * breath + rest(0, 2) + moved(0),
            -950 + 3 * breath + rest(1, 2) + moved(1),
            290 + 14 * breath + (knock ?? 0) + rest(2, 2) + moved(2)
        )
    }

    // MARK: Finger

    /// The pulse wave in a finger, from 0 to 100.
    ///
    /// - Parameters:
    ///   - seconds: The time, in seconds of the scenario.
    ///   - perfusion: The perfusion index in percent.
    ///   - motion: How much the finger is moved, from 0 to 1.
    func pulseWave(at seconds: Double, perfusion: Double, motion: Double) -> Double {
        let amplitude = Plethysmogram.amplitude(perfusion: perfusion)
        var wave = 12 + 2 * amplitude * breaths.depth(at: seconds)
        wave += 80 * amplitude * Plethysmogram.height(at: seconds, heart.beats)
        wave += 0.4 * noise.stream(30).smooth(at: seconds * 30)
        if motion > 0 {
            wave += motion * 45 * noise.stream(31).smooth(at: seconds * 2.5)
            wave += motion * 12 * noise.stream(32).smooth(at: seconds * 11)
        }
        return max(0, min(100, wave))
    }

    /// The time of the newest pulse in a finger, at or before a time; `nil` without one.
    func pulse(before seconds: Double) -> HeartBeat? {
        heart.beats.last { $0.seconds + Plethysmogram.transit <= seconds }
    }
}
