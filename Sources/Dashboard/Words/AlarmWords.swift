import Monitoring
import Vitals

/// An alarm in words.
struct AlarmWords {
    /// What it is, in capitals: the part that is never left out.
    var title: String
    /// The value and the limit, "38.6 °C" and "≥ 38.3"; what does not fit is left out from the end.
    var numbers: [String]
    /// Facts about it, the most important first; what does not fit is left out from the end.
    var facts: [String]
    /// How it looks.
    var role: Style.Role
    /// One mark for low, two for medium, three for high priority.
    var marks: String

    /// Finds the words for an alarm.
    ///
    /// - Parameter trouble: What is the matter with Bluetooth itself; a lost link is only its consequence.
    init(_ alarm: Alarm, screen: ScreenState, time: TimeText, trouble: EnvironmentTrouble? = nil) {
        let glyphs = screen.glyphs
        title = alarm.kind.title.uppercased()
        facts = []
        role = alarm.priority.role
        switch alarm.priority {
        case .low: marks = glyphs.alarm
        case .medium: marks = glyphs.alarm + glyphs.alarm
        case .high: marks = glyphs.alarm + glyphs.alarm + glyphs.alarm
        }
        numbers = Self.numbers(of: alarm, screen: screen)
        switch alarm.phase {
        case .suspended(_, let reason):
            facts.append("suspended: \(reason?.shortWords ?? "no measurement")")
        case .pending, .active, .ended: break
        }
        if alarm.kind.alarmClass == .technical {
            facts.append(harmlessText(alarm.sensor.name, limit: 24))
            // "LINK LOST · link lost" would say it twice.
            if alarm.kind == .linkLost, let trouble {
                facts.append(trouble.words)
            } else if let reason = alarm.reason, reason.shortWords.uppercased() != title {
                facts.append(AbsenceExplanation(reason: reason, sensor: alarm.sensor.kind, vital: alarm.vital).title)
            }
        } else if let site = alarm.site {
            facts.append(site.words)
        }
        if let peak = Self.peak(of: alarm, screen: screen) { facts.append(peak) }
        // A technical alarm waits, and is then as old as what its banner tells; a fever begins when it is confirmed.
        let since = alarm.alarmClass == .technical ? alarm.since : alarm.activeSince ?? alarm.since
        facts.append("since \(time.clock(since))")
    }

    /// The value beside its limit: "38.6 °C ≥ 38.3".
    private static func numbers(of alarm: Alarm, screen: ScreenState) -> [String] {
        guard let value = alarm.value else { return [] }
        guard let vital = alarm.vital else { return ["\(value.hundredths / 100) %"] }
        let text = ValueText(temperatureUnit: screen.temperatureUnit)
        let limits = alarm.limit.map { [$0] } ?? []
        let digits = text.digits(value, of: vital, limits: limits)
        let unit = vital.unitText(screen)
        guard let limit = alarm.limit, value >= limit else { return ["now \(digits) \(unit)"] }
        return ["\(digits) \(unit)", "\(screen.glyphs.atLeast) \(text.limit(limit, of: vital))"]
    }

    /// The worst value, when the newest one is not as bad any more.
    private static func peak(of alarm: Alarm, screen: ScreenState) -> String? {
        guard let vital = alarm.vital, let peak = alarm.peak, let value = alarm.value, peak > value else { return nil }
        let text = ValueText(temperatureUnit: screen.temperatureUnit)
        let limits = alarm.limit.map { [$0] } ?? []
        let digits = text.digits(peak, of: vital, limits: limits)
        // Within the rounding it is the same number, which would only flicker.
        return digits == text.digits(value, of: vital, limits: limits) ? nil : "peak \(digits)"
    }
}

extension AlarmPriority {
    /// The role that gives the priority its colour.
    var role: Style.Role {
        switch self {
        case .low: .alarmLow
        case .medium: .alarmMedium
        case .high: .alarmHigh
        }
    }
}

extension Vital {
    /// The unit as the screen shows it.
    func unitText(_ screen: ScreenState) -> String {
        switch self {
        case .heartRate, .pulseRate: "bpm"
        case .oxygenSaturation: "%"
        case .bodyTemperature, .skinTemperature:
            "\(screen.glyphs.degree)\(screen.temperatureUnit == .celsius ? "C" : "F")"
        }
    }
}
