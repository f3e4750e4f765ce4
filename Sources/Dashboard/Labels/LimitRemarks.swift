import Monitoring
import Vitals

/// What is to be said beside a vital about its limits: that they are off, or changed; for as long as that lasts.
struct LimitRemarks {
    /// Short lines; capitals for what keeps alarms away: "⊘ LIMITS OFF", "⊘ HIGH OFF", "high 130 changed".
    var lines: [String] = []

    /// Finds the remarks on a vital.
    init(_ vital: Vital, _ state: MonitorState, screen: ScreenState) {
        guard let limits = state.currentLimits[vital], let usual = MonitorSettings.Limits()[vital] else { return }
        if LimitKind.allCases.allSatisfy({ limits[$0].value == nil }) {
            lines = ["\(screen.glyphs.crossed) LIMITS OFF"]
            return
        }
        let text = ValueText(temperatureUnit: screen.temperatureUnit)
        for name in LimitSetting.Name.allCases {
            let setting = limits[name]
            if setting.isOn {
                guard state.isChanged(name, of: vital) else { continue }
                lines.append("\(name.text) \(Self.number(setting, of: vital, text)) changed")
            } else if usual[name].isOn {
                lines.insert("\(screen.glyphs.crossed) \(name.text.uppercased()) OFF", at: 0)
            }
        }
    }

    private static func number(_ setting: LimitSetting, of vital: Vital, _ text: ValueText) -> String {
        switch setting {
        case .limit(_, let limit): limit.value.map { text.limit($0, of: vital) } ?? "off"
        case .fall(let change), .rise(let change): change.amount.map { text.difference($0, of: vital) } ?? "off"
        case .flatLine(let duration): duration.map(LimitEntry.time) ?? "off"
        }
    }
}
