import Dashboard
import Formats
import Monitoring
import Replay
import Vitals
import Wording

/// Plays a recording to its end as the program does, and shows and prints what comes of it.
///
/// A trap ends the process. An endless loop runs into a limit, which is counted and not timed.
struct MutantPlayer {
    /// The most steps of time, and the most looks at the recording: a hundred times what a good one of that size needs.
    private static let limit = 400_000

    private var state: MonitorState
    private var encoder = WatchEncoder(isSimulated: false)
    private var report = LineReport(
        interval: .seconds(10), context: SessionContext(provenance: .real, patient: nil, timeZoneOffset: 0))
    private var player: ReplayPlayer
    private var steps = 0
    private var clock: Int64 = 0

    /// Opens a recording; `nil` when there is nothing in it.
    init?(_ source: some ReplaySource, speed: ReplaySpeed) throws(ReplayError) {
        guard let player = try ReplayPlayer(source, speed: speed, nanoseconds: 0) else { return nil }
        self.player = player
        state = MonitorState(start: player.position)
    }

    /// Plays to the end.
    ///
    /// - Returns: What is wrong; `nil` when it has come to an end.
    mutating func play() throws(ReplayError) -> String? {
        while let due = player.nextDue(at: clock) {
            clock = max(clock, due)
            var events: [MonitorEvent] = []
            try player.due(at: clock, limit: 256) { events.append($0) }
            for event in events { take(event) }
            steps += 1
            if steps > Self.limit { return "it does not come to an end" }
        }
        pass(to: player.now(at: clock))
        show()
        return player.hasEnded ? nil : "it stops before its end"
    }

    /// Goes back by an hour, plays from there to the end.
    mutating func playAgain() throws(ReplayError) -> String? {
        try player.jump(by: -3_600_000, nanoseconds: clock)
        return try play()
    }

    private mutating func take(_ event: MonitorEvent) {
        if case .gap(let gap) = event.kind { pass(to: min(gap.from, event.moment)) } else { pass(to: event.moment) }
        let effects = state.apply(event)
        encoder.write(event)
        for effect in effects { encoder.write(effect) }
        report.handle(event, effects, state)
        _ = (encoder.takeLines { $0.count }, report.takeLines().count)
    }

    private mutating func pass(to moment: Moment) {
        var last: Moment?
        while steps <= Self.limit, let due = state.nextDeadline, due < moment, due != last {
            last = due
            steps += 1
            _ = state.apply(MonitorEvent(moment: due, kind: .tick))
        }
    }

    private func show() {
        var screen = ScreenState()
        var status = ReplayStatus(range: player.range, speed: player.speed.text)
        status.hasEnded = player.hasEnded
        screen.session.replay = status
        let now = player.now(at: clock)
        for size in [(columns: 100, rows: 30), (columns: 30, rows: 6)] {
            _ = draw(state: state, screen: screen, size: size, now: now)
        }
        _ = nextRedraw(state: state, screen: screen, now: now)
    }
}
