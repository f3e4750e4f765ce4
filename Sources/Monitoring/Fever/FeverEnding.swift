import SaturatingArithmetic
import Vitals

/// When a fever is over: no temperature of 37.8 °C or more for 30 minutes.
///
/// The half hour counts from the last sample that was as warm, or, when the samples have a gap after it, from the first
/// cool one: the gap is unknown. Only a cool sample ends a fever; silence never does.
struct FeverEnding: Codable, Hashable, Sendable {
    private var coolSince: Int64?
    private var wasCool = false

    /// Records a sample and returns whether a fever would be over.
    mutating func isOver(
        after value: VitalValue, at moment: Int64, gap: Int64?, settings: MonitorSettings.Fever
    ) -> Bool {
        guard value < settings.clearBelow else {
            coolSince = moment
            wasCool = false
            return false
        }
        let isUnbroken = gap.map { $0 <= settings.largestGap.nanoseconds } ?? false
        let since = wasCool || isUnbroken ? coolSince ?? moment : moment
        coolSince = since
        wasCool = true
        return moment.subtractingSaturated(since) >= settings.clearDuration.nanoseconds
    }
}
