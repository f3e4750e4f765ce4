import Monitoring
import Vitals

// What is different when a recording is told in the place of the present.
extension HeadlessMonitor {
    /// Begins to play a recording; nothing that an earlier run has kept belongs to it.
    func begin(_ replay: ReplayFeed) async {
        voice.isSimulated = replay.isSimulated
        voice.begin(replay)
        replay.whenEnded = { [weak self, weak replay] in
            guard let replay else { return }
            self?.assumeIsolated { $0.ended(replay) }
        }
        await replay.begin(remembering: [], isScanning: false)
    }

    func ended(_ replay: ReplayFeed) {
        if status != nil { return }
        pass(to: feed.now())
        voice.end(replay)
        end(.success)
    }

    /// Lets time pass in a recording, and stops at each moment at which it alone changes something: what comes of that
    /// must not depend on when the computer finds the time for it.
    func pass(to moment: Moment) {
        var last: Moment?
        while let due = [state.nextDeadline, voice.nextDue].compactMap({ $0 }).min(), due < moment, due != last {
            last = due
            followTimeZone(at: due)
            fold(.event(MonitorEvent(moment: due, kind: .tick)))
        }
        followTimeZone(at: moment)
    }
}
