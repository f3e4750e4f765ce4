import Dashboard
import EventLoop
import Monitoring
import Vitals

// What is different when a recording is shown in the place of the present.
extension ScreenController {
    /// Begins to play; nothing that an earlier run has kept belongs to it.
    func begin(_ replay: ReplayFeed) async {
        replay.whenEnded = { [weak self] in
            ScreenActor.assumeIsolated {
                self?.timePassed()
                self?.changed()
            }
        }
        // At once, so that no more waits than keys and signals can wait for.
        replay.afterPortion = { [weak self] in
            ScreenActor.assumeIsolated {
                if self?.catchUp() == true { self?.changed() }
            }
        }
        await replay.begin(remembering: [], isScanning: false)
        changed()
    }

    /// When the screen will look different although nothing happens, in nanoseconds of the computer's clock.
    func timeOfNextFrame(after now: Moment) -> Int64 {
        let next = feed.dueTime(of: nextRedraw(state: state, screen: screen, now: now))
        // Seconds of a recording may pass faster than anybody can read.
        return feed.replay == nil ? next : max(next, Timestamp.monotonicNow() + FramePacer.lastingInterval)
    }

    /// Lets time pass until an event of a recording; one that begins anew has no time before it.
    func pass(before event: MonitorEvent) {
        guard case .restarted = event.kind else { return pass(to: event.timeBefore) }
        screen.log = AlarmLog()
        screen.trends = TrendView()
    }

    /// Lets time pass in a recording, and stops at each moment at which it alone changes something: what comes of that
    /// must not depend on when the computer finds the time for it.
    func pass(to moment: Moment) {
        var last: Moment?
        while let due = state.nextDeadline, due < moment, due != last {
            last = due
            carryOut(state.apply(MonitorEvent(moment: due, kind: .tick)))
        }
    }
}
