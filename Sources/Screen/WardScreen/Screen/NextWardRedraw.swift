import Dashboard
import Monitoring
import Vitals
import Ward
import Wording

/// When a ward screen changes by time alone: an age, the clock, flashing, the trends.
///
/// - Parameters:
///   - state: The state of the ward.
///   - screen: What the screen shows.
///   - now: The moment of the last drawing.
public func nextWardRedraw(_ state: WardState, _ screen: WardScreenState, now: Moment) -> Moment {
    let time = TimeText(now: now, timeZoneOffset: screen.timeZoneOffset)
    // A trend moves on by less than a column meanwhile.
    var next = now.advanced(by: .seconds(5))
    func consider(_ moment: Moment?) {
        if let moment, moment > now { next = min(next, moment) }
    }
    consider(now.advanced(by: .milliseconds(60_000 - now.wallMilliseconds % 60_000)))
    consider(state.notice?.since.advanced(by: WardHeaderView.noticeTime))
    consider(screen.sound.nextChange(at: time))
    let isOnBedPage = if case .bed = screen.page { true } else { false }
    var flashing = state.ownAlarms.filter { !$0.isAcknowledged }.map(\.kind.priority).max()
    var soonest = Int64.max
    state.forEachLiveBed { bed in
        for alarm in bed.alarms where alarm.wantsAttention {
            flashing = max(flashing ?? alarm.priority, alarm.priority)
        }
        switch bed.sound {
        case .paused, .silent:
            consider(bed.soundTold.advanced(by: .seconds(now.since(bed.soundTold).components.seconds + 1)))
        case .on, .off: break
        }
        if let age = bed.shownPressure(at: now)?.age {
            consider(time.nextChange(ofAgeOf: now.advanced(by: Duration.zero - age)))
        }
        bed.forEachVital(at: now, state.settings) { shown, change in
            if let change { soonest = min(soonest, change) }
            switch shown {
            case .present(_, let quality, let age)
            where age < WardScene.plainAge && !quality.isQuestionable && !isOnBedPage:
                // The age of a new value is not shown among other beds.
                soonest = min(soonest, (WardScene.plainAge - age) * 1_000_000)
            case .present(_, _, let age), .stale(_, let age), .lost(_, let age):
                consider(time.nextChange(ofAgeOf: now.advanced(by: .milliseconds(-age))))
            case .none, .absent, .old: break
            }
        }
    }
    if soonest < Int64.max { consider(now.advanced(by: .nanoseconds(soonest))) }
    consider(flashing.flatMap { AlarmFlash.nextChange($0, after: now, isMotionReduced: screen.isMotionReduced) })
    return next
}
