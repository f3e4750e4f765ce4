import Monitoring
import Vitals

/// What the fever rules say beside a temperature that is no fever yet, the most important first.
struct FeverRemarks {
    /// Short lines: "≥ 38.3: 1 of 3", "≥ 38.0 for 34 of 60 min", "fever: cannot judge (12 of 60 min)".
    var lines: [String] = []
    /// How many of them, the first ones, say that a fever may be on its way.
    var warnings = 0

    /// Finds the remarks on the temperature of a site.
    init(_ state: MonitorState, screen: ScreenState, site: BodySite?, time: TimeText) {
        let fevers = Self.fevers(state)
        let text = ValueText(temperatureUnit: screen.temperatureUnit)
        for alarm in fevers where alarm.kind == .feverSingle && alarm.state == .pending {
            guard let confirmations = alarm.confirmations, let limit = alarm.limit else { continue }
            let shown = text.limit(limit, of: .bodyTemperature)
            lines.append(
                "\(screen.glyphs.atLeast) \(shown): \(confirmations.count) of \(confirmations.wanted)")
        }
        let progress = state.feverProgress
        let isNotEvaluated = Self.isNotEvaluated(state)
        if let progress, progress.isJudging || isNotEvaluated {
            let limit = text.limit(state.settings.fever.sustainedThreshold, of: .bodyTemperature)
            let line = progress.text(limit: limit, atLeast: screen.glyphs.atLeast)
            lines.append(progress.isJudging ? line : Self.long(line))
        }
        warnings = isNotEvaluated ? lines.count - 1 : lines.count
        if let count = NeutrophilLabels(state, time: time).remark { lines.append(screen.glyphs.fit(count)) }
        // What the site means for the limits is worth its place only when they matter.
        if !fevers.isEmpty || progress?.isJudging == true, let note = BodySite.feverNote(for: site) {
            lines.append(note)
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

    /// That fever cannot be judged, from the most words to the fewest, for where ``words`` find no room.
    static let cannotEvaluateLabels = [long("cannot judge"), "fever ?"]

    /// Whether a remark says that fever cannot be judged.
    static func isNotEvaluated(_ remark: String) -> Bool { remark.hasPrefix(long("cannot judge")) }
}
