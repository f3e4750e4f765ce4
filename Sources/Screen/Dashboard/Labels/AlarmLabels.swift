import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

/// An alarm as text.
struct AlarmLabels {
    /// The title in capitals, which is never omitted.
    var title: String
    /// The title without the information of the marks: "HR HIGH" for "HR SEVERELY HIGH"; "FEVER, ANC 450" for a risk.
    var shortTitle: String {
        riskTitle ?? title.split(separator: " ").filter { $0 != "SEVERELY" }.joined(separator: " ")
    }
    private var riskTitle: String?
    /// Why it is not current, or that its value is unconfirmed, from the longest text to the shortest; empty for a
    /// current one.
    var standing: [String] = []
    /// The value and the limit, "38.6 °C" and "≥ 38.3"; omitted from the end if they do not fit.
    var numbers: [String]
    /// Facts about it, the most important first; omitted from the end if they do not fit.
    var facts: [String]
    /// Its role.
    var role: Style.Role
    /// Until when it is known to have been active.
    private static func end(of alarm: Alarm, _ clock: String) -> String {
        alarm.isInterrupted ? "until \(clock) (Bedside ended)" : "over since \(clock)"
    }

    /// One mark for low, two for medium, three for high priority.
    var marks: String

    /// Creates the text for an alarm.
    ///
    /// A lost link is only a consequence of the problem with Bluetooth itself.
    init(_ alarm: Alarm, scene: Scene) {
        let (screen, time, trouble) = (scene.screen, scene.time, scene.trouble)
        let glyphs = screen.glyphs
        title = alarm.capitals(glyphs)
        facts = []
        role = alarm.priority.role
        marks = glyphs.marks(of: alarm.priority)
        if alarm.acknowledgedAt != nil { marks += " \(glyphs.tick)" }
        let limits = Self.limits(of: alarm, scene.state)
        numbers = Self.numbers(of: alarm, limits, isCurrent: scene.state.isCurrent(alarm), screen: screen)
        switch alarm.phase {
        case .suspended(_, let reason):
            standing = ["suspended: \(reason?.shortText ?? "no measurement")", "suspended", "susp."]
        case .ended: standing = (alarm.endedAt.map { [Self.end(of: alarm, time.clock($0))] } ?? []) + ["over"]
        case .pending, .active, .clearing: if alarm.isUnconfirmed { standing = [EntryFacts.unconfirmed, "unconf."] }
        }
        if let progress = alarm.progressText { facts.append(progress) }
        if let until = alarm.heldUntil { facts.append("held for care until \(time.clock(until))") }
        if scene.isSnoozed(alarm) { facts.append("snoozed") }
        switch alarm.feverRisk {
        case .febrileNeutropenia:
            let count = scene.state.neutrophils.map { "ANC \($0.perMicrolitre)" }
            if let count { facts.append("\(count)/µL") }
            if alarm.phase != .pending { riskTitle = ["FEVER", count].compactMap { $0 }.joined(separator: ", ") }
        case .countUnknown: facts.append("neutrophils unknown")
        case .fever, nil: break
        }
        if alarm.kind.isFever, let given = AntipyreticLabels(scene.state, time: time).remark {
            facts.append(glyphs.fit(given))
        }
        if alarm.alarmClass == .technical {
            facts += Self.technicalFacts(
                of: alarm, title: title, trouble: trouble, gap: scene.state.environment.lastGap, time: time)
        } else if let site = alarm.site {
            facts.append(site.text)
        }
        if let trouble, trouble.kind == alarm.kind { title = trouble.title }
        let name = alarm.sensor?.shortName()
        let isOfOther = alarm.sensor?.address != alarm.vital.flatMap { scene.state[$0].source?.address }
        // The source of the value matters most if another one's value is the large number.
        if alarm.alarmClass == .physiological, isOfOther, let name { facts.insert(name, at: 0) }
        if let peak = Self.peak(of: alarm, limits, screen: screen) { facts.append(peak) }
        // A technical alarm has a delay and then the age of its banner; a fever begins when it is confirmed.
        let since = alarm.alarmClass == .technical ? alarm.since : alarm.activeSince ?? alarm.since
        if alarm.phase == .ended, let peakAt = alarm.peakAt {
            facts.append("\(alarm.peakWord) at \(time.clock(peakAt))")
        }
        facts.append("\(alarm.phase == .ended ? "began" : "since") \(time.clock(since))")
        if alarm.episodeCount > 1 { facts.append("\(alarm.episodeCount) episodes") }
        if alarm.alarmClass == .physiological, !isOfOther, let name { facts.append(name) }
        if let rule = alarm.feverRule { facts.append(rule.text(for: alarm.kind)) }
    }

    /// The columns that the line needs for the essential parts: title, value with its limit, and state.
    var leastColumns: Int {
        columnWidth(of: ([marks, title] + numbers + [standing.last].compactMap { $0 }).joined(separator: "   "))
    }

    /// The line in a width in columns: title and state are omitted last.
    func line(columns: Int, glyphs: GlyphSet) -> String {
        func joined(_ text: String, _ standing: String?) -> String {
            standing.map { text + glyphs.dot + $0 } ?? text
        }
        func fits(_ text: String) -> Bool { columnWidth(of: text) <= columns }
        let heads = ["\(marks) \(title)", "\(marks) \(shortTitle)"]
        guard var text = heads.first(where: { fits(joined($0, standing.last)) }) else {
            // A shortened name is better than an alarm that wrongly looks current.
            let tight = standing.last.map { "\(marks) \($0) \(shortTitle)" } ?? "\(marks) \(shortTitle)"
            return ellipsized(tight, columns: columns, glyphs: glyphs)
        }
        for number in numbers {
            guard fits(joined("\(text) \(number)", standing.last)) else { break }
            text += " \(number)"
        }
        text = joined(text, standing.first { fits(joined(text, $0)) })
        return fitted([text] + facts, separator: glyphs.dot, columns: columns, glyphs: glyphs)
    }

    private static func technicalFacts(
        of alarm: Alarm, title: String, trouble: EnvironmentWarning?, gap: Gap?, time: TimeText
    ) -> [String] {
        guard let sensor = alarm.sensor else {
            if let trouble, trouble.kind == alarm.kind { return [trouble.remedy] }
            let detail = alarm.detail.map { [$0] } ?? []
            guard alarm.kind == .notMonitored, let gap else { return detail }
            return detail + ["\(time.clock(gap.from)) to \(time.clock(gap.to))"]
        }
        let name = sensor.shortName()
        // Avoids "LINK LOST · link lost".
        if alarm.kind == .linkLost, let trouble { return [name, trouble.text] }
        guard let reason = alarm.reason, reason.shortText.uppercased() != title else {
            return [name] + (alarm.detail.map { [$0] } ?? [])
        }
        return [name, AbsenceExplanation(reason: reason, sensor: sensor.kind, vital: alarm.vital).title]
    }

    /// The values that rounding must not cross: the alarm's own limit, and those by which the vital's number is
    /// rounded, so that the same value reads the same in both places.
    private static func limits(of alarm: Alarm, _ state: MonitorState) -> [VitalValue] {
        let own = alarm.limit.flatMap { alarm.kind.relation?.boundary($0) }
        return (own.map { [$0] } ?? []) + (alarm.vital.map { state.boundaries(of: $0) } ?? [])
    }

    /// The value beside its limit: "38.6 °C", "≥ 38.3"; "88 %", "< 90", "for 15 s".
    ///
    /// An ended alarm shows its worst value; a value that is not current is marked. A comparison that does not hold is
    /// omitted.
    private static func numbers(
        of alarm: Alarm, _ limits: [VitalValue], isCurrent: Bool, screen: ScreenState
    ) -> [String] {
        let isOver = alarm.phase == .ended
        if let word = alarm.rangeText, let vital = alarm.vital, let limit = alarm.limit {
            let time = isOver ? "\(alarm.peakWord) " : isCurrent || alarm.isOfEntry ? "" : "last "
            let sign = alarm.kind.relation.map { "\(screen.glyphs.fit($0.sign)) " } ?? ""
            return [time + word, sign + ValueText(screen.units).limit(limit, of: vital)]
        }
        guard let value = isOver ? alarm.peak ?? alarm.value : alarm.value else { return [] }
        let relation = alarm.kind.relation.map { screen.glyphs.fit($0.sign) } ?? ""
        let isBeyond = alarm.isBeyondLimit(value)
        guard let vital = alarm.vital else {
            let limit = isBeyond ? alarm.limit.map { ["\(relation) \($0.hundredths / 100)"] } ?? [] : []
            return ["\(value.hundredths / 100) \(alarm.kind == .weakSignal ? "dBm" : "%")"] + limit
        }
        let text = ValueText(screen.units)
        let isLast = !isCurrent && !alarm.isOfEntry
        let time = isOver ? "\(alarm.peakWord) " : isLast ? "last " : ""
        let number = "\(text.digits(value, of: vital, limits: limits)) \(vital.unitText(screen.units, screen.glyphs))"
        let duration = alarm.duration.flatMap { $0 > .zero && !isOver ? alarm.phrase.duration : nil }.map { [$0] } ?? []
        switch alarm.kind {
        case .fall, .rise:
            guard let amount = alarm.limit else { return [time + number] }
            let verb = alarm.kind == .fall ? "fell by" : "rose by"
            let change = "\(verb) \(screen.glyphs.atLeast) \(text.difference(amount, of: vital))"
            return [time + number, change] + duration
        case .flatLine: return [time + number] + duration
        default: break
        }
        guard let limit = alarm.limit, isBeyond else {
            return [(isCurrent ? "now " : isOver ? time : "last ") + number]
        }
        return [time + number, "\(relation) \(text.limit(limit, of: vital))"] + duration
    }

    /// The worst value, if the newest one is better.
    private static func peak(of alarm: Alarm, _ limits: [VitalValue], screen: ScreenState) -> String? {
        guard let vital = alarm.vital, let peak = alarm.peak, let value = alarm.value, peak != value,
            alarm.phase != .ended
        else { return nil }
        let text = ValueText(screen.units)
        let digits = text.digits(peak, of: vital, limits: limits)
        // After rounding it is the same number, which would only flicker.
        if digits == text.digits(value, of: vital, limits: limits) { return nil }
        return "\(alarm.peakWord) \(digits)"
    }
}

extension GlyphSet {
    /// One mark for low, two for medium, three for high priority.
    package func marks(of priority: AlarmPriority) -> String {
        switch priority {
        case .low: alarm
        case .medium: alarm + alarm
        case .high: alarm + alarm + alarm
        }
    }
}

extension AlarmPriority {
    /// The role that gives the priority its colour.
    package var role: Style.Role {
        switch self {
        case .low: .alarmLow
        case .medium: .alarmMedium
        case .high: .alarmHigh
        }
    }
}

/// The look of an alarm at a moment: flashing, steady, or answered.
///
/// What an unanswered alarm fills follows its priority. High: its line, the whole field of its number and the name,
/// always, flashing between two fills. Medium: its line, its number and the name while it is lit. Low: only its marks and
/// the name. An answered alarm fills nothing and keeps its colour.
package enum AlarmLook {
    /// The style of its line.
    ///
    /// Active or suspended ones flash by their priority, clearing or ended ones are steady.
    static func line(of alarm: Alarm, _ state: MonitorState, at now: Moment) -> Style {
        alarm.priority == .low ? Style(.alarmLow, .bold) : mark(of: alarm, state, at: now)
    }

    /// The style of its number.
    static func number(of alarm: Alarm, _ state: MonitorState, at now: Moment) -> Style {
        let style = line(of: alarm, state, at: now)
        return style.attributes.isDisjoint(with: [.reverse, .flashing]) ? style : style.with(.field)
    }

    /// The style of its marks, and of the name of what it is about: filled even with low priority.
    static func mark(of alarm: Alarm, _ state: MonitorState, at now: Moment) -> Style {
        let style = Style(alarm.priority.role, .bold)
        if alarm.acknowledgedAt != nil || alarm.heldUntil != nil { return style }
        guard alarm.isFlashing else { return style.reversed }
        return flashing(alarm.priority, at: now, isMotionReduced: state.settings.alarmSignals.isMotionReduced)
    }

    /// The style of what an unanswered alarm of a priority fills, at a moment.
    package static func flashing(_ priority: AlarmPriority, at now: Moment, isMotionReduced: Bool) -> Style {
        let isLit = AlarmFlash.isLit(priority, at: now, isMotionReduced: isMotionReduced)
        return phase(Style(priority.role, .bold).with(priority == .low ? [] : .flashing), isLit: isLit)
    }

    /// A style in a phase of its flashing.
    static func phase(_ style: Style, isLit: Bool) -> Style {
        let bare = Style(style.role, style.attributes.subtracting([.reverse, .second]))
        if isLit { return bare.reversed }
        return style.role == AlarmPriority.high.role ? bare.reversed.with(.second) : bare
    }
}

extension Grid {
    /// Updates everything that flashes for another moment; nothing else changes.
    ///
    /// - Parameters:
    ///   - moment: When it is shown.
    ///   - isMotionReduced: Whether nothing flashes.
    public mutating func flash(at moment: Moment, isMotionReduced: Bool) {
        let lit = AlarmPriority.allCases.filter {
            AlarmFlash.isLit($0, at: moment, isMotionReduced: isMotionReduced)
        }.map(\.role)
        restyleFlashing { AlarmLook.phase($0, isLit: lit.contains($0.role)) }
    }
}
