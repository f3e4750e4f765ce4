import Monitoring
import Vitals

/// An alarm in words.
struct AlarmWords {
    /// What it is, in capitals: the part that is never left out.
    var title: String
    /// The same without what the marks say, too: "HR HIGH" for "HR SEVERELY HIGH".
    var shortTitle: String { title.split(separator: " ").filter { $0 != "SEVERELY" }.joined(separator: " ") }
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
    /// A lost link is only a consequence of what is the matter with Bluetooth itself.
    init(_ alarm: Alarm, scene: Scene) {
        let (screen, time, trouble) = (scene.screen, scene.time, scene.trouble)
        let glyphs = screen.glyphs
        title = Self.title(of: alarm, glyphs: glyphs)
        facts = []
        role = alarm.priority.role
        marks = Self.marks(of: alarm.priority, glyphs: glyphs)
        if alarm.acknowledgedAt != nil { marks += " \(glyphs.tick)" }
        let limits = Self.limits(of: alarm, scene.state)
        numbers = Self.numbers(of: alarm, limits, screen: screen)
        switch alarm.phase {
        case .suspended(_, let reason):
            facts.append("suspended: \(reason?.shortWords ?? "no measurement")")
        case .ended where alarm.isLatched:
            facts.append(alarm.endedAt.map { "over since \(time.clock($0))" } ?? "over")
        case .pending, .active, .clearing, .ended: break
        }
        if let confirmations = alarm.confirmations {
            facts.append("\(confirmations.count) of \(confirmations.wanted)")
        }
        if let until = alarm.heldUntil { facts.append("held for care until \(time.clock(until))") }
        if scene.isSnoozed(alarm) { facts.append("snoozed") }
        if let risk = alarm.feverRisk?.fact { facts.append(risk) }
        if alarm.alarmClass == .technical {
            facts += Self.technicalFacts(
                of: alarm, title: title, trouble: trouble, gap: scene.state.environment.lastGap, time: time)
        } else if let site = alarm.site {
            facts.append(site.words)
        }
        if alarm.kind.isAboutBluetooth, let trouble { title = trouble.title }
        if let peak = Self.peak(of: alarm, limits, screen: screen) { facts.append(peak) }
        // A technical alarm waits, and is then as old as what its banner tells; a fever begins when it is confirmed.
        let since = alarm.alarmClass == .technical ? alarm.since : alarm.activeSince ?? alarm.since
        facts.append("since \(time.clock(since))")
        if alarm.episodeCount > 1 { facts.append("\(alarm.episodeCount) episodes") }
        if alarm.alarmClass == .physiological, let sensor = alarm.sensor {
            facts.append(sensor.shortName())
        }
        if let rule = alarm.feverRule { facts.append(rule.words(for: alarm.kind)) }
    }

    /// One mark for low, two for medium, three for high priority.
    static func marks(of priority: AlarmPriority, glyphs: GlyphSet) -> String {
        switch priority {
        case .low: glyphs.alarm
        case .medium: glyphs.alarm + glyphs.alarm
        case .high: glyphs.alarm + glyphs.alarm + glyphs.alarm
        }
    }

    /// What it is, in capitals.
    static func title(of alarm: Alarm, glyphs: GlyphSet) -> String {
        if alarm.kind.isFever { return alarm.kind.title.uppercased() }
        guard alarm.vital == .oxygenSaturation, alarm.title != alarm.kind.title else { return alarm.title.uppercased() }
        return "\(glyphs.oxygenSaturation) \(alarm.kind.title.uppercased())"
    }

    private static func technicalFacts(
        of alarm: Alarm, title: String, trouble: EnvironmentTrouble?, gap: Gap?, time: TimeText
    ) -> [String] {
        guard let sensor = alarm.sensor else {
            if alarm.kind.isAboutBluetooth, let trouble { return [trouble.remedy] }
            let detail = alarm.detail.map { [$0] } ?? []
            guard alarm.kind == .notMonitored, let gap else { return detail }
            return detail + ["\(time.clock(gap.from)) to \(time.clock(gap.to))"]
        }
        let name = sensor.shortName()
        // "LINK LOST · link lost" would say it twice.
        if alarm.kind == .linkLost, let trouble { return [name, trouble.words] }
        guard let reason = alarm.reason, reason.shortWords.uppercased() != title else {
            return [name] + (alarm.detail.map { [$0] } ?? [])
        }
        return [name, AbsenceExplanation(reason: reason, sensor: sensor.kind, vital: alarm.vital).title]
    }

    /// The values that rounding must not cross: the alarm's own limit, and those by which the vital's number is rounded,
    /// so that the same value reads the same in both places.
    private static func limits(of alarm: Alarm, _ state: MonitorState) -> [VitalValue] {
        (alarm.limit.map { [$0] } ?? []) + (alarm.vital.map { VitalPanel.limits(of: $0, state) } ?? [])
    }

    /// The value beside its limit: "38.6 °C", "≥ 38.3"; "88 %", "< 90", "for 15 s".
    private static func numbers(of alarm: Alarm, _ limits: [VitalValue], screen: ScreenState) -> [String] {
        guard let value = alarm.value else { return [] }
        guard let vital = alarm.vital else {
            let limit = alarm.limit.map { ["\(screen.glyphs.atMost) \($0.hundredths / 100)"] } ?? []
            return ["\(value.hundredths / 100) \(alarm.kind == .weakSignal ? "dBm" : "%")"] + limit
        }
        let text = ValueText(temperatureUnit: screen.temperatureUnit)
        let digits = text.digits(value, of: vital, limits: limits)
        let unit = vital.unitText(screen)
        let duration = alarm.duration.flatMap { $0 > .zero ? alarm.phrase.duration : nil }.map { [$0] } ?? []
        switch alarm.kind {
        case .fall, .rise:
            guard let amount = alarm.limit else { return ["\(digits) \(unit)"] }
            let verb = alarm.kind == .fall ? "fell by" : "rose by"
            return ["\(digits) \(unit)", "\(verb) \(text.difference(amount, of: vital))"] + duration
        case .flatLine: return ["\(digits) \(unit)"] + duration
        default: break
        }
        guard let limit = alarm.limit, alarm.isCrossing else { return ["now \(digits) \(unit)"] }
        let relation = alarm.kind.isFever ? screen.glyphs.atLeast : alarm.kind.isWorseWhenLower ? "<" : ">"
        return ["\(digits) \(unit)", "\(relation) \(text.limit(limit, of: vital))"] + duration
    }

    /// The worst value, when the newest one is not as bad any more.
    private static func peak(of alarm: Alarm, _ limits: [VitalValue], screen: ScreenState) -> String? {
        guard let vital = alarm.vital, let peak = alarm.peak, let value = alarm.value, peak != value else { return nil }
        let text = ValueText(temperatureUnit: screen.temperatureUnit)
        let digits = text.digits(peak, of: vital, limits: limits)
        // Within the rounding it is the same number, which would only flicker.
        if digits == text.digits(value, of: vital, limits: limits) { return nil }
        return "\(alarm.kind.isWorseWhenLower ? "lowest" : "peak") \(digits)"
    }
}

extension FeverRisk {
    /// What the neutrophil count adds to a fever, in two words at most.
    var fact: String? {
        switch self {
        case .febrileNeutropenia: "neutropenia risk"
        case .countUnknown: "ANC unknown"
        case .fever: nil
        }
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
