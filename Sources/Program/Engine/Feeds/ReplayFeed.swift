import Configuration
import EventLoops
import Monitoring
import MonitorLink
import Recording
import Replay
import Vitals

/// The feed of a recording: its events are delivered by its own clock.
///
/// Its data are of the past, so nothing is written and nothing is signalled.
package final class ReplayFeed: PlaybackFeed, @unchecked Sendable {
    // `@unchecked Sendable`: it belongs to the loop's thread, which every use of it checks.
    private let loop: EventLoop
    private var player: ReplayPlayer
    private let broadcast = Broadcast<MonitorEvent>()
    private let (stream, report) = AsyncStream<FeedReport>.makeStream()
    private var timer: LoopTimer?
    private var hasBegun = false

    /// The provenance of the recorded data.
    package let provenance: Provenance
    package var mayContinue: () -> Bool = { true }

    /// The number of events after which keys and lines are handled.
    private static let portion = 256

    /// Creates a feed that plays from ``begin()`` on.
    ///
    /// - Parameter loop: The loop of the events' reader.
    package init(_ player: ReplayPlayer, isSimulated: Bool, on loop: EventLoop) {
        self.loop = loop
        self.player = player
        provenance = isSimulated ? .simulated : .real
    }

    package func events() async -> BroadcastSequence<MonitorEvent> { broadcast.subscribe() }

    package func reports() async -> AsyncStream<FeedReport> { stream }

    package func open() async -> Provenance { provenance }

    package func begin() async {
        loop.checkIsolated()
        for warning in player.warnings { report.yield(.notice(warning)) }
        // Starts now, however long the opening has taken.
        player.begin(nanoseconds: Timestamp.monotonicNow())
        hasBegun = true
        plan()
    }

    package func close() async {
        loop.checkIsolated()
        hasBegun = false
        if let timer { loop.cancel(timer) }
        report.finish()
        broadcast.finish()
    }

    package func now() -> Moment {
        loop.checkIsolated()
        return hasBegun ? player.now(at: Timestamp.monotonicNow()) : player.position
    }

    package func dueTime(of moment: Moment) -> Int64 {
        loop.checkIsolated()
        return hasBegun ? player.time(of: moment) ?? .max : .max
    }

    // MARK: Playing

    package var range: ClosedRange<Int64> { player.range }

    package var status: ReplayStatus {
        var status = ReplayStatus(range: player.range, speed: player.speed.text)
        status.isPaused = player.isPaused
        status.isSeeking = player.isSeeking
        status.hasEnded = player.hasEnded
        return status
    }

    package func resume() { plan() }

    package func carryOut(_ wish: ReplayWish) {
        loop.checkIsolated()
        let now = Timestamp.monotonicNow()
        do throws(ReplayError) {
            switch wish {
            case .togglePause: player.pause(!player.isPaused, nanoseconds: now)
            case .faster: player.play(at: player.speed.faster, nanoseconds: now)
            case .slower: player.play(at: player.speed.slower, nanoseconds: now)
            case .step: player.step(nanoseconds: now)
            case .jump(let seconds): try player.jump(by: Int64(seconds) * 1000, nanoseconds: now)
            }
        } catch {
            report.yield(.notice("\(error)."))
        }
        plan()
    }

    private func plan() {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard hasBegun, mayContinue(), let due = player.nextDue(at: Timestamp.monotonicNow()) else { return }
        timer = loop.schedule(at: due) { [weak self] in self?.play() }
    }

    private func play() {
        timer = nil
        guard hasBegun, mayContinue() else { return }
        do throws(ReplayError) {
            let broadcast = broadcast
            try player.due(at: Timestamp.monotonicNow(), limit: Self.portion) { broadcast.send($0) }
        } catch {
            // The signal is being read and ends all.
            if error.kind == .interrupted { return }
            player.end()
            report.yield(.notice("\(error); what was read before has been played."))
        }
        if player.hasEnded { report.yield(.ended) }
        plan()
    }
}
