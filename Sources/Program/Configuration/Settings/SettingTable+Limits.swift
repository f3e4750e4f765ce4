import Monitoring
import Vitals

extension SettingTable {
    /// The name of the section of a vital's limits.
    static func limitSection(of vital: Vital) -> String { "limits.\(vital.rawValue)" }

    static let limitSections: [(name: String, explanation: String)] = MonitorSettings.Limits.vitals.map { vital in
        (
            limitSection(of: vital),
            "Limits of the \(text(of: vital)); they must be in the order severe_low, low, high, severe_high."
        )
    }

    static let limits: [Setting] = MonitorSettings.Limits.vitals.flatMap { vital in
        LimitKind.allCases.flatMap { settings(of: $0, vital) } + changes(of: vital) + others(of: vital)
    }

    static let limitRules: [SettingRule] = MonitorSettings.Limits.vitals.flatMap { vital in
        rules(limitSection(of: vital), vital) { $0.monitor.limits }
    }

    private static func settings(of kind: LimitKind, _ vital: Vital) -> [Setting] {
        let (section, key) = (limitSection(of: vital), kind.rawValue)
        return [
            Setting(
                section, key, value(of: vital).orOff(),
                "An alarm is raised \(kind.isLow ? "below" : "above") this\(kind.isSevere ? ", which is dangerous" : "").",
                get: { $0.monitor.limits[vital]?[kind].value ?? nil },
                set: { $0.monitor.limits[vital]?[kind].value = $1 }),
            Setting(
                section, "\(key)_priority", .word(AlarmPriority.self), "The priority of that alarm.",
                get: { $0.monitor.limits[vital]?[kind].priority ?? .medium },
                set: { $0.monitor.limits[vital]?[kind].priority = $1 }),
            Setting(
                section, "\(key)_delay", .duration(.zero...AlarmLimit.longestDelay),
                "How long the limit must be crossed without a break before that is an alarm.",
                get: { $0.monitor.limits[vital]?[kind].delay ?? .zero },
                set: { $0.monitor.limits[vital]?[kind].delay = $1 }),
        ]
    }

    private static func changes(of vital: Vital) -> [Setting] {
        [("fall", \VitalLimits.fall), ("rise", \VitalLimits.rise)].flatMap { key, path -> [Setting] in
            let section = limitSection(of: vital)
            // A key path is immutable, although its type is not Sendable here.
            nonisolated(unsafe) let path: WritableKeyPath<VitalLimits, ChangeLimit> = path
            return [
                Setting(
                    section, key, change(of: vital).orOff(),
                    "A \(key) by this much within \(key)_within is an alarm.",
                    get: { $0.monitor.limits[vital]?[keyPath: path].amount ?? nil },
                    set: { $0.monitor.limits[vital]?[keyPath: path].amount = $1 }),
                Setting(
                    section, "\(key)_within", .duration(ChangeLimit.windows), "The time within which a \(key) counts.",
                    get: { $0.monitor.limits[vital]?[keyPath: path].within ?? .seconds(60) },
                    set: { $0.monitor.limits[vital]?[keyPath: path].within = $1 }),
                Setting(
                    section, "\(key)_priority", .word(AlarmPriority.self), "The priority of that alarm.",
                    get: { $0.monitor.limits[vital]?[keyPath: path].priority ?? .medium },
                    set: { $0.monitor.limits[vital]?[keyPath: path].priority = $1 }),
            ]
        }
    }

    private static func others(of vital: Vital) -> [Setting] {
        let section = limitSection(of: vital)
        return [
            Setting(
                section, "hysteresis", hysteresis(of: vital),
                "How far a value must be back within a limit before its alarm begins to end.",
                get: { $0.monitor.limits[vital]?.hysteresis ?? VitalValue(hundredths: 0) },
                set: { $0.monitor.limits[vital]?.hysteresis = $1 }),
            Setting(
                section, "minimum_hold", .duration(.zero...(.seconds(600))),
                "For how long a value must stay back before the alarm ends.",
                get: { $0.monitor.limits[vital]?.minimumHold ?? .zero },
                set: { $0.monitor.limits[vital]?.minimumHold = $1 }),
            Setting(
                section, "flat_line", .duration(.seconds(10)...(.seconds(86_400))).orOff(),
                "For how long the value may be exactly the same before the sensor's place is doubted.",
                get: { $0.monitor.limits[vital]?.flatLine ?? nil },
                set: { $0.monitor.limits[vital]?.flatLine = $1 }),
        ] + (vital == .glucose ? [estimates] : [])
    }

    private static let estimates = Setting(
        limitSection(of: .glucose), "raw_estimates", .yesOrNo(),
        "Whether estimates that nobody has calibrated raise alarms.",
        get: { $0.monitor.limits.judgesGlucoseEstimates }, set: { $0.monitor.limits.judgesGlucoseEstimates = $1 })

    /// The required order of the limits of a vital: severe low ≤ low < high ≤ severe high, for those that are on.
    static func rules(
        _ section: String, _ vital: Vital, _ limits: @escaping @Sendable (Settings) -> MonitorSettings.Limits
    ) -> [SettingRule] {
        let kinds = LimitKind.allCases
        let form = value(of: vital)
        return kinds.indices.flatMap { first in
            kinds[(first + 1)...].map { upper in
                let lower = kinds[first]
                return SettingRule(
                    "\(section).\(lower.rawValue)", lower.isLow == upper.isLow ? .atMost : .below,
                    "\(section).\(upper.rawValue)", text: { form.write($0).literal }
                ) { settings in
                    let limits = limits(settings)[vital]
                    return (limits?[lower].value ?? nil, limits?[upper].value ?? nil)
                }
            }
        }
    }

    /// The codec of a limit of a vital.
    static func value(of vital: Vital) -> SettingCodec<VitalValue> {
        let range = vital.traits.limits?.range ?? VitalValue(whole: 0)...VitalValue(whole: 1000)
        return vital.isTemperature
            ? .temperature(range.lowerBound.hundredths...range.upperBound.hundredths)
            : .whole(vital.traits.unit.noun, range.lowerBound.hundredths / 100...range.upperBound.hundredths / 100)
    }

    private static func change(of vital: Vital) -> SettingCodec<VitalValue> {
        vital.isTemperature
            ? .difference("a difference in °C", 10...1000) : .whole(vital.traits.unit.noun, 1...200)
    }

    private static func hysteresis(of vital: Vital) -> SettingCodec<VitalValue> {
        vital.isTemperature
            ? .difference("a difference in °C", 0...200) : .whole(vital.traits.unit.noun, 0...50)
    }

    static func text(of vital: Vital) -> String {
        "\(vital.traits.settingText ?? vital.text), in \(vital.traits.unit.phrase)"
    }
}

extension LimitKind {
    fileprivate var isSevere: Bool { self == .severeLow || self == .severeHigh }
}
