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
    let beds = state.beds
    let flashing =
        state.ownAlarms.filter { !$0.isAcknowledged }.map(\.kind.priority)
        + beds.filter(\.link.isLive).flatMap { $0.alarms.filter(\.wantsAttention).map(\.priority) }
    consider(
        flashing.max().flatMap { AlarmFlash.nextChange($0, after: now, isMotionReduced: screen.isMotionReduced) })
    for bed in beds where bed.link.isLive {
        if case .paused = bed.sound {
            let seconds = now.since(bed.soundTold).components.seconds
            consider(bed.soundTold.advanced(by: .seconds(seconds + 1)))
        }
        if let age = bed.shownPressure(at: now)?.age {
            consider(time.nextChange(ofAgeOf: now.advanced(by: Duration.zero - age)))
        }
        for vital in Vital.allCases {
            switch bed.shown(vital, at: now, state.settings) {
            case .present(_, _, let age), .stale(_, let age), .lost(_, let age):
                consider(time.nextChange(ofAgeOf: now.advanced(by: .milliseconds(-age))))
                consider(bed.nextChange(of: vital, at: now, state.settings))
            case .none, .absent, .old: break
            }
        }
    }
    return next
}
