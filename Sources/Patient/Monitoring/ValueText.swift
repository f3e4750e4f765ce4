import Base
import Vitals

/// Turns exact values into the digits on the screen, in lines and in the alarm log.
///
/// Rates and saturation are shown as whole numbers, temperatures with one decimal, rounded half up, and glucose as a
/// whole number of mg/dL or with one decimal of mmol/L. Rounding must never move a value across a limit (38.29 °C is no
/// fever and must not read 38.3): where it would, more decimals are shown.
public struct ValueText: Hashable, Sendable {
    /// Whether temperatures are in degrees Fahrenheit, not Celsius.
    public var isFahrenheit: Bool
    /// Whether glucose is in millimoles per litre, not milligrams per decilitre.
    public var isMolarGlucose: Bool

    public init(isFahrenheit: Bool = false, isMolarGlucose: Bool = false) {
        self.isFahrenheit = isFahrenheit
        self.isMolarGlucose = isMolarGlucose
    }

    /// The digits of a value.
    ///
    /// At each of the limits an evaluation changes: smaller values are on the other side, and rounding never crosses
    /// it.
    public func digits(_ value: VitalValue, of vital: Vital, limits: [VitalValue] = []) -> String {
        let exact = shownHundredths(value, of: vital)
        let usual = vital == .glucose && isMolarGlucose ? 10 : vital.traits.step
        for step in [100, 10, 1] where step <= usual {
            let rounded = roundedHalfUp(exact, to: step)
            let isFaithful = limits.allSatisfy { limit in
                // Also by the last value before it: in Fahrenheit there are values between the two.
                let before = VitalValue(hundredths: limit.hundredths.subtractingSaturated(1))
                return value >= limit
                    ? rounded >= shownHundredths(limit, of: vital) : rounded <= shownHundredths(before, of: vital)
            }
            if isFaithful || step == 1 {
                return decimalText(rounded, decimals: step == 1 && rounded % 10 == 0 ? 1 : decimals(of: step))
            }
        }
        return decimalText(exact, decimals: 2)
    }

    /// A limit with the decimals that make it exact.
    public func limit(_ value: VitalValue, of vital: Vital) -> String {
        let exact = shownHundredths(value, of: vital)
        // A limit in mg/dL is seldom a round number of mmol/L; it is commonly written with one decimal.
        if vital == .glucose, isMolarGlucose { return decimalText(roundedHalfUp(exact, to: 10), decimals: 1) }
        let step = (hasDecimal(vital) ? [10, 1] : [100, 10, 1]).first { exact % $0 == 0 } ?? 1
        return decimalText(exact, decimals: decimals(of: step))
    }

    /// A difference between two values with the necessary decimals.
    public func difference(_ value: VitalValue, of vital: Vital) -> String {
        let bounded = min(max(value.hundredths, -9_999_999), 9_999_999)
        let shown =
            vital.isTemperature && isFahrenheit
            ? bounded * 9 / 5 : vital == .glucose && isMolarGlucose ? bounded * 1000 / 18_016 : bounded
        if vital == .glucose {
            return decimalText(
                roundedHalfUp(shown, to: isMolarGlucose ? 10 : 100), decimals: isMolarGlucose ? 1 : 0)
        }
        if shown % 10 != 0 { return decimalText(shown, decimals: 2) }
        return decimalText(shown, decimals: vital.traits.step < 100 || shown % 100 != 0 ? 1 : 0)
    }

    /// Hundredths of the unit that is shown.
    public func shownHundredths(_ value: VitalValue, of vital: Vital) -> Int {
        let bounded = VitalValue(hundredths: min(max(value.hundredths, -9_999_999), 9_999_999))
        if vital == .glucose, isMolarGlucose { return GlucoseConcentrationUnit.hundredthsOfMillimoles(bounded) }
        return vital.isTemperature && isFahrenheit ? bounded.fahrenheitHundredths : bounded.hundredths
    }

    /// Whether the vital's number always has a decimal.
    private func hasDecimal(_ vital: Vital) -> Bool { vital.traits.step < 100 || vital == .glucose && isMolarGlucose }

    private func decimals(of step: Int) -> Int {
        switch step {
        case 100: 0
        case 10: 1
        default: 2
        }
    }

    private func roundedHalfUp(_ value: Int, to step: Int) -> Int {
        let shifted = value + step / 2
        let remainder = shifted % step
        return shifted - (remainder < 0 ? remainder + step : remainder)
    }

    /// The text of a number of hundredths.
    private func decimalText(_ hundredths: Int, decimals: Int) -> String {
        let magnitude = abs(hundredths)
        let sign = hundredths < 0 ? "-" : ""
        let whole = "\(sign)\(magnitude / 100)"
        switch decimals {
        case 0: return whole
        case 1: return "\(whole).\(magnitude / 10 % 10)"
        default: return "\(whole).\(magnitude / 10 % 10)\(magnitude % 10)"
        }
    }
}

/// A share as a readable percentage: "17 %", "< 1 %", "> 99 %".
public enum PercentText {
    /// The text of a share: a part is never "0 %", and less than the whole never "100 %".
    ///
    /// - Parameters:
    ///   - percent: The part in whole percent, however it was rounded.
    ///   - isSome: Whether there is any of it.
    ///   - isAll: Whether it is the whole.
    public static func text(_ percent: Int, isSome: Bool, isAll: Bool) -> String {
        if isSome, percent <= 0 { return "< 1 %" }
        if !isAll, percent >= 100 { return "> 99 %" }
        return "\(percent) %"
    }
}

extension BodySite {
    /// The site in plain text: "ear lobe".
    public var text: String {
        switch self {
        case .gastrointestinalTract: "gastrointestinal tract"
        case .earLobe: "ear lobe"
        default: rawValue
        }
    }
}

extension VitalValue {
    /// The value with one decimal, or two if needed: exact, so that 38.29 never reads as 38.3.
    public var decimalText: String {
        let sign = hundredths < 0 ? "-" : ""
        let (whole, fraction) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        let (tenths, rest) = fraction.quotientAndRemainder(dividingBy: 10)
        return rest == 0 ? "\(sign)\(whole).\(tenths)" : "\(sign)\(whole).\(tenths)\(rest)"
    }

    /// The exact value without redundant decimals: "88", "88.5"; temperatures always have one.
    public func text(of vital: Vital) -> String {
        vital.traits.step == 100 && hundredths % 100 == 0 ? "\(hundredths / 100)" : decimalText
    }
}

extension Duration {
    /// The duration in plain text: "15 s", "2 min", "90 s", "3 h 12 min", "4 d 1 h".
    public var text: String {
        let seconds = components.seconds
        if seconds >= 7200 { return exactText }
        return seconds >= 120 && seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
    }

    /// The duration in the two largest units: "12 s", "4 min 5 s", "3 h 12 min", "4 d 1 h".
    public var exactText: String {
        let seconds = components.seconds
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
        case ..<172_800: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
        default: return "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
        }
    }
}
