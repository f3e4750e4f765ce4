import SaturatingArithmetic
import Vitals

/// What numbers can be that this module counts with: one that was sent by another program may be anything.
enum Coherence {
    /// Of what is counted, one for each event at most.
    static let counts = 0...(1 << 52)
    /// Of the clock that never jumps: two centuries, for some times are reckoned back to before the computer started.
    static let nanoseconds: ClosedRange<Int64> = -6_400_000_000_000_000_000...6_400_000_000_000_000_000
}

extension MonitorState {
    /// Whether its parts fit together, so that it can be shown and folded into without care.
    ///
    /// Every state that was made by events is; one that was sent by another program, word for word, need not be.
    public var isCoherent: Bool {
        vitals.map(\.vital) == Vital.allCases && table.isCoherent
            && limits == FreshnessLimits(settings.freshness)
            && board.isCoherent && limitBook.isCoherent(settings.profiles)
            && vitals.allSatisfy { $0.trend.isCoherent && Coherence.counts.contains($0.valueCount) }
            && (-86_400...86_400).contains(timeZoneOffset) && settings.isCoherent
    }
}

extension SensorState {
    /// Whether its parts fit together.
    var isCoherent: Bool {
        Set(vitals.map(\.vital)).count == vitals.count && Coherence.counts.contains(malformedCount)
            && vitals.allSatisfy { Coherence.nanoseconds.contains($0.interval.nanoseconds) && $0.interval > .zero }
            && vitals.allSatisfy(\.fever.isCoherent)
    }
}

extension EarlierRun {
    /// Whether it can be folded in without care.
    public var isCoherent: Bool {
        Coherence.counts.contains(alarms.lastAlarm) && fevers.allSatisfy(\.rule.isCoherent)
    }
}

extension MonitorSettings {
    /// Whether they are ones that the reducer can go by; a file's are checked more strictly.
    public var isCoherent: Bool {
        let minutes = 0..<LimitProfile.minutesOfDay
        let ratios = [freshness.staleFactor, freshness.lostFactor, fever.confirmationCount]
        return (1...4096).contains(sensorLimit) && (-86_400...86_400).contains(timeZoneOffset)
            && profiles.allSatisfy { minutes.contains($0.start) && minutes.contains($0.end) }
            && ratios.allSatisfy { (1...10_000).contains($0) } && (1...16).contains(technical.malformedCount)
            && [fever.coverage, fever.warmShare].allSatisfy { (1...100).contains($0) }
    }
}
