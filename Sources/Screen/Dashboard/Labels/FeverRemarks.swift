import Monitoring
import Vitals
import Wording

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

    /// The recorded part of the one-hour rule's time while that is too little to evaluate, from the longest text to the
    /// shortest; empty if it is enough, or during a fever.
    static func notEvaluatedTexts(_ state: MonitorState) -> [String] {
        guard case .insufficientData(let minutes, let window)? = state.feverProgress,
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
