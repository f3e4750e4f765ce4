import Appearance
import Base
import Monitoring
import Vitals
import Wording

/// The digits of panels: how wide they may become, which of them are drawn large, and those of limits.
extension VitalPanel {
    /// The widest usual number at each place of the screen; `nil` if no sensor measures and no value was typed.
    ///
    /// Neither has a current value: prefer the one with a trend when the user looks back.
    static func widestNumbers(_ state: MonitorState, _ screen: ScreenState, at now: Moment) -> [String?] {
        let shown = state.shownVitals(at: now)
        let open = shown.map { shown in
            switch shown.vital.condition {
            case .measured, .stale, .lost, .noMeasurement: true
            case .neverSeen, .notConnected: state.spotFinding(of: shown.place.candidates.first, at: now) != nil
            }
        }
        let showsTrends = screen.trends.isPast || !open.contains(true)
        return zip(shown, open).map { shown, isOpen in
            guard isOpen || showsTrends && !shown.vital.trend.isEmpty else { return nil }
            let isFahrenheit = screen.temperatureUnit == .fahrenheit
            return switch shown.place {
            case .temperature:
                isFahrenheit ? ScreenLayout.Content.widestFahrenheit : ScreenLayout.Content.widestTemperature
            case .glucose where screen.units.glucose == .millimolesPerLitre: "18.8"
            default: "188"
            }
        }
    }

    /// The number that is drawn large: without the decimals that are only needed near a limit, if what is left is on the
    /// same side of all limits.
    ///
    /// - Parameter limits: In hundredths of the shown unit.
    static func large(_ digits: String, _ limits: [Int], of vital: Vital) -> String {
        guard let point = digits.firstIndex(of: "."), digits.distance(from: point, to: digits.endIndex) == 3 else {
            return digits
        }
        let cut = String(digits.dropLast())
        func hundredths(_ text: String) -> Int { Int(String(text.filter { $0 != "." })) ?? 0 }
        let (value, large) = (hundredths(digits), hundredths(cut) * 10)
        return limits.allSatisfy { (value >= $0) == (large >= $0) } ? cut : digits
    }

    /// The upper and the lower limit of a vital; a fever threshold is one, too.
    static func limitTexts(of vital: Vital, _ state: borrowing MonitorState, _ text: ValueText) -> [String] {
        let settings = state.currentLimits[vital]
        var upper = settings?[.high].value
        if vital == .bodyTemperature {
            upper = ([upper].compactMap { $0 } + state.settings.fever.limits.prefix(1)).min {
                $0.hundredths < $1.hundredths
            }
        }
        return [upper, settings?[.low].value].map { $0.map { text.limit($0, of: vital) } ?? "off" }
    }
}
