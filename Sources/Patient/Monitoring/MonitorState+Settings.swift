import Vitals

extension MonitorState {
    /// Applies changed settings at run time: limits, delays, rules, freshness, signals and answers.
    ///
    /// The user's temporary changes of limits stay, unless they contradict the new ones. The neutrophil count and the
    /// time zone belong to the state and stay.
    ///
    /// - Parameters:
    ///   - new: The settings.
    ///   - change: The changed setting and its value, for the log; `nil` if it is already logged.
    ///   - moment: When.
    /// - Returns: The effects, including those of the time that passed until then.
    public mutating func apply(
        settings new: MonitorSettings, change: (name: String, value: String)?, at moment: Moment
    ) -> [Effect] {
        var effects = advance(to: moment)
        let old = settings
        // Read first, because its index refers to the old profiles.
        let formerProfile = profile?.name
        guard new != old else { return effects + settle() }
        settings = new
        if let change { effects += report(.settingChanged(change.name, change.value)) }
        board.follow(latches: new.answers.latchesHighPriority, alertAgainAfter: new.fever.alertAgainAfter)
        if new.freshness != old.freshness {
            limits = FreshnessLimits(new.freshness)
            for row in sensors.indices { effects += refresh(row: row) }
        }
        if new.limits != old.limits || new.profiles != old.profiles {
            effects += holdLimits(insteadOf: formerProfile)
        }
        if new.technical != old.technical {
            for row in sensors.indices { effects += evaluateDevice(row: row) }
        }
        if new.fever != old.fever { effects += evaluateManualFever() }
        if new.alarmSignals != old.alarmSignals { sound.resume() }
        return effects + settle()
    }

    private mutating func holdLimits(insteadOf former: String?) -> [Effect] {
        let chosen = settings.profiles.selected(minute: minuteOfDay(now))
        let limits = chosen.map { settings.profiles[$0].limits } ?? settings.limits
        let refused = limitBook.hold(limits, profile: chosen)
        limitBook.forgetKept()
        var effects: [Effect] = []
        if profile?.name != former { effects += report(.profileChanged(profile?.name), by: .program) }
        effects += reportTakenBack(refused)
        return effects + evaluateAllValues()
    }
}
