import SaturatingArithmetic
import Vitals

extension AlarmBoard {
    /// Lets the time act: delays and timeout end, what has cleared for long enough is over, care pauses end.
    ///
    /// - Returns: The ordinals of the sensors whose care pause has ended.
    mutating func advance(to now: Moment, effects: inout [Effect]) -> [Int] {
        var resumed: [Int] = []
        while let due = deadline, due <= now.monotonicNanoseconds {
            if let ordinal = carePauses.first(where: { $0.value.monotonicNanoseconds <= due })?.key {
                endCarePause(of: ordinal, now, effects: &effects)
                resumed.append(ordinal)
            } else if let place = alarms.firstIndex(where: { $0.due?.nanoseconds ?? .max <= due }) {
                timeIsUp(at: place, now, &effects)
            } else if let place = alarms.firstIndex(where: { $0.wantsAttention && $0.alertAgainAt ?? .max <= due }) {
                alertAgain(at: place, now, &effects)
            } else {
                findDeadline()
            }
        }
        return resumed.sorted()
    }

    private mutating func timeIsUp(at place: Int, _ now: Moment, _ effects: inout [Effect]) {
        if case .activation = alarms[place].due {
            var alarm = alarms[place]
            activate(&alarm, now)
            alarms[place] = alarm
            changed(at: place, now, &effects)
        } else {
            end(at: place, now, &effects)
        }
    }

    private mutating func alertAgain(at place: Int, _ now: Moment, _ effects: inout [Effect]) {
        alarms[place].alertAgainAt = now.monotonicNanoseconds.addingSaturated(alertAgainAfter)
        effects.append(.alarmAgain(alarms[place], now))
        awakened.append(alarms[place].id)
        noted()
    }

    /// Raises the technical alarms that say why nothing is measured to medium: monitoring has stopped altogether.
    mutating func monitoringStopped(_ now: Moment, effects: inout [Effect]) {
        var isRaised = false
        for place in alarms.indices where alarms[place].kind.saysWhyNothingIsMeasured {
            guard alarms[place].priority < .medium else { continue }
            isRaised = true
            if take(.medium, at: place, now) { effects.append(.alarm(alarms[place], now)) }
        }
        if isRaised { arrange() }
    }

    /// Gives every fever the weight that the neutrophil count now lends it.
    mutating func weighFevers(_ risk: FeverRisk, _ now: Moment, effects: inout [Effect]) {
        var isOther = false
        for place in alarms.indices where alarms[place].kind.isFever {
            isOther = true
            alarms[place].feverRisk = risk
            if take(risk.priority, at: place, now) { effects.append(.alarm(alarms[place], now)) }
        }
        if isOther { arrange() }
    }

    /// Keeps an episode that has ended until it is acknowledged; an older one of the same condition becomes part of it.
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
