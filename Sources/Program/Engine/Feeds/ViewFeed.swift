import EventLoops
import MonitorLink
import Monitoring
import Vitals
import Waves

/// The feed of a view: receives another monitor's reports, and sends requests back.
package final class ViewFeed: EventFeed, @unchecked Sendable {
    // `@unchecked Sendable`: it belongs to the loop's thread, which every use of the connection checks.
    private let loop: EventLoop
    private let broadcast = Broadcast<MonitorEvent>()
    private let waves = Broadcast<WaveUpdate>()
    /// The kinds of waves that are wanted.
    private var wantedWaves: Set<WaveKind> = []
    private let (stream, report) = AsyncStream<FeedReport>.makeStream()
    private let finder: MonitorFinder?
    private var attached: AttachedMonitor?

    /// Creates a feed; ``open()`` searches for its monitor.
    ///
    /// - Parameters:
    ///   - finder: Finds the monitor; `nil` if the user has no folders.
    ///   - loop: The loop of the engine.
    package init(_ finder: MonitorFinder?, on loop: EventLoop) {
        (self.finder, self.loop) = (finder, loop)
    }

    package var provenance: Provenance { .unknown }

    package func events() async -> BroadcastSequence<MonitorEvent> { broadcast.subscribe() }

    package func reports() async -> AsyncStream<FeedReport> { stream }

    package func open() async -> Provenance {
        loop.checkIsolated()
        let attached = AttachedMonitor(
            paths: { [finder] in finder?.paths(after: $0, isView: true) ?? [] },
            holder: { [finder] in finder?.accepted == .simulated ? nil : finder?.holder }, on: loop
        ) { [weak self] news in
            for news in news { self?.forward(news) }
        }
        self.attached = attached
        attached.use(waves: wantedWaves)
        attached.begin()
        return provenance
    }

    /// Sends a wish to the monitor.
    package func carryOut(_ wish: Wish) {
        loop.checkIsolated()
        attached?.send(wish)
    }

    package func waveUpdates() async -> BroadcastSequence<WaveUpdate>? { waves.subscribe() }

    package func use(waves kinds: Set<WaveKind>) async {
        loop.checkIsolated()
        wantedWaves = kinds
        attached?.use(waves: kinds)
    }

    package func close() async {
        loop.checkIsolated()
        attached?.end()
        report.finish()
        broadcast.finish()
        waves.finish()
    }

    /// The present or last monitor; `nil` before the first.
    package var monitor: MonitorHello? {
        loop.checkIsolated()
        return attached?.monitor
    }

    /// Whether the monitor is connected and answers.
    package var isConnected: Bool {
        loop.checkIsolated()
        return attached?.trouble == nil
    }

    private func forward(_ news: LinkViewer.News) {
        switch news {
        case .snapshot(let snapshot): report.yield(.snapshot(snapshot))
        case .input(let input): report.yield(.input(input))
        case .waves(let updates): for update in updates { waves.send(update) }
        case .notice(let sentence): report.yield(.notice(sentence))
        case .lost(let reason):
            let monitor = attached?.monitor
            report.yield(
                .lost(
                    MonitorLoss(
                        name: monitor?.shortName ?? "the monitor", reason: reason, hadMonitor: monitor != nil)))
        case .refused(let sentence): report.yield(.refused(sentence))
        case .connect: break
        }
    }
}
