import Vitals

/// Decides when a fever has ended: no temperature of 37.8 °C or more for 30 minutes.
///
/// The half hour counts from the last sample of at least that temperature, or, after a gap in the samples, from the
/// first cooler one, because the gap is unknown. Only a cooler sample ends a fever; silence never does.
struct FeverEnding: Codable, Hashable, Sendable {
    private var coolSince: MonotonicTime?
    private var wasCool = false

    /// Records a sample and returns whether a fever would have ended.
    mutating func isOver(
        after value: VitalValue, at time: MonotonicTime, gap: Duration?, settings: MonitorSettings.Fever
    ) -> Bool {
        guard value < settings.clearBelow else {
            coolSince = time
            wasCool = false
            return false
        }
        let isUnbroken = gap.map { $0 <= settings.largestGap } ?? false
        let since = wasCool || isUnbroken ? coolSince ?? time : time
        coolSince = since
        wasCool = true
        return time.since(since) >= settings.clearDuration
    }
}
