import Base
import Glibc

/// The lengths of the parts of a simulated heart beat, in seconds.
///
/// | Origin | PR | QRS | QT |
/// |---|---|---|---|
/// | sinus | 100 ms + 60 ms × RR, 120 to 200 ms | 90 ms | 400 ms × ∛RR |
/// | ventricle | no P wave | 150 ms | 60 ms longer |
/// | fibrillation | no P wave | 90 ms | 400 ms × ∛RR |
///
/// RR is the usual interval in seconds, so QT is 400 ms at every rate once it is corrected by Fridericia's formula.
struct ElectrocardiogramIntervals: Hashable {
    /// From the beginning of the P wave to that of the QRS complex; `nil` without a P wave.
    var pr: Double?
    /// From the beginning of the QRS complex to its end.
    var qrs: Double
    /// From the beginning of the QRS complex to the end of the T wave.
    var qt: Double
    /// From the beginning of the QRS complex to the R peak.
    var rise: Double

    init(of beat: HeartBeat) {
        let interval = max(0.2, min(6, beat.usualInterval))
        qt = 0.4 * cbrt(interval)
        qrs = 0.09
        rise = 0.04
        switch beat.origin {
        case .sinus: pr = max(0.12, min(0.2, 0.1 + 0.06 * interval))
        case .fibrillation: pr = nil
        case .ventricle:
            pr = nil
            qrs = 0.15
            qt += 0.06
            rise = 0.07
        }
    }
}

/// A simulated electrocardiogram of one lead: what the heart itself makes, in millivolts.
///
/// Each wave begins and ends at a time of ``ElectrocardiogramIntervals`` and is 0 elsewhere, so that the intervals can be
/// measured in the signal.
enum Electrocardiogram {
    /// The greatest time before an R peak at which its beat is seen, and after it.
    private static let reach = (before: 0.35, after: 0.85)

    /// The potential at a time.
    ///
    /// - Parameters:
    ///   - seconds: The time, in seconds of the scenario.
    ///   - beats: The beats around it, in order.
    ///   - noise: The numbers of the fibrillation waves.
    static func millivolts(at seconds: Double, _ beats: [HeartBeat], _ noise: Noise) -> Double {
        var sum = 0.0
        var isFibrillating = false
        for beat in beats.reversed() {
            let distance = seconds - beat.seconds
            if distance > reach.after { break }
            if beat.origin == .fibrillation { isFibrillating = true }
            if distance > -reach.before { sum += millivolts(of: beat, at: distance) }
        }
        return isFibrillating ? sum + fibrillation(at: seconds, noise) : sum
    }

    /// The part of one beat, some seconds after its R peak.
    private static func millivolts(of beat: HeartBeat, at seconds: Double) -> Double {
        let intervals = ElectrocardiogramIntervals(of: beat)
        let begin = -intervals.rise
        var sum = 0.0
        if let pr = intervals.pr { sum += 0.15 * bump(seconds, from: begin - pr, to: begin - pr + min(0.1, pr - 0.02)) }
        let end = begin + intervals.qt
        if beat.origin == .ventricle {
            sum += 1.6 * bump(seconds, from: begin, to: -begin)
            sum -= 0.5 * bump(seconds, from: 0.02, to: begin + intervals.qrs)
            return sum - 0.4 * bump(seconds, from: end - 0.48 * intervals.qt, to: end, peak: 0.55)
        }
        sum -= 0.12 * bump(seconds, from: begin, to: begin + 0.03)
        sum += 1.2 * bump(seconds, from: -0.025, to: 0.025)
        sum -= 0.25 * bump(seconds, from: 0.01, to: begin + intervals.qrs)
        return sum + 0.3 * bump(seconds, from: end - 0.48 * intervals.qt, to: end, peak: 0.6)
    }

    /// The small, quick waves of fibrillating atria, some six a second.
    private static func fibrillation(at seconds: Double, _ noise: Noise) -> Double {
        let wander = noise.smooth(at: seconds * 1.3)
        let height = 0.06 * (1 + 0.4 * noise.stream(1).smooth(at: seconds * 0.7))
        return height * sin(2 * .pi * (6 * seconds + 0.4 * wander))
    }

    /// A smooth hill of height 1, which is 0 outside of its range.
    ///
    /// - Parameter peak: Where in the range its peak is, from 0 to 1.
    private static func bump(_ x: Double, from first: Double, to last: Double, peak: Double = 0.5) -> Double {
        guard x > first, x < last else { return 0 }
        let top = first + (last - first) * peak
        let phase = x < top ? (x - first) / (top - first) : (last - x) / (last - top)
        return 0.5 - 0.5 * cos(.pi * phase)
    }
}

extension Noise {
    /// A smooth curve through the numbers at whole places, from -1 to 1.
    func smooth(at place: Double) -> Double {
        let first = place.rounded(.down)
        let index = Int(max(-1e15, min(1e15, first)))
        let (left, right) = (value(at: index), value(at: index &+ 1))
        return left + (right - left) * (0.5 - 0.5 * cos(.pi * (place - first)))
    }
}
