import Appearance
import Dashboard
import Monitoring
import Base
import Vitals
import Ward
import WardMessages
import Wording

/// The input of every part of the ward screen.
struct WardScene {
    let state: WardState
    let screen: WardScreenState
    let now: Moment
    /// All alarms, the worst first.
    let items: [WardAlarmItem]
    /// The ward's own alarms by bed.
    let own: [WardBed: WardOwnAlarm]
    /// How many beds are live.
    let liveCount: Int
    /// The places of the shown beds, in their order; empty on other pages.
    let places: [Int]
    /// The selected one of them.
    let selected: WardBed?
    /// Whether a bed's blood pressure can be shown.
    let hasPressure: Bool
    /// The mark of all beds at once, which the header shows instead of each of them; `nil` where they differ, or for none.
    let commonMark: String?

    /// - Parameter size: The size of the screen; `nil` for a line without a header.
    init(state: WardState, screen: WardScreenState, size: (columns: Int, rows: Int)? = nil, now: Moment) {
        (self.state, self.screen, self.now) = (state, screen, now)
        commonMark = size.map { WardParts.hasRoomForMark($0.columns, $0.rows) } == true ? Self.commonMark(state) : nil
        own = state.ownAlarmsByBed
        var count = 0
        state.forEachLiveBed { _ in count += 1 }
        liveCount = count
        places = screen.page == .beds ? screen.shownPlaces(state) : []
        selected = screen.selectedBed(among: places, state)
        hasPressure = places.contains { state.beds[$0].hasPressure }
        items = WardAlarmItem.all(state)
    }

    /// The message for the user, shown for some seconds unless a later alarm replaces it.
    var notice: String? {
        guard let notice = state.notice, now.since(notice.since) < WardHeaderView.noticeTime else { return nil }
        let isPassed = state.log.contains { entry in
            (entry.change == .active || entry.change == .worsened) && entry.moment > notice.since
        }
        return isPassed ? nil : notice.text
    }

    var glyphs: GlyphSet { screen.glyphs }
    var time: TimeText { TimeText(now: now, timeZoneOffset: screen.timeZoneOffset) }

    /// The style of an alarm's line: an unanswered one of high or medium priority is filled and flashes.
    func style(_ priority: AlarmPriority, isUnanswered: Bool) -> Style {
        guard isUnanswered, priority > .low else { return Style(priority.role, .bold) }
        return AlarmLook.flashing(priority, at: now, isMotionReduced: screen.isMotionReduced)
    }

    /// An alarm at a bed: marks, the bed's own text, and who answers it.
    ///
    /// If the alarm's value is of another moment than the number beside it, the text has no value.
    func text(_ alarm: WardAlarm, of bed: BedState) -> [String] {
        var marks = glyphs.marks(of: alarm.priority)
        if alarm.isAcknowledged { marks += " \(glyphs.tick)" }
        let words = isOfAnotherMoment(alarm, of: bed) ? alarm.title : alarm.text
        var parts = ["\(marks) \(glyphs.fit(words))"]
        if !alarm.acknowledgedBy.isEmpty { parts.append("acknowledged by \(alarm.acknowledgedBy)") }
        if alarm.isHeld { parts.append("held for care") }
        if alarm.isSnoozed { parts.append("snoozed") }
        if let going = alarm.going { parts.append("\(going.who) is going") }
        return parts
    }

    /// A bed's name, with a mark if its numbers are simulated or replayed.
    ///
    /// It is shown wherever a bed's numbers or alarms are, because remarks may not fit.
    func title(of bed: BedState) -> String {
        [mark(of: bed), state.label(of: bed.bed)].compactMap { $0 }.joined(separator: " ")
    }

    /// The mark of a bed whose numbers are simulated or replayed, unless the header has it for all beds.
    func mark(of bed: BedState) -> String? { isMarked(bed) ? bed.facts?.isReplay == true ? "REPLAY" : "SIM" : nil }

    private func isMarked(_ bed: BedState) -> Bool { bed.isSimulated && commonMark == nil }

    /// The mark that holds for every bed of which anything is shown.
    private static func commonMark(_ state: WardState) -> String? {
        var common: String?
        for place in state.beds.indices where state.beds[place].link != .simulatedRefused {
            guard let facts = state.beds[place].facts else { continue }
            guard facts.isReplay || facts.isSimulated else { return nil }
            let mark = facts.isReplay ? "REPLAY" : "SIMULATED"
            if common ?? mark != mark { return nil }
            common = mark
        }
        return common
    }

    /// Whether an alarm's value differs from the shown value of the same sensor.
    private func isOfAnotherMoment(_ alarm: WardAlarm, of bed: BedState) -> Bool {
        guard alarm.state == .active || alarm.state == .acknowledged, let vital = alarm.vital, let named = alarm.value,
            bed.source(of: vital)?.address == alarm.sensor?.address
        else { return false }
        switch bed.shown(vital, at: now, state.settings) {
        case .present(let value, _, _), .stale(let value, _): return value != named
        case .none, .lost, .absent, .old: return false
        }
    }

    /// Since when an alarm is active, or when an ended one began.
    func since(_ alarm: WardAlarm, of bed: BedState) -> String? {
        bed.activeSince(alarm.id).map { "\(alarm.state == .ended ? "began" : "since") \(time.clock($0))" }
    }

    /// The prefix of the ward's own alarm about a bed; its text may contain the bed's name, without the site.
    func prefix(_ bed: WardBed, of alarm: WardOwnAlarm) -> String? {
        guard alarm.kind == .twoMonitors else { return state.label(of: bed) }
        return state.hasSeveralSites ? bed.site.text : nil
    }

    /// The ward's own alarm: marks and title.
    func text(_ alarm: WardOwnAlarm) -> String {
        let marks = glyphs.marks(of: alarm.kind.priority) + (alarm.isAcknowledged ? " \(glyphs.tick)" : "")
        return "\(marks) \(alarm.text)"
    }

    /// The state of a bed's link unless it is live, with its style.
    func linkText(_ bed: BedState) -> (text: [String], style: Style)? {
        let clock = time.clock(bed.linkSince)
        let own = own[bed.bed]
        func alarming(_ kind: WardOwnAlarm.Kind) -> Style {
            style(kind.priority, isUnanswered: own?.kind == kind && own?.isAcknowledged == false)
        }
        func marked(_ kind: WardOwnAlarm.Kind, _ text: String) -> String {
            "\(glyphs.marks(of: kind.priority)) \(own?.isAcknowledged == true ? "\(glyphs.tick) " : "")\(text)"
        }
        switch bed.link {
        case .live: return nil
        case .noBroker: return (["NO BROKER", "nothing is known since \(time.clock(state.brokerSince))"], .strong)
        case .waiting: return (["ASKING", "values come with the answer"], .faint)
        case .noAnswer:
            return ([marked(.noAnswer, "NO ANSWER"), "the age of its values is unknown"], alarming(.noAnswer))
        case .noLink:
            let heard = bed.lastHeard.map { "last heard \(time.clock($0))" } ?? "since \(clock)"
            return ([marked(.noLink, "NO LINK"), heard], alarming(.noLink))
        case .closed: return (["CLOSED", "at the bed, \(clock)"], .faint)
        case .handover: return (["ANOTHER SESSION", "no values until the first is over"], Style(.alarmLow, .bold))
        case .twoMonitors:
            let names = bed.claimants.isEmpty ? "no values are shown" : bed.claimants.joined(separator: ", ")
            return (
                [marked(.twoMonitors, "TWO MONITORS FOR \(state.label(of: bed.bed).uppercased())"), names],
                alarming(.twoMonitors)
            )
        case .simulatedRefused: return (["SIMULATED", "not shown beside real beds"], Style(.simulated, .bold))
        case .noPlace: return (["NO PLACE"], alarming(.noPlace))
        }
    }

    /// Marks and problems of a bed: simulated, sound, clock, batteries, links.
    func remarks(_ bed: BedState) -> [(text: String, style: Style)] {
        var remarks: [(String, Style)] = []
        if isMarked(bed) {
            remarks.append((bed.facts?.isReplay == true ? "REPLAY" : "SIMULATED", Style(.simulated, .bold)))
        }
        guard bed.link.isLive else { return remarks }
        if state.isAsking(bed.bed) {
            remarks.append(("asking \(state.label(of: bed.bed)) \(glyphs.ellipsis)", .strong))
        }
        switch bed.sound {
        case .on: break
        case .silent(let seconds, let name):
            let left = TimeText.span(max(0, Int64(seconds) - now.since(bed.soundTold).components.seconds))
            let place = bed.isSounded(at: now) ? "SOUNDED HERE" : "sounded by \(sanitized(name, limit: 16))"
            remarks.append(("\(glyphs.crossed) silent \(left), \(place)", Style(.alarmLow, .bold)))
        case .off: remarks.append(("\(glyphs.crossed) sound off at the bed", Style(.alarmLow, .bold)))
        case .paused(let seconds):
            let left = Int64(seconds) - now.since(bed.soundTold).components.seconds
            remarks.append(("\(glyphs.crossed) sound paused \(TimeText.span(max(0, left)))", Style(.alarmLow, .bold)))
        }
        if let skew = bed.skewMilliseconds, abs(skew) >= BedState.shownSkew {
            let text = "clock \(skew < 0 ? glyphs.minus : "+")\(TimeText.span((abs(skew) + 500) / 1000))"
            remarks.append((text, abs(skew) > 60_000 ? Style(.alarmLow, .bold) : .faint))
        }
        for sensor in bed.sensors {
            let name = sensor.sensor.shortName(limit: 16)
            if let percent = sensor.batteryPercent, percent <= 20 {
                remarks.append(("battery \(percent) % \(name)", percent <= 10 ? Style(.alarmLow, .bold) : .plain))
            }
            if sensor.phase == .waiting || sensor.phase == .connecting { remarks.append(("link lost \(name)", .plain)) }
        }
        return remarks
    }

    /// A vital as text, its style, and its age or the time of measurement.
    func value(_ vital: Vital, of bed: BedState) -> ShownText {
        let text = ValueText(screen.units)
        func digits(_ value: VitalValue) -> String { text.digits(value, of: vital, limits: bed.boundaries(of: vital)) }
        func age(_ milliseconds: Int64) -> String {
            milliseconds < 2000 ? "now" : TimeText.span(milliseconds / 1000)
        }
        switch bed.shown(vital, at: now, state.settings) {
        case .none: return ShownText(digits: "", note: "", style: .faint)
        case .present(let value, let quality, let milliseconds):
            let calibrated = bed.calibration(of: vital).map { " cal \(time.dated($0.wallMilliseconds))" }
            return ShownText(
                digits: digits(value),
                note: age(milliseconds) + (quality.isQuestionable ? " ?" : "") + (calibrated ?? ""),
                isPlain: !quality.isQuestionable && milliseconds < Self.plainAge,
                style: style(of: vital, of: bed))
        case .stale(let value, let milliseconds):
            return ShownText(
                digits: digits(value), note: "\(age(milliseconds)) old", isStale: true, style: .faint.dimmed)
        case .lost(_, let milliseconds):
            return ShownText(digits: "--", note: "none for \(age(milliseconds))", style: .faint)
        case .absent(let reason): return ShownText(digits: "--", note: reason.shortText, style: Style(.alarmLow, .bold))
        case .old(let value, let measured):
            return ShownText(digits: digits(value), note: "at \(time.clock(measured))", style: .faint.dimmed)
        }
    }

    /// The age in milliseconds up to which a present value needs no word, unless it is questionable.
    static let plainAge: Int64 = 10_000

    /// The style of a vital's present value: an alarm's colour, and filled while one of high priority is unanswered.
    private func style(of vital: Vital, of bed: BedState) -> Style {
        guard let alarm = alarm(about: vital, of: bed) else { return Style(vital.role, .bold) }
        let isFilled = alarm.priority == .high && alarm.wantsAttention
        return style(alarm.priority, isUnanswered: isFilled).with(isFilled ? .field : [])
    }

    /// The worst alarm that a vital's present value causes; its number has the alarm's colour, as at the bed.
    private func alarm(about vital: Vital, of bed: BedState) -> WardAlarm? {
        bed.alarms.first {
            $0.vital == vital && $0.alarmClass == .physiological && ($0.state == .active || $0.state == .acknowledged)
        }
    }

    /// The newest blood pressure with its age and source, and its style; `nil` without one in the last day.
    ///
    /// The number is never without its time.
    func pressureText(_ bed: BedState, columns: Int) -> (text: String, style: Style)? {
        guard let shown = bed.shownPressure(at: now) else { return nil }
        let entry = shown.entry
        let age = shown.age.map {
            entry.facts.isTimeKnown ? "\(TimeText.span($0.components.seconds)) old" : "time unknown"
        }
        let parts = [
            "BP \(shown.pressure.digits)\(columns >= 30 ? " mmHg" : "") at \(time.clock(shown.measured))",
            shown.isValid ? nil : shown.age == nil ? "last known" : "OLD", age, entry.sourceText,
            shown.pressure.pulse.map { "pulse \($0)" }, entry.remark,
        ].compactMap { $0.map(glyphs.fit) }
        guard let first = parts.first, columnWidth(of: first) <= columns else { return nil }
        let text = fitted(parts, separator: glyphs.dot, columns: columns, glyphs: glyphs)
        return (text, shown.isValid ? .plain : .faint.dimmed)
    }

    /// The known vitals of a bed in their order; the usual three if none is known.
    func vitals(of bed: BedState) -> [Vital] {
        let known = Vital.allCases.filter { vital in
            // One without limits says too little about the patient to be worth the room.
            guard vital.traits.limits != nil else { return false }
            if case .none = bed.shown(vital, at: now, state.settings) { return false }
            return true
        }
        // Of two rates, one is shown.
        let shown = known.contains(.heartRate) ? known.filter { $0 != .pulseRate } : known
        return shown.isEmpty ? [.heartRate, .oxygenSaturation, .bodyTemperature] : shown
    }

    func name(_ vital: Vital) -> String { glyphs.fit(vital.shortText) }
}

/// A value with its text and style.
struct ShownText {
    /// The digits; empty for an unknown value.
    var digits: String
    /// The age, or the reason for a missing value.
    var note: String
    /// Whether it is overdue.
    var isStale = false
    /// Whether it is present, new and beyond doubt, so that a number among many needs no word.
    var isPlain = false
    /// The style; only a present value has the colour of its vital, or of an alarm about it.
    var style: Style
}

extension BedState {
    /// The values that rounding must not cross.
    func boundaries(of vital: Vital) -> [VitalValue] {
        guard let limits = limits.first(where: { $0.vital == vital }) else { return [] }
        // "Above a high limit" begins with the next hundredth.
        let high = [limits.high, limits.severeHigh].compactMap { $0 }.map {
            VitalValue(hundredths: $0.hundredths.addingSaturated(1))
        }
        return [limits.severeLow, limits.low].compactMap { $0 } + high
    }

    /// The limits of a vital that are drawn in its trend.
    func lines(of vital: Vital) -> [VitalValue] {
        guard let limits = limits.first(where: { $0.vital == vital }) else { return [] }
        return [limits.low, limits.high].compactMap { $0 }
    }
}
