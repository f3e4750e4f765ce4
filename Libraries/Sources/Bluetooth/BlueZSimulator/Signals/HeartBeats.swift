import Base
import Glibc

/// How a simulated heart beats; the raw value is the word in a scenario.
enum HeartRhythm: String, CaseIterable, Hashable, Sendable {
    case normal
    /// Every sixth beat is a ventricle's: early, wide, and followed by a compensatory pause.
    case ectopic
    /// Atrial fibrillation: irregular, and without P waves.
    case fibrillation
}

/// A beat of a simulated heart.
struct HeartBeat: Hashable, Sendable {
    enum Origin: Hashable, Sendable {
        case sinus, ventricle
        /// Conducted from fibrillating atria.
        case fibrillation
    }

    /// The time of its R peak, in seconds of the scenario.
    var seconds: Double
    /// The seconds since the beat before it, or since the end of a pause without beats.
    var interval: Double
    /// The seconds between two beats at the scripted rate, which its waves' lengths follow.
    var usualInterval: Double
    var origin: Origin
}

/// The beats of a simulated heart, computed one after another as far as they are needed.
///
/// Whatever a sensor sends of the heart is made from the same beats: its RR intervals, its ECG and its pulse wave.
struct HeartBeats {
    /// The newest beats in order, at most ``capacity``.
    private(set) var beats: [HeartBeat] = []
    private let noise: Noise
    /// The number of beats so far.
    private var count = 0
    /// The time up to which all beats are known: that of the newest one, or the end of a pause.
    private var horizon: Double

    /// The beats that are kept: 13 s of the fastest heart.
    static let capacity = 64
    /// The ends of the rate at which there are beats, in beats a minute.
    static let rates = 10.0...300.0
    /// The seconds beyond the present for which beats are known: the P wave of a beat begins before its R peak.
    private static let foresight = 0.5
    /// The seconds before the present in which beats are computed at the first use, or after a long pause.
    private static let hindsight = 10.0

    init(noise: Noise, from seconds: Double = 0) {
        self.noise = noise
        horizon = seconds
    }

    /// Computes the beats up to a time, and those whose P wave has begun by then.
    ///
    /// - Parameters:
    ///   - seconds: The time, in seconds of the scenario.
    ///   - rhythm: The rhythm of the beats that are not computed yet.
    ///   - breath: The depth of the breath at a time, from -1 to 1: the heart is faster while air comes in.
    ///   - rate: The beats a minute at a time; outside of ``rates`` there are none.
    mutating func advance(
        to seconds: Double, rhythm: HeartRhythm, breath: (Double) -> Double, rate: (Double) -> Double
    ) {
        if horizon < seconds - Self.hindsight { horizon = seconds - Self.hindsight }
        while horizon < seconds + Self.foresight {
            let rate = rate(horizon)
            guard Self.rates.contains(rate) else {
                horizon += Self.foresight
                continue
            }
            append(usual: 60 / rate, rhythm, breath(horizon))
        }
        if beats.count > Self.capacity { beats.removeFirst(beats.count - Self.capacity) }
    }

    private mutating func append(usual: Double, _ rhythm: HeartRhythm, _ breath: Double) {
        count += 1
        var origin = HeartBeat.Origin.sinus
        var interval = usual
        switch rhythm {
        case .normal: interval = usual * (1 - 0.03 * breath) + 0.008 * noise.value(at: count)
        case .ectopic:
            // An early beat and its pause together are as long as two usual intervals.
            if count % Self.ectopicEvery == 0 { (origin, interval) = (.ventricle, usual * Self.prematurity) }
            if beats.last?.origin == .ventricle { interval = usual * (2 - Self.prematurity) }
        case .fibrillation:
            origin = .fibrillation
            interval = usual * (1 + 0.35 * noise.value(at: 2 * count) + 0.1 * noise.value(at: 2 * count + 1))
        }
        // A beat cannot follow another within the refractory period.
        interval = max(min(0.2, usual), interval)
        horizon += interval
        beats.append(HeartBeat(seconds: horizon, interval: interval, usualInterval: usual, origin: origin))
    }

    /// Which beat of the rhythm ``HeartRhythm/ectopic`` is a ventricle's.
    static let ectopicEvery = 6
    /// How early it comes: its interval as a part of the usual one.
    static let prematurity = 0.62

    /// The beats in a half-open range of time.
    func beats(after first: Double, through last: Double) -> ArraySlice<HeartBeat> {
        let end = beats.lastIndex { $0.seconds <= last }.map { $0 + 1 } ?? 0
        let start = beats[..<end].lastIndex { $0.seconds <= first }.map { $0 + 1 } ?? 0
        return beats[start..<end]
    }
}

/// The breaths of a simulated chest, computed one after another as far as they are needed.
struct Breaths {
    private var breaths: [(start: Double, end: Double)] = []
    private var horizon: Double

    /// The ends of the rate at which there are breaths, in breaths a minute.
    static let rates = 2.0...80.0
    private static let capacity = 48
    /// The part of a breath in which air comes in.
    static let inspiration = 0.4
    private static let foresight = 2.0
    private static let hindsight = 12.0

    init(from seconds: Double = 0) { horizon = seconds }

    /// Computes the breaths up to a time.
    ///
    /// - Parameters:
    ///   - seconds: The time, in seconds of the scenario.
    ///   - rate: The breaths a minute at a time; outside of ``rates`` there are none.
    mutating func advance(to seconds: Double, rate: (Double) -> Double) {
        if horizon < seconds - Self.hindsight { horizon = seconds - Self.hindsight }
        while horizon < seconds + Self.foresight {
            let rate = rate(horizon)
            guard Self.rates.contains(rate) else {
                horizon += 1
                continue
            }
            breaths.append((horizon, horizon + 60 / rate))
            horizon += 60 / rate
        }
        if breaths.count > Self.capacity { breaths.removeFirst(breaths.count - Self.capacity) }
    }

    /// The depth of the breath at a time: -1 with the air out, and without breaths, to 1 with the air in.
    func depth(at seconds: Double) -> Double {
        guard let breath = breaths.last(where: { $0.start <= seconds }), seconds < breath.end else { return -1 }
        let phase = (seconds - breath.start) / (breath.end - breath.start)
        return phase < Self.inspiration
            ? -cos(.pi * phase / Self.inspiration)
            : cos(.pi * (phase - Self.inspiration) / (1 - Self.inspiration))
    }
}
