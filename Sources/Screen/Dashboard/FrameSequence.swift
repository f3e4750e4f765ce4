import Monitoring
import TextGrid
import Vitals
import Wording

/// Draws successive frames, and reuses the vitals that look the same.
///
/// A frame never depends on the previous ones: it equals the result of ``draw(state:screen:size:now:)`` for the same
/// state. Unchanged parts only cost less. All frames are of one state as time passes; begin another sequence for
/// another state.
public struct FrameSequence: Sendable {
    private(set) var last: Frame?

    /// Starts without a frame.
    public init() {}

    /// Draws the whole screen after ``ScreenState/prepare(for:size:at:)`` for the same state, size and moment.
    ///
    /// Parameters and result are those of ``draw(state:screen:size:now:)``, but the list is not prepared; call
    /// `prepare` first.
    public mutating func drawPrepared(
        state: MonitorState, screen: ScreenState, size: (columns: Int, rows: Int), now: Moment
    ) -> Grid {
        guard let replay = screen.session.replay else { return draw(state, screen, size: size, now: now) }
        var grid = Grid(columns: size.columns, rows: size.rows, isASCII: screen.glyphs == .ascii)
        let room = ReplayBanner.room(in: (grid.columns, grid.rows))
        grid.place(draw(state, screen, size: (room.columns, room.rows), now: now), in: room)
        ReplayBanner(replay: replay, screen: screen, now: now).draw(on: &grid)
        return grid
    }

    /// Draws everything but the replay banner.
    private mutating func draw(
        _ state: MonitorState, _ screen: ScreenState, size: (columns: Int, rows: Int), now: Moment
    ) -> Grid {
        let frame = Frame(state, screen, size: size, now: now, after: last)
        last = frame
        return frame.grid
    }
}

/// When the screen changes by time alone: an age grows, a retry comes nearer, the clock advances.
///
/// The caller draws again at that moment, or earlier for an event; in between only flashing needs drawing
/// (`Grid.flash(at:isMotionReduced:)`, `MonitorState.nextFlash(after:)`).
public func nextRedraw(state: MonitorState, screen: ScreenState, now: Moment) -> Moment {
    let time = TimeText(now: now, timeZoneOffset: screen.session.timeZoneOffset)
    // The clock shows minutes.
    let intoMinute = (now.wallMilliseconds % 60_000 + 60_000) % 60_000
    var next = now.advanced(by: .milliseconds(60_000 - intoMinute))
    // The clock of a recording shows seconds.
    if screen.session.replay != nil { next = now.advanced(by: .milliseconds(1000 - intoMinute % 1000)) }
    for sensor in screen.visibleSensors(in: state) {
        func note(_ change: Moment) { next = min(next, sensor.redraw(for: change, at: now)) }
        if let heard = sensor.lastHeard { note(time.nextChange(ofAgeOf: heard)) }
        if let reading = sensor.lastReading { note(time.nextChange(ofAgeOf: reading)) }
        if let strength = sensor.strength(at: now) {
            // Only the sensor's page shows its age; in the list it fades, and disappears.
            note(strength.heard.advanced(by: strength.isOld ? SensorState.goesAfter : SensorState.fadesAfter))
        }
        if let retryAt = sensor.connection?.retryAt, retryAt > now {
            next = min(next, time.nextChange(ofTimeUntil: retryAt))
        }
    }
    if let open = screen.pages.current, let change = screen.pages[open].nextChange(screen, in: state, time) {
        next = min(next, change)
    }
    let waves = screen.waves.strips.values.compactMap(\.shownSince) + [screen.waves.frozen?.at].compactMap { $0 }
    for since in waves { next = min(next, time.nextChange(ofDistanceTo: since)) }
    if let end = screen.messageEnd(at: now), end > now { next = min(next, end) }
    for end in Notices.ends(state) where end > now { next = min(next, time.nextChange(ofTimeUntil: end)) }
    for vital in state.vitals {
        if let sample = vital.condition.lastSample { next = min(next, time.nextChange(ofAgeOf: sample.moment)) }
        // The duration of a missing measurement is shown to the second.
        let missingSince: Moment? =
            switch vital.condition {
            case .lost(let sample): sample.moment
            case .noMeasurement(let absence): absence.unmeasuredSince
            default: nil
            }
        if let missingSince { next = min(next, time.nextChange(ofDistanceTo: missingSince)) }
    }
    var manual = Vital.allCases.compactMap { state.spotFinding(of: $0, at: now)?.moment }
    if let cuff = state.measuringCuff(at: now) { next = min(next, cuff.moment.advanced(by: CuffPressure.shownFor)) }
    if let pressure = state.shownPressure(at: now) { manual.append(pressure.taken) }
    if let given = state.patientRecord.antipyretic(at: now)?.given {
        manual.append(given)
        next = min(next, given.advanced(by: PatientRecord.antipyreticEffect))
    }
    manual.removeAll { now.since($0) >= PatientRecord.shownFor }
    for moment in manual { next = min(next, time.nextChange(ofManualAgeOf: moment)) }
    return min(next, nextChangeOfTrends(state, screen, time))
}

/// When the trends change by time alone.
private func nextChangeOfTrends(_ state: MonitorState, _ screen: ScreenState, _ time: TimeText) -> Moment {
    if let past = screen.trends.past {
        return min(time.nextChange(ofDistanceTo: past.cursor), time.nextChange(ofDistanceTo: past.end))
    }
    // Trends move to the left by whole columns; without values there is nothing to move.
    let never = time.now.advanced(by: .seconds(86_400))
    guard let frame = screen.trends.frame(glyphs: screen.glyphs, now: time.now),
        state.vitals.contains(where: { !$0.trend.isEmpty }) || !state.patientRecord.entries.isEmpty
    else { return never }
    // A second later is early enough: frames for new values move them along.
    return max(frame.end, time.now.advanced(by: .seconds(1)))
}
