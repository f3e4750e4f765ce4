import Vitals

/// The second step of the fever rule: 38.0 °C or more, sustained for an hour.
///
/// The samples of a source without a long gap must span the hour; enough of its minutes must have samples, and nearly
/// all of those a median of 38.0 °C or more. So a single sample makes no fever, and a single dip hides none.
struct SustainedRule: Codable, Hashable, Sendable {
    private var minutes = TemperatureMinutes()
    private var isMet = false
    /// Whether it has begun to count; only a sample at the threshold begins it.
    private var isSuspected = false

    /// Returns the rule's verdict after a sample.
    ///
    /// - Parameter isOver: Whether a fever would have ended by now.
    mutating func evaluate(
        _ value: VitalValue, at time: MonotonicTime, isOver: Bool, settings: MonitorSettings.Fever
    ) -> AlarmVerdict {
        minutes.enter(value, at: time, settings: settings)
        if isMet, !isOver { return .met }
        let tally = minutes.tally(at: time, settings: settings)
        // With unusual settings most of the window may still be warm when the fever has ended: that is not a new one.
        isMet = tally.isWarm && !isOver
        isSuspected = tally.warmMinutes > 0 && (isSuspected || value >= settings.sustainedThreshold)
        if isMet { return .met }
        // The progress reports too few samples; they neither raise nor end an alarm.
        guard isSuspected else { return .unmet }
        return .suspected(.init(count: tally.warmMinutes, wanted: settings.windowMinutes))
    }

    /// Whether its parts are consistent.
    var isCoherent: Bool { minutes.isCoherent }

    /// Resumes an episode of an earlier run.
    mutating func resume() {
        isMet = true
        isSuspected = true
    }

    /// The progress of the rule, or why it cannot evaluate; `nil` if it can.
    func progress(at now: MonotonicTime, settings: MonitorSettings.Fever) -> FeverProgress? {
        guard !isMet else { return nil }
        let tally = minutes.tally(at: now, settings: settings)
        let window = settings.windowMinutes
        if isSuspected, tally.warmMinutes > 0, !tally.isSpanned || tally.suffices {
            return .warm(minutes: tally.warmMinutes, of: window)
        }
        return tally.suffices ? nil : .insufficientData(minutes: tally.minutes, of: window)
    }
}
