import BlueZ
import EventLoop
import Monitoring
import Vitals

/// Brings the events of the bus's thread to the screen's, many at a time.
///
/// Waking a thread costs some thirty times what an event does to the state. So the first event after a quiet time is
/// handed over at once, and those that follow closely wait for one another. Nothing is lost or put in another order;
/// only signal strengths that nobody has looked at yet give way to newer ones.
@ScreenActor
final class EventInbox {
    /// How long events wait at most for others, in nanoseconds; less than a frame, so that none is seen later for it.
    nonisolated static let spacing: Int64 = 20_000_000

    private var inbox: BroadcastInbox<MonitorEvent>?
    private var timer: LoopTimer?
    private let receive: ([MonitorEvent]) -> Void

    /// Begins to hand over events.
    ///
    /// - Parameters:
    ///   - events: The one stream.
    ///   - receive: Called with events, the oldest first, never with none.
    init(_ events: BroadcastSequence<MonitorEvent>, _ receive: @escaping ([MonitorEvent]) -> Void) {
        self.receive = receive
        inbox = events.collect { [weak self] in
            Task(executorPreference: ScreenActor.loop) { @ScreenActor in self?.handOver() }
        }
    }

    /// Takes what waits now, for who is about to judge or to draw the state.
    func take() -> [MonitorEvent] {
        inbox?.take() ?? []
    }

    /// Hands over nothing any more.
    func close() {
        inbox = nil
        if let timer { ScreenActor.loop.cancel(timer) }
        timer = nil
    }

    /// Hands over what waits, and looks again a little later; sleeps when nothing has come by then.
    private func handOver() {
        guard let inbox else { return }
        var events = inbox.take()
        if events.isEmpty {
            timer = nil
            if inbox.goToSleep() { return }
            events = inbox.take()
        }
        timer = ScreenActor.loop.schedule(at: Timestamp.monotonicNow() + Self.spacing) { [weak self] in
            ScreenActor.assumeIsolated { self?.handOver() }
        }
        if !events.isEmpty { receive(events) }
    }
}
