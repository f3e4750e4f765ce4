import Vitals

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
