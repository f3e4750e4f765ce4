import Vitals

extension MonitorState {
    /// Takes over other settings while it runs: limits, delays, rules, freshness, signals and answers.
    ///
    /// What the user has changed of the limits for now stays, unless it contradicts the new ones. The neutrophil count
    /// and the time zone are the state's own by then.
    ///
    /// - Parameters:
    ///   - new: The settings.
    ///   - change: Which setting was changed to what, for the log; `nil` where the log knows already.
    ///   - moment: When that was.
    /// - Returns: What that, and the time that passed until it, brought about.
    public mutating func apply(
        settings new: MonitorSettings, change: (name: String, value: String)?, at moment: Moment
    ) -> [Effect] {
        var effects: [Effect] = []
        advance(to: moment, &effects)
        let old = settings
        // Asked before, because its place is one among the old profiles.
        let formerProfile = profile?.name
        guard new != old else {
            settle(&effects)
            return effects
        }
        settings = new
        if let change { report(.settingChanged(change.name, change.value), &effects) }
        board.follow(latches: new.answers.latchesHighPriority, alertAgainAfter: new.fever.alertAgainAfter)
        if new.freshness != old.freshness {
            limits = FreshnessLimits(new.freshness)
            for row in sensors.indices { refresh(row: row, &effects) }
        }
        if new.limits != old.limits || new.profiles != old.profiles {
            holdLimits(insteadOf: formerProfile, &effects)
        }
        if new.technical != old.technical {
            for row in sensors.indices { evaluateDevice(row: row, &effects) }
        }
        if new.fever != old.fever { evaluateManualFever(&effects) }
        if new.alarmSignals != old.alarmSignals { sound.resume() }
        settle(&effects)
        return effects
    }

    private mutating func holdLimits(insteadOf former: String?, _ effects: inout [Effect]) {
        let chosen = settings.profiles.selected(minute: minuteOfDay(now))
        let limits = chosen.map { settings.profiles[$0].limits } ?? settings.limits
        let refused = limitBook.hold(limits, profile: chosen)
        limitBook.forgetKept()
        if profile?.name != former { report(.profileChanged(profile?.name), by: .program, &effects) }
        reportTakenBack(refused, &effects)
        evaluateAllValues(&effects)
    }
}
