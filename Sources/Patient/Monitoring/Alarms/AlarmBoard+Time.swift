import Base
import Vitals

extension AlarmBoard {
    /// Applies the time: delays and timeouts end, clearing alarms end, care pauses end.
    ///
    /// - Returns: The ordinals of the sensors whose care pause has ended, and the effects.
    mutating func advance(to now: Moment) -> (resumed: [Int], effects: [Effect]) {
        var resumed: [Int] = []
        var effects: [Effect] = []
        while let due = deadline, due <= now.monotonic {
            if let ordinal = carePauses.first(where: { $0.value.monotonic <= due })?.key {
                effects += endCarePause(of: ordinal, now)
                resumed.append(ordinal)
            } else if let place = alarms.firstIndex(where: { $0.due?.time ?? .distantFuture <= due }) {
                effects += timeIsUp(at: place, now)
            } else if let place = alarms.firstIndex(where: { $0.nextAlert ?? .distantFuture <= due }) {
                effects += alertAgain(at: place, now)
            } else {
                findDeadline()
            }
        }
        return (resumed.sorted(), effects)
    }

    private mutating func timeIsUp(at place: Int, _ now: Moment) -> [Effect] {
        guard case .activation = alarms[place].due else { return end(at: place, now) }
        var alarm = alarms[place]
        activate(&alarm, now)
        alarms[place] = alarm
        return changed(at: place, now)
    }

    private mutating func alertAgain(at place: Int, _ now: Moment) -> [Effect] {
        alarms[place].alertAgainAt = now.monotonic.advanced(byNanoseconds: alertAgainAfter)
        let effects: [Effect] = [.alarmAgain(alarms[place], now)]
        news.awaken([alarms[place].id])
        noted()
        return effects
    }

    /// Raises the technical alarms that explain missing measurements to medium: monitoring has stopped altogether.
    mutating func monitoringStopped(_ now: Moment) -> [Effect] {
        var isRaised = false
        var effects: [Effect] = []
        for place in alarms.indices where alarms[place].kind.saysWhyNothingIsMeasured {
            guard alarms[place].priority < .medium else { continue }
            isRaised = true
            if take(.medium, at: place, now) { effects.append(.alarm(alarms[place], now)) }
        }
        if isRaised { arrange() }
        return effects
    }

    /// Weights every fever by the neutrophil count.
    mutating func weighFevers(_ risk: FeverRisk, _ now: Moment) -> [Effect] {
        var isOther = false
        var effects: [Effect] = []
        for place in alarms.indices where alarms[place].kind.isFever {
            isOther = true
            alarms[place].feverRisk = risk
            if take(risk.priority, at: place, now) { effects.append(.alarm(alarms[place], now)) }
        }
        if isOther { arrange() }
        return effects
    }

    /// Keeps an ended episode until it is acknowledged; an older one of the same condition is merged into it.
    mutating func latch(_ alarm: inout Alarm) {
        alarm.isLatched = true
        var kept = alarm
        if let place = latched.firstIndex(where: { $0.isSameCondition(as: alarm) }) {
            let older = latched.remove(at: place)
            kept.since = min(older.since, alarm.since)
            kept.activeSince = older.activeSince
            kept.episodeCount = kept.episodeCount.addingSaturated(older.episodeCount)
            if let peak = older.peak, alarm.worse(of: peak, alarm.peak) != alarm.peak {
                (kept.peak, kept.peakAt) = (peak, older.peakAt)
            }
        }
        latched.append(kept)
        latched.sort { $0.isWorse(than: $1) }
    }
}
