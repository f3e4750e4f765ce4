import Appearance
import Base
import Monitoring
import Vitals
import Wording

/// One of the large vitals, independent of its size: text, digits, colours, graph.
///
/// It contains everything that its drawing shows of the state, so that equal ones look the same.
struct VitalPanel: Hashable {
    /// The text of a missing measurement.
    struct Missing: Hashable {
        /// The large word in place of the number: "OFF"; empty if no measurement is expected.
        var word = ""
        /// The duration: "2 min 10 s"; empty if no measurement is expected.
        var time = ""
        /// The priority of its alarm, or of its later one.
        var priority = AlarmPriority.low
        /// The problem.
        var title: String
        /// A short form, in two words at most.
        var shortTitle: String
        /// The remedy; may be empty.
        var remedy: String
        /// The last value with its time, if there was one.
        var last: String?
        /// The duration, in a sentence.
        var duration: String { "for \(time)" }
        /// Whether something is wrong, rather than nothing wanted.
        var isBanner: Bool { !word.isEmpty }
        /// The style of the word and its outline: nothing is filled, because what is missing is no danger yet.
        var style: Style { isBanner ? Style(priority.role, .bold) : .faint }
    }

    /// A wave beside the vital.
    struct Wave: Hashable {
        /// Its name: "ECG".
        var title: String
        /// Whether the height of its drawing means something.
        var isGainFixed: Bool
        /// Whether it is drawn.
        var isDrawn: Bool
        /// Why it is not; empty where nothing is to be said.
        var words: String
        /// That it is frozen, and for how long; empty while it goes on.
        var frozen: String
    }

    /// Its place on the screen.
    let slot: ShownVital.Place
    var vital: Vital
    var role: Style.Role
    /// Its name in capitals: "HEART RATE", "CORE TEMPERATURE".
    var title: String
    /// Its name in at most five columns.
    var shortTitle: String
    var unit: String
    /// The direction of the vital, from the longest text to the shortest, such as "→ +6"; empty if unknown.
    var courses: [String] = []
    /// The value, or "--".
    var digits: String
    /// The same with at most the usual decimals, where the large digits have no more room; the value itself is beside.
    var largeDigits: String
    /// The style of the value; that of an unanswered alarm fills the field of the number, see ``isFieldFilled``.
    var digitStyle: Style
    /// Whether an alarm fills the field of the number, if only while it is lit.
    var isFieldFilled: Bool { missing == nil && !digitStyle.attributes.isDisjoint(with: [.reverse, .flashing]) }
    /// Whether the whole field is filled rather than the number alone: an alarm of high priority comes before all others.
    var isWholeFieldFilled: Bool { isFieldFilled && digitStyle.role == .alarmHigh }
    /// The style of the name: an alarm about the vital flashes there, too.
    var nameStyle: Style
    /// The marks of the priority of the worst alarm about the vital; empty without one.
    var marks = ""
    /// The freshness of the value, such as "now" or "STALE 8 s"; empty without a value.
    var freshness: String
    /// Whether the value was typed by hand.
    var isManual = false
    /// Whether the value should have been renewed by now.
    var isStale = false
    /// Whether the value is computed from raw counts, calibrated or not.
    var isEstimate = false
    /// The sensor's name; empty without one.
    var source: String
    /// The address of the value's sensor, or of the expected one; `nil` without one.
    var sensor: String?
    /// Other remarks on the value.
    var remarks: [Remark]
    /// The missing measurement; `nil` with a value.
    var missing: Missing?
    /// Whether the trend in memory has values for a graph.
    var hasTrend: Bool
    /// Whether the mark of arriving values is in the second half of its beat; `false` without values or with reduced
    /// motion.
    var isSecondHalfOfBeat = false
    /// What is said about the wave of its sensor, and why it is not there; `nil` without one.
    var wave: Wave?
    /// The values at which the vital's evaluation changes; rounding must not cross them.
    var valueLimits: [VitalValue]
    /// The upper and the lower limit, or "off".
    var limitTexts: (upper: String, lower: String) { (limits[0], limits[1]) }
    private var limits: [String]
    /// The graph's content; `nil` without a graph.
    var picture: TrendPicture?

    /// The unit, and after it the direction of the vital, in the longest text that fits.
    func unit(columns: Int) -> String {
        courses.map { "\(unit) \($0)" }.first { columnWidth(of: $0) <= columns } ?? unit
    }

    /// The remarks that come before everything else.
    var warnings: [String] { remarks.filter { $0.kind == .warning }.map(\.text) }
    /// The same in their shortest words.
    var shortWarnings: [String] { remarks.filter { $0.kind == .warning }.compactMap(\.texts.last) }
    /// The warnings in their longest words that are not cut after other text.
    func warnings(after text: String, columns: Int) -> [String] {
        let width = ([text] + warnings).reduce(0) { $0 + columnWidth(of: $1) + 3 } - 3
        return width <= columns ? warnings : shortWarnings
    }

    /// The other remarks.
    var comments: [String] { remarks.filter { $0.kind != .warning }.map(\.text) }

    /// The texts for the one-hour fever rule that cannot evaluate yet, from the longest to the shortest; usually empty.
    var feverTexts: [String] { remarks.first { $0.kind == .feverNotEvaluated }?.texts ?? [] }

    /// The other remarks if they do not all fit: that on the fever rule, with the given text, before other vitals, but
    /// after what is about the value itself.
    func comments(feverText: String?) -> [String] {
        let first = remarks.prefix { $0.kind == .comment || $0.kind == .warning }
        let others = remarks.dropFirst(first.count)
        return first.filter { $0.kind == .comment }.map(\.text) + [feverText].compactMap { $0 }
            + others.filter { $0.kind == .comment || $0.kind == .companion }.map(\.text)
    }

    /// The value of another vital that belongs beside the number: "pulse 71"; `nil` without one.
    var companion: String? { remarks.first { $0.kind == .companion }?.text }

    /// Creates the content of a place on the screen.
    ///
    /// - Parameters:
    ///   - frame: The period of its graph; `nil` without a graph.
    ///   - former: Its graph in the previous frame.
    init(
        _ slot: ShownVital.Place, state: borrowing MonitorState, screen: borrowing ScreenState, time: TimeText,
        frame: TrendFrame? = nil, former: TrendPicture? = nil
    ) {
        let shown = state.shownVital(slot, at: time.now)
        self.slot = slot
        vital = shown.vital
        hasTrend = !shown.trend.isEmpty
        valueLimits = state.boundaries(of: shown.vital)
        role = vital.role
        let sample = shown.condition.lastSample
        (title, shortTitle) = Self.titles(vital, site: sample?.site, glyphs: screen.glyphs)
        unit = vital.unitText(screen.units, screen.glyphs)
        source = shown.condition == .neverSeen ? "" : sample?.sensor.name ?? shown.source?.name ?? ""
        nameStyle = Style(role, .bold)
        wave = screen.waves.strips[slot].map { strip in
            Wave(
                title: strip.kind.traits.title, isGainFixed: strip.kind.traits.isGainFixed,
                isDrawn: screen.showsWave(at: slot), words: strip.words(time, ellipsis: screen.glyphs.ellipsis),
                frozen: screen.waves.frozen.map { "FROZEN \(time.distance(to: $0.at))" } ?? "")
        }
        remarks = LimitRemarks(vital, state, screen: screen).remarks
        if let assigned = Self.assigned(vital, state), assigned != shown.source?.address {
            let name = state.sensor(address: assigned)?.identity.name ?? assigned
            if !source.isEmpty { remarks.append(Remark("instead of \(name)")) }
        }
        (digits, largeDigits) = ("--", "--")
        digitStyle = .faint
        freshness = ""

        let text = ValueText(screen.units)
        let limits = valueLimits
        self.limits = Self.limitTexts(of: shown.vital, state, text)
        func last(_ sample: Sample) -> String {
            let value = text.digits(sample.value, of: vital, limits: limits)
            return "last \(value) \(unit) at \(time.clock(sample.moment))"
        }
        switch shown.condition {
        case .neverSeen:
            missing =
                Self.awaited(slot, state).map(Self.missing)
                ?? Missing(
                    title: "no sensor yet", shortTitle: "no sensor", remedy: "connect \(vital.traits.sensorText)",
                    last: nil)
        case .measured(let sample):
            digits = text.digits(sample.value, of: vital, limits: limits)
            digitStyle = Style(role, .bold)
            freshness = time.age(of: sample.moment)
            isEstimate = sample.quality.isEstimate
            let warnings = CalibrationLabels(screen.units, time).warnings(
                on: sample, hasWeakPulse: state.hasWeakPulse(vital))
            remarks.insert(contentsOf: warnings.map { Remark($0, .warning) }, at: 0)
        case .stale(let sample):
            digits = text.digits(sample.value, of: vital, limits: limits)
            isStale = true
            digitStyle = Style(role, .dim)
            // A value from before the link was lost is stale even if it is very recent.
            let age = time.age(of: sample.moment)
            freshness = age == TimeText.now ? "STALE" : "STALE, \(age) old"
        case .lost(let sample) where state.hasNoMonitor:
            missing = Missing(
                word: AbsenceReason.lostWord, time: time.distance(to: sample.moment), title: "monitor lost",
                shortTitle: "no monitor", remedy: "look after the patient, not at the screen", last: last(sample))
        case .lost(let sample) where state.sensor(address: sample.sensor.address)?.isAwaitingValue == true:
            let isConnectedAgain = state.sensor(address: sample.sensor.address)?.isConnectedAgain == true
            missing = Missing(
                word: AbsenceReason.noneWord, time: time.distance(to: sample.moment),
                title: isConnectedAgain ? "connected again, no value yet" : "heard again, no value yet",
                shortTitle: "no value yet", remedy: "wait for a moment",
                last: last(sample))
        case .lost(let sample):
            let trouble = state.environment.silentPart == nil ? nil : EnvironmentWarning(state)
            missing = Missing(
                word: AbsenceReason.silentWord, time: time.distance(to: sample.moment),
                title: trouble?.text ?? "no new value", shortTitle: trouble?.text ?? "too old",
                remedy: trouble?.remedy
                    ?? AbsenceExplanation(reason: .silent, sensor: sample.sensor.kind, vital: vital).remedy,
                last: last(sample))
        case .noMeasurement(let absence):
            let words = AbsenceExplanation(reason: absence.reason, sensor: absence.sensor.kind, vital: vital)
            // The user should not look for a sensor if Bluetooth itself is missing.
            let trouble = absence.isExplainedByBluetooth(state) ? EnvironmentWarning(state) : nil
            missing = Missing(
                word: absence.reason.word, time: time.distance(to: absence.unmeasuredSince),
                priority: trouble == nil ? .low : .medium, title: trouble?.text ?? words.title,
                shortTitle: trouble?.text ?? absence.reason.shortText, remedy: trouble?.remedy ?? words.remedy,
                last: absence.last.map(last))
            source = absence.sensor.name
            freshness = "since \(time.clock(absence.since))"
        case .notConnected(let sample, let since):
            missing = Missing(
                title: "not connected", shortTitle: "not connected",
                remedy: "select the sensor and press \(screen.keys.name(of: .connect))",
                last: sample.map(last))
            freshness = "since \(time.clock(since))"
        }
        if let other = state.substitute(for: vital), missing?.isBanner == true {
            let key = screen.keys.name(of: .assignVitals)
            missing?.remedy += ", or select \(other.identity.shortName()), which measures it, and press \(key)"
        }
        // In a recording nothing can be remedied.
        if screen.session.replay != nil { missing?.remedy = "" }
        let manual = showManual(slot, beside: shown.condition, state, screen, time)
        // A value must not look as if it had raised the alarm of another source.
        let source = manual?.sensor ?? shown.source
        sensor = manual == nil && (missing == nil || missing?.isBanner == true) ? shown.source?.address : nil
        largeDigits = Self.large(digits, valueLimits.map { text.shownHundredths($0, of: vital) }, of: vital)
        if missing?.isBanner == true { markAbsence(source, state, screen, at: time.now) }
        let alarms = Self.alarms(about: vital, state)
        if let own = alarms.first(where: { $0.sensor?.address == source?.address }) {
            mark(own, isMeasured: manual != nil || shown.condition.isMeasured, state, screen, at: time.now)
        }
        if let other = alarms.first(where: { $0.sensor?.address != source?.address }) {
            let title = other.capitals(screen.glyphs)
            remarks.append(Remark("\(title) by \(sanitized(other.sensor?.name ?? "", limit: 24))"))
        }
        if vital == .glucose { addCourse(of: shown, screen, at: time.now) }
        let companion =
            Self.substitute(slot, beside: vital, state, screen, at: time.now)
            + Self.companions(beside: shown, state, screen)
        if vital == .bodyTemperature, missing == nil {
            // A possible fever is more important than the skin temperature; other remarks are less so.
            let fever = FeverRemarks(
                state, screen: screen, site: manual == nil ? sample?.site : manual?.site, time: time)
            remarks += fever.approaching + companion + fever.others
        } else {
            remarks += companion
        }
        if vital == .heartRate, missing == nil, let breathing = state.shownRespiration(at: time.now) {
            let numbers = screen.glyphs.fit("\(breathing.perMinute) ± \(breathing.spread)")
            remarks.append(Remark("breathing \(numbers), estimate"))
        }
        isSecondHalfOfBeat =
            missing == nil && !isStale && !shown.valueCount.isMultiple(of: 2)
            && !state.settings.alarmSignals.isMotionReduced
        picture = frame.map {
            TrendPicture(
                shown, $0, screen: screen, now: time.now, limits: TrendPicture.Limits(vital, state),
                manual: state.patientRecord.samples(of: manualVital), former: former)
        }
    }

    /// Gives the word in the number's place the colour of the worst alarm about the absence, and the name its marks.
    private mutating func markAbsence(
        _ source: SensorIdentity?, _ state: MonitorState, _ screen: ScreenState, at now: Moment
    ) {
        let alarms = state.shownAlarms.filter { $0.isAboutAbsence(ofVitalFrom: source) && $0.state != .ended }
        let worst = alarms.max { $0.priority < $1.priority }
        if let worst {
            let least = missing?.priority ?? .low
            missing?.priority = max(worst.priority, least)
            mark(worst, isMeasured: false, state, screen, at: now)
        }
        digits = missing?.word ?? digits
        largeDigits = digits
        unit = ""
        digitStyle = missing?.style ?? digitStyle
    }

    /// Marks name and value with an alarm: its marks, its colour, and its flashing while it is unanswered.
    ///
    /// The value stays bright: a dim one would look old.
    private mutating func mark(
        _ alarm: Alarm, isMeasured: Bool, _ state: MonitorState, _ screen: ScreenState, at now: Moment
    ) {
        guard marks.isEmpty || alarm.priority >= missing?.priority ?? .low else { return }
        marks = screen.glyphs.marks(of: alarm.priority)
        nameStyle = AlarmLook.mark(of: alarm, state, at: now)
        guard isMeasured else { return }
        digitStyle = AlarmLook.number(of: alarm, state, at: now)
    }

    /// The sensor that will measure a vital of a place, though it has sent nothing yet; a connected one first.
    private static func awaited(_ slot: ShownVital.Place, _ state: borrowing MonitorState) -> SensorState? {
        let vitals = [slot.candidates.first, slot.candidates.second].compactMap { $0 }
        let awaited = state.sensors.filter { sensor in
            sensor.isWanted && vitals.contains { sensor.identity.kind.usualVitals.contains($0) }
        }
        return awaited.first(where: \.isConnected) ?? awaited.first
    }

    /// The view while a sensor is awaited.
    private static func missing(awaiting sensor: SensorState) -> Missing {
        let name = sensor.identity.shortName()
        let isLinked = sensor.isConnected
        let remedy =
            !isLinked
            ? "\(name) is not connected yet"
            : sensor.identity.kind == .thermometer ? "measure with \(name)" : "\(name) is connected"
        return Missing(title: "no value yet", shortTitle: "no value yet", remedy: remedy, last: nil)
    }

    /// The value of the other vital of the same place, if it is measured, too: "pulse 71", "skin 34.1 °C".
    private static func substitute(
        _ slot: ShownVital.Place, beside vital: Vital, _ state: MonitorState, _ screen: ScreenState, at now: Moment
    ) -> [Remark] {
        guard let other = slot.candidates.second, other != vital,
            case .measured(let sample) = state[other].condition
        else { return [] }
        let digits = ValueText(screen.units)
            .digits(sample.value, of: other, limits: state.boundaries(of: other))
        if other == .pulseRate, state.rateDisagreement(at: now) != nil {
            return [Remark("PULSE \(digits) DIFFERS", .warning)]
        }
        // A rate has the unit of the number beside it, and no decimals either.
        let unit = other.traits.family == .heart ? "" : " \(other.unitText(screen.units, screen.glyphs))"
        return [Remark("\(other.traits.label) \(digits)\(unit)", .companion)]
    }

    /// The values that are shown beside a measured one of the same sensor and never alone: "PI 2.4 %".
    private static func companions(
        beside shown: VitalState, _ state: MonitorState, _ screen: ScreenState
    ) -> [Remark] {
        guard case .measured(let sample) = shown.condition else { return [] }
        return shown.vital.companions.compactMap { vital in
            guard case .measured(let own) = state[vital].condition, own.sensor.address == sample.sensor.address
            else { return nil }
            let digits = ValueText(screen.units).digits(own.value, of: vital)
            return Remark("\(vital.traits.label) \(digits) \(vital.unitText(screen.units, screen.glyphs))", .companion)
        }
    }

    /// The sensor that the user has assigned to a vital, if that sensor measures it.
    private static func assigned(_ vital: Vital, _ state: MonitorState) -> String? {
        state.sensors.first { $0.isAssigned(vital) }?.identity.address
    }

    private static func alarms(about vital: Vital, _ state: MonitorState) -> [Alarm] {
        state.alarms.filter { alarm in
            alarm.vital == vital && alarm.alarmClass == .physiological
                && alarm.state != .pending && alarm.state != .ended
        }
    }

    static func titles(_ vital: Vital, site: BodySite?, glyphs: GlyphSet) -> (String, String) {
        let title = vital.traits.title
        let shortTitle = vital.traits.shortTitle
        return switch (vital, site) {
        case (.bodyTemperature, .core): ("CORE \(title)", "CORE")
        case (.bodyTemperature, let site?): ("\(title), \(site.text.uppercased())", shortTitle)
        default: (glyphs.fit(title), glyphs.fit(shortTitle))
        }
    }
}

extension Vital {
    /// The vital's colour.
    package var role: Style.Role {
        switch traits.family {
        case .heart: .heartRate
        case .oxygen: .oxygenSaturation
        case .temperature: .temperature
        case .glucose: .glucose
        }
    }
}

extension Absence {
    /// Whether Bluetooth itself is the cause: it is not there, or it does not answer.
    fileprivate func isExplainedByBluetooth(_ state: MonitorState) -> Bool {
        reason == .linkLost || reason == .silent && state.environment.silentPart != nil
    }
}

extension Alarm {
    /// Whether it is about the absence of a sensor's values, rather than about its battery or its data.
    fileprivate func isAboutAbsence(ofVitalFrom sensor: SensorIdentity?) -> Bool {
        switch kind {
        case .sensorOff, .equipment, .noMeasurement, .calibrationWanted, .silent, .linkLost:
            self.sensor?.address == sensor?.address
        case .monitorLost: true
        case _ where kind.isAboutBluetooth: true
        default: false
        }
    }
}
