import Base
import Glibc

/// A simulated pulse wave: how the light that a finger lets through changes with each beat.
///
/// A beat rises in 15 % of its time, falls, has its dicrotic notch at 42 % and a second, lower peak at 52 %. All parts
/// follow the beats, so the wave is as fast as the pulse.
enum Plethysmogram {
    /// The seconds from an R peak to the foot of its pulse wave in a finger.
    static let transit = 0.2
    /// The points of a beat: the part of the time up to the next one, and the height.
    static let shape = [(0.0, 0.0), (0.15, 1.0), (0.42, 0.42), (0.52, 0.5), (1.0, 0.0)]

    /// The height of the wave at a time, from 0 to 1, as a beat with full perfusion reaches it.
    ///
    /// - Parameters:
    ///   - seconds: The time, in seconds of the scenario.
    ///   - beats: The beats around it, in order.
    static func height(at seconds: Double, _ beats: [HeartBeat]) -> Double {
        let moment = seconds - transit
        guard let index = beats.lastIndex(where: { $0.seconds <= moment }) else { return 0 }
        let beat = beats[index]
        let next = beats.index(after: index) < beats.endIndex ? beats[index + 1].interval : beat.interval
        // An early beat moves less blood, as the heart has had less time to fill.
        let filling = min(1, beat.interval / max(0.2, beat.usualInterval))
        return height(at: (moment - beat.seconds) / max(0.2, min(2, next))) * filling
    }

    /// The height at a part of a beat, from 0 to 1.
    static func height(at phase: Double) -> Double {
        guard phase < 1, let next = shape.firstIndex(where: { $0.0 > phase }), next > 0 else { return 0 }
        let (from, to) = (shape[next - 1], shape[next])
        return from.1 + (to.1 - from.1) * (0.5 - 0.5 * cos(.pi * (phase - from.0) / (to.0 - from.0)))
    }

    /// How high the wave is for a perfusion index in percent: full from 4 %, and in proportion below it.
    static func amplitude(perfusion: Double) -> Double { max(0, min(1, perfusion / 4)) }
}
