import Base
import Vitals

/// Plausible ranges of numbers in a state that another program has sent.
enum Coherence {
    /// Counters that increase by at most one for each event.
    static let counts = 0...(1 << 52)
    /// The monotonic clock: two centuries, because some times are calculated back to before the computer started.
    static let nanoseconds: ClosedRange<Int64> = -6_400_000_000_000_000_000...6_400_000_000_000_000_000
}

extension MonitorState {
    /// Whether its parts are consistent, so that it can be shown and changed safely.
    ///
    /// A state made by events always is; one sent by another program may not be.
    public var isCoherent: Bool {
        vitals.map(\.vital) == Vital.allCases && table.isCoherent
            && limits == FreshnessLimits(settings.freshness)
            && respiration?.isCoherent ?? true && board.isCoherent && limitBook.isCoherent
            && scheduleSpan?.entry.map(settings.schedule.indices.contains) ?? true
            && vitals.allSatisfy { $0.trend.isCoherent && Coherence.counts.contains($0.valueCount) }
            && (-86_400...86_400).contains(timeZoneOffset) && settings.isCoherent
    }
}

extension SensorState {
    /// Whether its parts are consistent.
    var isCoherent: Bool {
        Set(vitals.map(\.vital)).count == vitals.count && Coherence.counts.contains(malformedCount)
            && vitals.allSatisfy { Coherence.nanoseconds.contains($0.interval.nanoseconds) && $0.interval > .zero }
            && vitals.allSatisfy(\.fever.isCoherent) && rhythm.isCoherent && rawGlucose.isCoherent
            && nights?.isCoherent ?? true
    }
}

extension EarlierRun {
    /// Whether it can be applied safely.
    public var isCoherent: Bool {
        Coherence.counts.contains(alarms.lastAlarm) && fevers.allSatisfy(\.rule.isCoherent)
    }
}

extension MonitorSettings {
    /// Whether the reducer can use them; settings from a file are checked more strictly.
    public var isCoherent: Bool {
        let ratios = [freshness.staleFactor, freshness.lostFactor, fever.confirmationCount]
        return (1...4096).contains(sensorLimit) && (-86_400...86_400).contains(timeZoneOffset)
            && schedule.allSatisfy(\.isCoherent)
            && ratios.allSatisfy { (1...10_000).contains($0) } && (1...16).contains(technical.malformedCount)
            && [fever.coverage, fever.warmShare].allSatisfy { (1...100).contains($0) }
    }
}
