import Vitals

/// The signal strength of a sensor.
public struct SignalStrength: Hashable, Sendable {
    /// The strength in dBm.
    public var decibels: Int
    /// When it was received.
    public var heard: Moment
    /// Whether it may have changed since.
    public var isOld: Bool
}

extension SensorState {
    /// The silence after which a sensor in range may be gone, and its signal strength is old: longer than the pauses of
    /// a present one during a scan.
    public static let fadesAfter = Duration.seconds(15)
    /// The silence after which it is gone, and its signal strength is useless.
    public static let goesAfter = Duration.seconds(60)

    /// The last signal strength; `nil` if it is unknown, too old, or from before the link was lost.
    public func strength(at now: Moment) -> SignalStrength? {
        guard let signalStrength, let strengthHeard else { return nil }
        if case .lost(let since) = link, strengthHeard <= since { return nil }
        let age = now.since(strengthHeard)
        guard age < Self.goesAfter else { return nil }
        return SignalStrength(
            decibels: signalStrength, heard: strengthHeard, isOld: age >= Self.fadesAfter)
    }

    /// Records a new signal strength, in dBm.
    ///
    /// Smoothed exponentially with a weight of a quarter: a hand in front of the antenna changes single values by 10 dB
    /// and more, independent of the distance.
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

    /// Until when a weak signal is valid.
    static func weaknessEnd(heard now: Moment) -> MonotonicTime {
        now.monotonic.advanced(by: fadesAfter)
    }
}
