import Monitoring
import Vitals

/// What the fever rules say beside a temperature that is no fever yet, the most important first.
struct FeverRemarks {
    /// That a fever may be on its way: "≥ 38.3: 1 of 3", "≥ 38.0 for 34 of 60 min".
    var approaching: [Remark] = []
    /// What else there is to say: "fever: cannot judge (12 of 60 min)".
    var others: [Remark] = []

    /// Finds the remarks on the temperature of a site.
    init(_ state: MonitorState, screen: ScreenState, site: BodySite?, time: TimeText) {
        let fevers = Self.fevers(state)
        let text = ValueText(temperatureUnit: screen.temperatureUnit)
        for alarm in fevers where alarm.kind == .feverSingle && alarm.state == .pending {
            guard let confirmations = alarm.confirmations, let limit = alarm.limit else { continue }
            let shown = text.limit(limit, of: .bodyTemperature)
            approaching.append(
                Remark("\(screen.glyphs.atLeast) \(shown): \(confirmations.count) of \(confirmations.wanted)"))
        }
        let progress = state.feverProgress
        if let progress, progress.isJudging || Self.isNotEvaluated(state) {
            let limit = text.limit(state.settings.fever.sustainedThreshold, of: .bodyTemperature)
            let line = progress.text(limit: limit, atLeast: screen.glyphs.atLeast)
            if progress.isJudging {
                approaching.append(Remark(line))
            } else {
                others.append(Remark(Self.long(line), .unjudgedFever))
            }
        }
        if let count = NeutrophilLabels(state, time: time).remark { others.append(Remark(screen.glyphs.fit(count))) }
        // What the site means for the limits is worth its place only when they matter.
        if !fevers.isEmpty || progress?.isJudging == true, let note = BodySite.feverNote(for: site) {
            others.append(Remark(note))
        }
    }

    /// Whether nobody can say yet that there is no fever; where there is one, that does not matter any more.
    static func isNotEvaluated(_ state: MonitorState) -> Bool {
        state.feverProgress?.isJudging == false && !fevers(state).contains { $0.state != .pending }
    }

    private static func fevers(_ state: MonitorState) -> [Alarm] {
        state.alarms.filter { $0.vital == .bodyTemperature && $0.kind.isFever }
    }

    private static func long(_ line: String) -> String { "fever: \(line)" }

    /// That fever cannot be judged, from the most words to the fewest, for where ``others`` find no room.
    static let cannotEvaluateLabels = [long("cannot judge"), "fever ?"]
}
