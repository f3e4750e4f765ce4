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
    // By place, because a copy of each bed would cost more than all the rest.
    for place in state.beds.indices where state.beds[place].link.isLive {
        for alarm in state.beds[place].alarms where alarm.wantsAttention { flashing = max(flashing, alarm.priority) }
        if case .paused = state.beds[place].sound {
            let told = state.beds[place].soundTold
            consider(told.advanced(by: .seconds(now.since(told).components.seconds + 1)))
        }
        if let age = state.beds[place].shownPressure(at: now)?.age {
            consider(time.nextChange(ofAgeOf: now.advanced(by: Duration.zero - age)))
        }
        state.beds[place].forEachVital { vital in
            switch state.beds[place].shown(vital, at: now, state.settings) {
            case .present(_, let quality, let age)
            where age < WardScene.plainAge && !quality.isQuestionable && !isOnBedPage:
                // The age of a new value is not shown among other beds.
                consider(now.advanced(by: .milliseconds(WardScene.plainAge - age)))
                consider(state.beds[place].nextChange(of: vital, at: now, state.settings))
            case .present(_, _, let age), .stale(_, let age), .lost(_, let age):
                consider(time.nextChange(ofAgeOf: now.advanced(by: .milliseconds(-age))))
                consider(state.beds[place].nextChange(of: vital, at: now, state.settings))
            case .none, .absent, .old: break
            }
        }
    }
    consider(flashing.flatMap { AlarmFlash.nextChange($0, after: now, isMotionReduced: screen.isMotionReduced) })
    return next
}

private func max(_ one: AlarmPriority?, _ other: AlarmPriority?) -> AlarmPriority? {
    guard let one, let other else { return one ?? other }
    return Swift.max(one, other)
}
