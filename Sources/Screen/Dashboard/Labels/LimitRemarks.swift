import Monitoring
import Vitals
import Wording

/// The remarks beside a vital about limits that are off or changed.
struct LimitRemarks {
    /// Disabled alarms are a warning: "⊘ LIMITS OFF", "⊘ HIGH OFF", "high 130 changed".
    var remarks: [Remark] = []

    /// Creates the remarks on a vital.
    init(_ vital: Vital, _ state: borrowing MonitorState, screen: borrowing ScreenState) {
        guard let limits = state.currentLimits[vital], let usual = MonitorSettings.Limits()[vital] else { return }
        if LimitKind.allCases.allSatisfy({ limits[$0].value == nil }) {
            remarks = [Remark("\(screen.glyphs.crossed) LIMITS OFF", .warning)]
            return
        }
        let text = ValueText(screen.units)
        for name in LimitSetting.Name.allCases {
            let setting = limits[name]
            if setting.isOn {
                guard state.isChanged(name, of: vital) else { continue }
                remarks.append(Remark("\(name.text) \(Self.number(setting, of: vital, text)) changed"))
            } else if usual[name].isOn {
                remarks.insert(Remark("\(screen.glyphs.crossed) \(name.text.uppercased()) OFF", .warning), at: 0)
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
