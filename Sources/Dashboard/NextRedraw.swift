import Monitoring
import SaturatingArithmetic
import Vitals

/// When the screen will look different although nothing happens: an age grows, a retry comes nearer, the clock moves on.
///
/// The caller draws again at that moment, or earlier when an event arrives; there is no need to draw in between but for
/// what flashes (``Grid/flash(at:isMotionReduced:)``, `MonitorState.nextFlash(after:)`).
public func nextRedraw(state: MonitorState, screen: ScreenState, now: Moment) -> Moment {
    // The clock shows minutes.
    let intoMinute = (now.wallMilliseconds % 60_000 + 60_000) % 60_000
    var next = now.advanced(by: .milliseconds(60_000 - intoMinute))
    // That of a recording shows seconds.
    if screen.session.replay != nil { next = now.advanced(by: .milliseconds(1000 - intoMinute % 1000)) }
    for sensor in screen.visibleSensors(in: state) {
        for moment in [sensor.lastHeard, sensor.lastReading, sensor.strength(at: now)?.heard] {
            guard let moment else { continue }
            let change = nextChange(ofAgeSince: moment, now: now)
            // The ages of nearby sensors change together, or a hundred of them would redraw the screen all the time.
            next = min(next, sensor.rank == .wanted ? change : max(change, now.advanced(by: .milliseconds(500))))
        }
        if let retryAt = sensor.connection?.retryAt, retryAt > now {
            let remaining = retryAt.since(now).nanoseconds
            // The time until then is rounded up: it changes when a whole number of seconds is left.
            next = min(next, now.advanced(by: .nanoseconds((remaining - 1) % 1_000_000_000 + 1)))
        }
    }
    if screen.pages.current == .sensor, let shown = state.inspection {
        for moment in shown.moments { next = min(next, nextChange(ofAgeSince: moment, now: now)) }
    }
    for end in Notices.ends(state) where end > now {
        let remaining = end.since(now).nanoseconds
        next = min(next, now.advanced(by: .nanoseconds((remaining - 1) % 1_000_000_000 + 1)))
    }
    for vital in state.vitals {
        guard let sample = vital.condition.lastSample else { continue }
        next = min(next, nextChange(ofAgeSince: sample.moment, now: now))
    }
    // Their ages are shown in minutes.
    let manual =
        Vital.allCases.compactMap { state.manual.newest($0)?.moment }
        + [state.shownPressure(at: now)?.taken].compactMap { $0 }
    for moment in manual where now.since(moment) < ManualRecord.shownFor {
        next = min(next, nextChange(ofAgeSince: moment, now: now))
    }
    next = min(next, nextChangeOfTrends(state, screen, now))
    return next
}

/// When the trends look different although nothing happens.
private func nextChangeOfTrends(_ state: MonitorState, _ screen: ScreenState, _ now: Moment) -> Moment {
    if let past = screen.trends.past {
        let time = TimeText(now: now, timeZoneOffset: 0)
        return time.nextChange(ofDistanceTo: past.cursor)
    }
    // Trends move to the left by whole columns; without values there is nothing to move.
    let never = now.advanced(by: .seconds(86_400))
    guard let frame = screen.trends.frame(glyphs: screen.glyphs, now: now),
        state.vitals.contains(where: { !$0.trend.isEmpty }) || !state.manual.entries.isEmpty
    else { return never }
    // A second later is early enough: frames for new values move them along.
    return max(frame.end, now.advanced(by: .seconds(1)))
}

/// When the text of an age by ``TimeText/age(of:)`` changes.
private func nextChange(ofAgeSince moment: Moment, now: Moment) -> Moment {
    let age = max(0, now.since(moment).components.seconds)
    let next: Int64 =
        switch age {
        case ..<2: 2
        case ..<120: age + 1
        case ..<7200: (age / 60 + 1) * 60
        case ..<172_800: (age / 3600 + 1) * 3600
        default: (age / 86_400 + 1) * 86_400
        }
    return max(now, moment.advanced(by: .seconds(next)))
}
