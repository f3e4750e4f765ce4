import Monitoring
import Vitals

/// The remarks of the fever rules on a temperature that is not a fever yet, the most important first.
struct FeverRemarks {
    /// That a fever may be on its way: "≥ 38.3: 1 of 3", "≥ 38.0 for 34 of 60 min".
    var approaching: [Remark] = []
    /// Other remarks: "fever: cannot judge (12 of 60 min)".
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
        // The site's note is shown only when the limits matter.
        if !fevers.isEmpty || progress?.isJudging == true, let note = BodySite.feverNote(for: site) {
            others.append(Remark(note))
        }
    }

    /// Whether fever cannot be excluded yet; irrelevant when there is one.
    static func isNotEvaluated(_ state: MonitorState) -> Bool {
        state.feverProgress?.isJudging == false && !fevers(state).contains { $0.state != .pending }
    }

    private static func fevers(_ state: MonitorState) -> [Alarm] {
        state.alarms.filter { $0.vital == .bodyTemperature && $0.kind.isFever }
    }

    private static func long(_ line: String) -> String { "fever: \(line)" }

    /// Texts for "fever cannot be evaluated", from the longest to the shortest, where ``others`` do not fit.
    static let cannotEvaluateLabels = [long("cannot judge"), "fever ?"]
}
