import Monitoring
import Vitals

/// What is to be said beside a vital about its limits: that they are off, or changed; for as long as that lasts.
struct LimitRemarks {
    /// Short words; capitals for what keeps alarms away: "⊘ LIMITS OFF", "⊘ HIGH OFF", "high 130 changed".
    var words: [String] = []

    /// Finds the remarks on a vital.
    init(_ vital: Vital, _ state: MonitorState, screen: ScreenState) {
        guard let limits = state.currentLimits[vital], let usual = MonitorSettings.Limits()[vital] else { return }
        if LimitKind.allCases.allSatisfy({ limits[$0].value == nil }) {
            words = ["\(screen.glyphs.crossed) LIMITS OFF"]
            return
        }
        let text = ValueText(temperatureUnit: screen.temperatureUnit)
        for kind in LimitKind.allCases {
            if let value = limits[kind].value {
                guard state.isChanged(kind, of: vital) else { continue }
                words.append("\(kind.words) \(text.limit(value, of: vital)) changed")
            } else if usual[kind].value != nil {
                words.insert("\(screen.glyphs.crossed) \(kind.words.uppercased()) OFF", at: 0)
            }
        }
    }
}
