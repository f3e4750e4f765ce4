import Base
import Vitals

extension Alarm {
    /// Whether its value is worse, by a step of the vital, than the worst acknowledged one.
    ///
    /// Acknowledging a fever of 38.4 does not acknowledge one of 41.6.
    ///
    /// A value beyond the sensor's range is worse than any number.
    var isWorseThanAcknowledged: Bool {
        acknowledgedAt != nil
            && (isNewlyBeyondRange || worstReason == nil && isWorse(value, than: acknowledgedPeak))
    }

    /// The text in place of its value, or of its worst one when it is over, if no number is known: "HI".
    public var rangeText: String? {
        AbsenceExplanation.rangeText(phase == .ended ? worstReason : kind.isAboutValues ? reason : nil)
    }

    /// Whether a value is worse, by a step of the vital, than an earlier one; never if one of them is unknown.
    public func isWorse(_ value: VitalValue?, than earlier: VitalValue?) -> Bool {
        guard let value, let earlier, let step = vital?.traits.limits?.worseningStep, kind.relation != nil
        else { return false }
        let (higher, lower) = kind.isWorseWhenLower ? (earlier, value) : (value, earlier)
        return higher.hundredths.subtractingSaturated(lower.hundredths) >= step.hundredths
    }
}
