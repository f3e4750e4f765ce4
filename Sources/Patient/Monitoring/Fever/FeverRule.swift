import Vitals

/// The fever rule for one source of body temperature, by its settings: Bedside's, or that of NeutroFeverGuard.
///
/// A value of bounded size; the work for a sample does not depend on the number of earlier ones. Time is the moment of
/// arrival on the monotonic clock, or the estimate for a late value. Skin temperature is never evaluated. Readings that
/// the sensor reports as questionable count, because missing a fever is worse than a false one.
struct FeverRule: Codable, Hashable, Sendable {
    private var single = SingleReadingRule()
    private var sustained = SustainedRule()
    private var ending = FeverEnding()
    private var neutroFeverGuard = NeutroFeverGuardRule()
    private var newest: MonotonicTime?

    /// Returns the rule's verdict on each of its conditions after a new sample.
    mutating func evaluate(_ sample: Sample, settings: MonitorSettings.Fever) -> FeverVerdict {
        guard sample.site != .skin else { return .notEvaluated }
        // An overtaken sample counts at the newest one's time, because time does not go back.
        let time = max(sample.moment.monotonic, newest ?? .distantPast)
        let gap = newest.map { time.since($0) }
        newest = time
        switch settings.rule {
        case .bedside:
            let isOver = ending.isOver(after: sample.value, at: time, gap: gap, settings: settings)
            return FeverVerdict(
                single: single.evaluate(sample, at: time, isOver: isOver, settings: settings),
                sustained: sustained.evaluate(sample.value, at: time, isOver: isOver, settings: settings),
                singleLimit: settings.threshold)
        case .neutroFeverGuard:
            let limit = neutroFeverGuard.evaluate(sample.value, at: time)
            return FeverVerdict(
                single: limit == nil ? .unmet : .met, sustained: .unmet,
                singleLimit: limit ?? NeutroFeverGuardRule.singleLimit)
        }
    }

    /// The progress of the rule for sustained fever, or why it cannot evaluate; `nil` if there is nothing to report.
    func progress(at now: Moment, settings: MonitorSettings.Fever) -> FeverProgress? {
        guard settings.rule == .bedside, let newest else { return nil }
        return sustained.progress(at: max(now.monotonic, newest), settings: settings)
    }

    /// Handles a lost or new link: the values after a new subscription do not show that a sensor streams.
    mutating func linkChanged() {
        single.linkChanged()
    }

    /// Whether its parts are consistent; another program may have sent it.
    var isCoherent: Bool { sustained.isCoherent }

    /// Resumes an episode of one condition from the log.
    mutating func resume(_ kind: AlarmKind) {
        switch kind {
        case .feverSingle: single.resume()
        case .feverSustained: sustained.resume()
        default: break
        }
    }

    /// Forgets an episode of one condition that the user has declared over.
    mutating func clear(_ kind: AlarmKind) {
        switch kind {
        case .feverSingle:
            single.clear()
            neutroFeverGuard = NeutroFeverGuardRule()
        case .feverSustained: sustained = SustainedRule()
        default: break
        }
    }
}

/// The fever rule's verdicts on its two conditions.
struct FeverVerdict: Hashable, Sendable {
    /// A single confirmed reading; with NeutroFeverGuard's rule, the verdict of that rule.
    var single: AlarmVerdict
    /// Sustained for an hour.
    var sustained: AlarmVerdict
    /// The limit of ``single``.
    var singleLimit: VitalValue?

    /// The verdict for a sample that is not evaluated.
    static let notEvaluated = FeverVerdict(single: .indeterminate(nil), sustained: .indeterminate(nil))
}
