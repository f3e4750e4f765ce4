import Base
import Monitoring
import Vitals
import Wording

/// Notices that alarms cannot be heard, seen or recorded at present.
struct Notices: Hashable {
    /// Short texts, the most important first: "SOUND PAUSED 1:47", "CARE Polar H10 4:12", "SILENCED SpO₂ low 9:59".
    var lines: [String] = []

    /// Creates no notices.
    init() {}

    /// Determines the notices.
    init(_ state: borrowing MonitorState, screen: borrowing ScreenState, time: TimeText) {
        let glyphs = screen.glyphs
        let signal = state.signal
        let means = screen.soundMeans(state)
        if signal.isOff || means == .off {
            lines.append("\(glyphs.crossed) \(SoundMeans.off.text)")
        } else if means == .notAvailable {
            lines.append("\(glyphs.crossed) \(screen.soundlessText(state))")
        }
        if screen.session.ignoresConfiguration { lines.append("\(glyphs.crossed) CONFIGURATION NOT READ") }
        if let silence = signal.silence {
            let name = ellipsized(sanitized(silence.listener), columns: 24, glyphs: glyphs)
            lines.append("\(glyphs.crossed) SILENT until \(time.clock(silence.until).prefix(5)), sounded by \(name)")
        } else if signal.silenceAskedUntil != nil {
            lines.append("not silent yet: asking for a ward screen that sounds")
        }
        if let until = signal.pausedUntil {
            lines.append("\(glyphs.crossed) SOUND PAUSED \(time.countdown(to: until))")
        }
        for sensor in state.sensors {
            guard let until = state.carePause(address: sensor.identity.address) else { continue }
            let name = ellipsized(sanitized(sensor.identity.name), columns: 16, glyphs: glyphs)
            lines.append("\(glyphs.crossed) CARE \(name) \(time.countdown(to: until))")
        }
        for snooze in signal.snoozes {
            let name = glyphs.fit(snooze.key.text)
            // The reminder of a blood count is deferred to a time of day.
            lines.append(
                snooze.key.kind == .labDue
                    ? "\(glyphs.crossed) DEFERRED \(name) until \(time.clock(snooze.until).prefix(5))"
                    : "\(glyphs.crossed) SILENCED \(name) \(time.countdown(to: snooze.until))")
        }
        if state.alarms.contains(where: { $0.kind == .storage && $0.phase != .pending }) {
            lines.append("\(glyphs.trouble) STORAGE")
        }
        if let question = state.deviceUsers.questions.first {
            let name = ellipsized(sanitized(question.sensor.shortName(limit: 16)), columns: 16, glyphs: glyphs)
            lines.append("WHICH USER OF \(name) IS THE PATIENT? \(screen.keys.name(of: .chooseUser)) answers")
        }
    }

    /// The ends of the countdowns, unsorted.
    static func ends(_ state: MonitorState) -> [Moment] {
        let signal = state.signal
        let cares = state.sensors.compactMap { state.carePause(address: $0.identity.address) }
        return [signal.pausedUntil].compactMap { $0 } + cares + signal.snoozes.map(\.until)
    }
}

extension ScreenState {
    /// The means of sound on this screen; the speakers of a viewed monitor may be far away.
    func soundMeans(_ state: MonitorState) -> SoundMeans {
        let isHere = session.viewedMonitor == nil && session.replay == nil
        return isHere && session.soundMeans != .off && state.environment.soundOutput == .working
            ? .speakers : session.soundMeans
    }

    /// Whether it is certain that no loudspeaker sounds here but only the terminal's bell, which may not wake anybody.
    func lacksLoudspeaker(_ state: MonitorState) -> Bool {
        guard session.viewedMonitor == nil, session.replay == nil, !state.signal.isOff else { return false }
        return soundMeans(state) == .bellOnly && state.environment.soundOutput != nil
    }

    /// The text that there is no sound, with the reason if known: "SOUND: none: no sound card".
    func soundlessText(_ state: MonitorState) -> String {
        switch state.environment.soundOutput {
        case .unavailable(let reason)?, .lost(let reason)?: "SOUND: none: \(sanitized(reason, limit: 40))"
        case .working?, nil: SoundMeans.notAvailable.text
        }
    }
}

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

/// The remarks of the fever rules on a temperature that is no fever yet, the most important first.
struct FeverRemarks {
    /// A possible beginning of a fever: "≥ 38.3: 1 of 3", "≥ 38.0 for 34 of 60 min".
    var approaching: [Remark] = []
    /// Other remarks: "1-hour fever rule: 12 of 60 min recorded".
    var others: [Remark] = []

    /// Creates the remarks on the temperature of a site.
    init(_ state: borrowing MonitorState, screen: borrowing ScreenState, site: BodySite?, time: TimeText) {
        let fevers = Self.fevers(state)
        let text = ValueText(screen.units)
        for alarm in fevers where alarm.kind == .feverSingle && alarm.state == .pending {
            guard let confirmations = alarm.confirmations, let limit = alarm.limit else { continue }
            let shown = text.limit(limit, of: .bodyTemperature)
            approaching.append(
                Remark("\(screen.glyphs.atLeast) \(shown): \(confirmations.count) of \(confirmations.wanted)"))
        }
        let progress = state.feverProgress
        if let progress, progress.isEvaluated {
            let limit = text.limit(state.settings.fever.sustainedThreshold, of: .bodyTemperature)
            approaching.append(Remark(progress.text(limit: limit, atLeast: screen.glyphs.atLeast)))
        }
        let notEvaluated = Self.notEvaluatedTexts(state)
        if !notEvaluated.isEmpty { others.append(Remark(notEvaluated, .feverNotEvaluated)) }
        if let given = AntipyreticLabels(state, time: time).remark { others.append(Remark(screen.glyphs.fit(given))) }
        if let count = NeutrophilLabels(state, time: time).remark { others.append(Remark(screen.glyphs.fit(count))) }
        // The site's note is shown only if the limits matter.
        if !fevers.isEmpty || progress?.isEvaluated == true, let note = BodySite.feverNote(for: site) {
            others.append(Remark(note))
        }
    }

    /// How far below the limit of the one-hour rule a temperature must be for the rule to matter, in hundredths of a degree.
    private static let nearness = 50

    /// The recorded part of the one-hour rule's time while that is too little to evaluate, from the longest text to the
    /// shortest; empty if it is enough, during a fever, and while the temperature is far below the rule's limit.
    static func notEvaluatedTexts(_ state: MonitorState) -> [String] {
        guard case .insufficientData(let minutes, let window)? = state.feverProgress,
            case .measured(let sample) = state[.bodyTemperature].condition,
            sample.value.hundredths >= state.settings.fever.sustainedThreshold.hundredths - nearness,
            !fevers(state).contains(where: { $0.state != .pending })
        else { return [] }
        let whole = FeverProgress.insufficientData(minutes: minutes, of: window).text(limit: "")
        return [
            whole, "fever rule: \(minutes) of \(window) min", "fever rule: \(minutes)/\(window)",
            "\(minutes)/\(window) min",
        ]
    }

    private static func fevers(_ state: MonitorState) -> [Alarm] {
        state.alarms.filter { $0.vital == .bodyTemperature && $0.kind.isFever }
    }
}
