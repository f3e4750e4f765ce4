import Configuration
import EventLoops
import Monitoring
import MonitorLink
import Recording
import Replay
import Vitals
import Waves

/// The feed of a recording: its events are delivered by its own clock.
///
/// Its data are of the past, so nothing is written and nothing is signalled.
package final class ReplayFeed: PlaybackFeed, @unchecked Sendable {
    // `@unchecked Sendable`: it belongs to the loop's thread, which every use of it checks.
    private let loop: EventLoop
    private var player: ReplayPlayer
    private let broadcast = Broadcast<MonitorEvent>()
    private let (stream, report) = AsyncStream<FeedReport>.makeStream()
    private let waveBroadcast = Broadcast<WaveUpdate>()
    /// The recorded waves, once somebody reads them.
    private var waves: ReplayWaves?
    private var timer: LoopTimer?
    private var waveTimer: LoopTimer?
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

    package func waveUpdates() async -> BroadcastSequence<WaveUpdate>? {
        loop.checkIsolated()
        if waves == nil { waves = player.waves() }
        guard waves != nil else { return nil }
        defer { playWaves() }
        return waveBroadcast.subscribe()
    }

    package func open() async -> Provenance { provenance }

    package func begin() async {
        loop.checkIsolated()
        for warning in player.warnings { report.yield(.notice(warning)) }
        // Starts now, however long the opening has taken.
        player.begin(nanoseconds: Timestamp.monotonicNow())
        hasBegun = true
        plan()
        playWaves()
    }

    package func close() async {
        loop.checkIsolated()
        hasBegun = false
        for timer in [timer, waveTimer] { if let timer { loop.cancel(timer) } }
        report.finish()
        broadcast.finish()
        waveBroadcast.finish()
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

    package func resume() {
        plan()
        playWaves()
    }

    package func carryOut(_ wish: ReplayWish) {
        loop.checkIsolated()
        let now = Timestamp.monotonicNow()
        do throws(ReplayError) {
            switch wish {
            case .togglePause: player.pause(!player.isPaused, nanoseconds: now)
            case .faster: player.play(at: player.speed.faster, nanoseconds: now)
            case .slower: player.play(at: player.speed.slower, nanoseconds: now)
            case .step: player.step(nanoseconds: now)
            case .jump(let seconds):
                try player.jump(by: Int64(seconds) * 1000, nanoseconds: now)
                interruptWaves()
            }
        } catch {
            report.yield(.notice("\(error)."))
        }
        plan()
        playWaves()
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
        let wasSeeking = player.isSeeking
        var hasGap = false
        do throws(ReplayError) {
            let broadcast = broadcast
            try player.due(at: Timestamp.monotonicNow(), limit: Self.portion) { event in
                if case .gap = event.kind { hasGap = true }
                broadcast.send(event)
            }
        } catch {
            // The signal is being read and ends all.
            if error.kind == .interrupted { return }
            player.end()
            report.yield(.notice("\(error); what was read before has been played."))
        }
        if player.hasEnded { report.yield(.ended) }
        if hasGap || player.hasEnded { interruptWaves() }
        if hasGap || wasSeeking || waves?.isInterrupted == true { playWaves() }
        plan()
    }

    // MARK: Waves

    /// At a higher speed nobody could see a wave.
    private static let fastestWaves = 60.0
    /// The least time from one look to the next, in nanoseconds: at a high speed several blocks come at once.
    private static let shortestPause: Int64 = 50_000_000

    private var showsWaves: Bool {
        guard hasBegun, !player.isSeeking, !player.hasEnded else { return false }
        if case .times(let rate) = player.speed { return rate <= Self.fastestWaves }
        return false
    }

    private func interruptWaves() {
        for update in waves?.interrupt() ?? [] { waveBroadcast.send(update) }
    }

    /// Sends what is due of the waves, and plans the next time.
    private func playWaves() {
        if let waveTimer { loop.cancel(waveTimer) }
        waveTimer = nil
        // A subscriber that delays the events resumes the waves with them.
        guard waves != nil, mayContinue() else { return }
        guard showsWaves else { return interruptWaves() }
        let now = Timestamp.monotonicNow()
        do throws(ReplayError) {
            for update in try waves?.due(at: player.now(at: now), ofEpoch: player.waveEpoch) ?? [] {
                waveBroadcast.send(update)
            }
        } catch {
            if error.kind == .interrupted { return }
            interruptWaves()
            waves = nil
            report.yield(.notice("\(error); the waves are not shown."))
        }
        guard let next = waves?.nextDue, let due = player.time(of: next) else { return }
        waveTimer = loop.schedule(at: max(due, now + Self.shortestPause)) { [weak self] in self?.playWaves() }
    }
}
