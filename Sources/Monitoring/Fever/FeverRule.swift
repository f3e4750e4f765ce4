import SaturatingArithmetic
import Vitals

/// The fever rule for one source of body temperature, by its settings: ours, or that of NeutroFeverGuard.
///
/// A value of bounded size; the work for a sample does not depend on how many came before. Time is the moment of
/// arrival on the clock that never jumps, or the estimate for a value that waited to be received. Skin temperature is never
/// judged. Readings that the sensor itself calls questionable count: leaving a fever out is worse than naming one too
/// many.
struct FeverRule: Codable, Hashable, Sendable {
    private var single = SingleReadingRule()
    private var sustained = SustainedRule()
    private var ending = FeverEnding()
    private var neutroFeverGuard = NeutroFeverGuardRule()
    private var newest: Int64?

    /// What the rule says about each of its conditions after a new sample.
    mutating func evaluate(_ sample: Sample, settings: MonitorSettings.Fever) -> FeverVerdict {
        guard sample.site != .skin else { return .notEvaluated }
        // A sample that was overtaken counts as of the newest: time does not go back.
        let moment = max(sample.moment.monotonicNanoseconds, newest ?? .min)
        let gap = newest.map { moment.subtractingSaturated($0) }
        newest = moment
        switch settings.rule {
        case .bedside:
            let isOver = ending.isOver(after: sample.value, at: moment, gap: gap, settings: settings)
            return FeverVerdict(
                single: single.evaluate(sample, at: moment, isOver: isOver, settings: settings),
                sustained: sustained.evaluate(sample.value, at: moment, isOver: isOver, settings: settings),
                singleLimit: settings.threshold)
        case .neutroFeverGuard:
            let limit = neutroFeverGuard.evaluate(sample.value, at: moment)
            return FeverVerdict(
                single: limit == nil ? .unmet : .met, sustained: .unmet,
                singleLimit: limit ?? NeutroFeverGuardRule.singleLimit)
        }
    }

    /// How far the rule about sustained fever is, or why it cannot judge; `nil` when there is nothing to tell.
    func progress(at now: Moment, settings: MonitorSettings.Fever) -> FeverProgress? {
        guard settings.rule == .bedside, newest != nil else { return nil }
        return sustained.progress(at: max(now.monotonicNanoseconds, newest ?? .min), settings: settings)
    }

    /// The link went or came: what a sensor sends when it is subscribed to anew is no sign of a stream.
    mutating func linkChanged() {
        single.linkChanged()
    }

    /// Whether its parts fit together; what was sent by another program may be anything.
    var isCoherent: Bool { sustained.isCoherent }

    /// Goes on with an episode of one condition, which the log tells of.
    mutating func resume(_ kind: AlarmKind) {
        switch kind {
        case .feverSingle: single.resume()
        case .feverSustained: sustained.resume()
        default: break
        }
    }

    /// Forgets the episode of one condition: the user has declared it over.
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

/// What the fever rule says about its two conditions.
struct FeverVerdict: Hashable, Sendable {
    /// A single confirmed reading; with NeutroFeverGuard's rule, all of that rule.
    var single: AlarmVerdict
    /// Sustained for an hour.
    var sustained: AlarmVerdict
    /// The limit that ``single`` is about.
    var singleLimit: VitalValue?

    /// Nothing can be said about such a sample.
    static let notEvaluated = FeverVerdict(single: .unjudgeable(nil), sustained: .unjudgeable(nil))
}
