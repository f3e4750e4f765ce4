import Base
import BlueZ
import EventLoops
import Monitoring
import Vitals

/// Brings events from the bus's thread to the engine's, in groups.
///
/// Waking a thread costs about thirty times as much as changing the state for one event. So the first event after a
/// quiet time is delivered at once, and closely following events wait for each other. Nothing is lost or reordered;
/// only undelivered signal strengths are replaced by newer ones.
final class EventInbox: @unchecked Sendable {
    // `@unchecked Sendable`: it belongs to the thread of its loop, which every entry point checks.

    /// Bounds the delay of events: less than a frame, so that no display is delayed.
    private var pace = Pace(interval: .milliseconds(20))

    /// The time without events after which the next one is delivered at once, in nanoseconds.
    private static let quiet: Int64 = 200_000_000

    private let loop: EventLoop
    private var inbox: BroadcastInbox<MonitorEvent>?
    private var timer: LoopTimer?
    private let receive: ([MonitorEvent]) -> Void

    /// Begins to deliver events.
    ///
    /// - Parameters:
    ///   - events: The one stream.
    ///   - loop: The loop to deliver them on.
    ///   - receive: Called with one or more events, the oldest first.
    init(
        _ events: BroadcastSequence<MonitorEvent>, on loop: EventLoop, _ receive: @escaping ([MonitorEvent]) -> Void
    ) {
        (self.loop, self.receive) = (loop, receive)
        inbox = events.collect { [weak self] in
            Task(executorPreference: loop) { self?.handOver() }
        }
    }

    /// Takes the waiting events, before the state is evaluated or drawn.
    func drain() -> [MonitorEvent] {
        loop.checkIsolated()
        return inbox?.drain() ?? []
    }

    /// Ends the delivery.
    func close() {
        loop.checkIsolated()
        inbox = nil
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    /// Delivers the waiting events; when events are frequent, it polls a little later instead of being woken for each.
    private func handOver() {
        loop.checkIsolated()
        guard let inbox else { return }
        let now = Timestamp.monotonicNow()
        if !pace.allows(at: now) { return lookAgain(at: pace.next) }
        timer = nil
        var events = inbox.drain()
        // After a quiet time another event is likely to follow; sleep through it.
        let isAsleep =
            (events.isEmpty || now.subtractingSaturated(pace.next) >= Self.quiet - pace.interval) && inbox.goToSleep()
        if !isAsleep {
            events += inbox.drain()
            lookAgain(at: now + pace.interval)
        }
        if events.isEmpty { return }
        pace.count(at: now)
        receive(events)
    }

    private func lookAgain(at time: Int64) {
        timer = loop.schedule(at: time) { [weak self] in self?.handOver() }
    }
}
