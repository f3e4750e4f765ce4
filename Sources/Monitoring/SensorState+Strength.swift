import SaturatingArithmetic
import Vitals

/// The signal strength of a sensor.
public struct SignalStrength: Hashable, Sendable {
    /// In dBm.
    public var decibels: Int
    /// When.
    public var heard: Moment
    /// Whether it may have changed since.
    public var isOld: Bool
}

extension SensorState {
    /// The age at which a signal strength is old: longer than a present sensor is silent during a scan.
    static let strengthIsOldAfter = Duration.seconds(15)
    /// The age at which it says nothing about the present.
    static let strengthIsGoneAfter = Duration.seconds(60)

    /// The last signal strength; `nil` when it is unknown or too old.
    public func strength(at now: Moment) -> SignalStrength? {
        guard let signalStrength, let strengthHeard else { return nil }
        let age = now.since(strengthHeard)
        guard age < Self.strengthIsGoneAfter else { return nil }
        return SignalStrength(
            decibels: signalStrength, heard: strengthHeard, isOld: age >= Self.strengthIsOldAfter)
    }

    /// Records a new signal strength, in dBm.
    ///
    /// Smoothed exponentially with a weight of a quarter: a hand in front of the antenna changes single values by 10 dB
    /// and more, which says nothing about the distance.
    mutating func takeStrength(_ strength: Int, at now: Moment) {
        if self.strength(at: now) == nil { smoothedStrength = nil }
        signalStrength = strength
        strengthHeard = now
        let tenths = min(max(strength, -200), 200) * 10
        smoothedStrength = smoothedStrength.map { $0 + (tenths - $0) / 4 } ?? tenths
    }

    /// Forgets the signal strength of a sensor that is no longer heard.
    mutating func loseStrength() {
        signalStrength = nil
        strengthHeard = nil
        smoothedStrength = nil
    }

    /// Until when a weak signal is valid, in nanoseconds of the monotonic clock.
    static func weaknessEnd(heard now: Moment) -> Int64 {
        now.monotonicNanoseconds.addingSaturated(strengthIsOldAfter.nanoseconds)
    }
}
