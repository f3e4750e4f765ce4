import BlueZ
import EventLoops
import Monitoring
import Vitals

/// Brings the events of the bus's thread to the engine's, many at a time.
///
/// Waking a thread costs some thirty times what an event does to the state. So the first event after a quiet time is
/// handed over at once, and those that follow closely wait for one another. Nothing is lost or put in another order;
/// only signal strengths that have not been handed over yet give way to newer ones.
final class EventInbox: @unchecked Sendable {
    // `@unchecked Sendable`: it belongs to the thread of its loop, which every entry point checks.

    /// The longest time that events wait for others, in nanoseconds; less than a frame, so that no display is delayed.
    static let spacing: Int64 = 20_000_000

    /// After how long without an event there is nothing to wait for, in nanoseconds.
    private static let quiet: Int64 = 200_000_000

    private let loop: EventLoop
    private var inbox: BroadcastInbox<MonitorEvent>?
    private var timer: LoopTimer?
    /// When something was handed over last.
    private var last = Int64.min / 2
    private let receive: ([MonitorEvent]) -> Void

    /// Begins to hand over events.
    ///
    /// - Parameters:
    ///   - events: The one stream.
    ///   - loop: The loop on which they are handed over.
    ///   - receive: Called with one or more events, the oldest first.
    init(
        _ events: BroadcastSequence<MonitorEvent>, on loop: EventLoop, _ receive: @escaping ([MonitorEvent]) -> Void
    ) {
        (self.loop, self.receive) = (loop, receive)
        inbox = events.collect { [weak self] in
            Task(executorPreference: loop) { self?.handOver() }
        }
    }

    /// Takes what waits now, before the state is evaluated or drawn.
    func drain() -> [MonitorEvent] {
        loop.checkIsolated()
        return inbox?.drain() ?? []
    }

    /// Hands over nothing any more.
    func close() {
        loop.checkIsolated()
        inbox = nil
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    /// Hands over what waits; where much comes, looks again a little later instead of being woken for each.
    private func handOver() {
        loop.checkIsolated()
        guard let inbox else { return }
        let now = Timestamp.monotonicNow()
        if now < last + Self.spacing { return lookAgain(at: last + Self.spacing) }
        timer = nil
        var events = inbox.drain()
        // After a quiet time another one is likely to follow, and that is slept through.
        let isAsleep = (events.isEmpty || now >= last + Self.quiet) && inbox.goToSleep()
        if !isAsleep {
            events += inbox.drain()
            lookAgain(at: now + Self.spacing)
        }
        if events.isEmpty { return }
        last = now
        receive(events)
    }

    private func lookAgain(at time: Int64) {
        timer = loop.schedule(at: time) { [weak self] in self?.handOver() }
    }
}
