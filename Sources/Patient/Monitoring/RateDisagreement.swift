import Base
import Vitals

/// A lasting difference between the strap's heart rate and the oximeter's pulse rate.
///
/// Not an alarm, but a reason to check: one of the sensors miscounts, or not every heart beat reaches the finger.
public struct RateDisagreement: Hashable, Sendable {
    /// The heart rate now.
    public let heartRate: Sample
    /// The pulse rate now.
    public let pulseRate: Sample
    /// Since when they have been too far apart.
    public let since: Moment

    /// The permitted difference, in hundredths of a beat a minute: 10 beats a minute, or a tenth of the higher one.
    ///
    /// Source: ANSI/AAMI EC13 and IEC 60601-2-27 allow a heart-rate meter an error of a tenth or 5 beats a minute,
    /// whichever is more; here two meters are compared.
    static func tolerance(_ first: VitalValue, _ second: VitalValue) -> Int {
        max(1000, max(first.hundredths, second.hundredths) / 10)
    }

    /// How long they must be too far apart: an oximeter averages over several seconds, a strap over few.
    static let delay = Duration.seconds(30)
}

extension MonitorState {
    /// The difference between heart rate and pulse rate, if both are measured and have been too far apart for 30 s.
    ///
    /// - Parameter now: Any moment from the newest event on.
    public func rateDisagreement(at now: Moment) -> RateDisagreement? {
        guard let since = ratesDifferSince, now.since(since) >= RateDisagreement.delay,
            case .measured(let heartRate) = self[.heartRate].condition,
            case .measured(let pulseRate) = self[.pulseRate].condition
        else { return nil }
        return RateDisagreement(heartRate: heartRate, pulseRate: pulseRate, since: since)
    }

    /// Compares heart rate and pulse rate after one of them was reported.
    mutating func evaluateRates() {
        guard case .measured(let heartRate) = vitals.span[Vital.heartRate.index].condition,
            case .measured(let pulseRate) = vitals.span[Vital.pulseRate.index].condition
        else {
            ratesDifferSince = nil
            return
        }
        let (first, second) = (heartRate.value.hundredths, pulseRate.value.hundredths)
        let difference = max(first, second).subtractingSaturated(min(first, second))
        let isTooMuch = difference > RateDisagreement.tolerance(heartRate.value, pulseRate.value)
        ratesDifferSince = isTooMuch ? ratesDifferSince ?? now : nil
    }
}
