import SaturatingArithmetic
import Vitals

/// How strongly a sensor was heard.
public struct SignalStrength: Hashable, Sendable {
    /// In dBm.
    public var decibels: Int
    /// When.
    public var heard: Moment
    /// Whether it may be another one by now.
    public var isOld: Bool
}

extension SensorState {
    /// After how long a signal strength is old: longer than a scan lets a sensor that is present be silent.
    static let strengthIsOldAfter = Duration.seconds(15)
    /// After how long it says nothing about now.
    static let strengthIsGoneAfter = Duration.seconds(60)

    /// How strongly it was heard last; `nil` when that was never, or too long ago.
    public func strength(at now: Moment) -> SignalStrength? {
        guard let signalStrength, let strengthHeard else { return nil }
        let age = now.since(strengthHeard)
        guard age < Self.strengthIsGoneAfter else { return nil }
        return SignalStrength(
            decibels: signalStrength, heard: strengthHeard, isOld: age >= Self.strengthIsOldAfter)
    }

    /// Takes a new signal strength in, in dBm.
    ///
    /// Smoothed exponentially with a quarter of what is new: a hand before the antenna changes single values by 10 dB
    /// and more, which says nothing about where a sensor is.
    mutating func takeStrength(_ strength: Int, at now: Moment) {
        if self.strength(at: now) == nil { smoothedStrength = nil }
        signalStrength = strength
        strengthHeard = now
        let tenths = min(max(strength, -200), 200) * 10
        smoothedStrength = smoothedStrength.map { $0 + (tenths - $0) / 4 } ?? tenths
    }

    /// It is no longer heard, so nothing is known about its distance.
    mutating func loseStrength() {
        signalStrength = nil
        strengthHeard = nil
        smoothedStrength = nil
    }

    /// Until when a weak signal may be judged by what was heard, in nanoseconds of the monotonic clock.
    static func weaknessEnd(heard now: Moment) -> Int64 {
        now.monotonicNanoseconds.addingSaturated(strengthIsOldAfter.nanoseconds)
    }
}
