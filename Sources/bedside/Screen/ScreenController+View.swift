import Dashboard
import Monitoring
import MonitorLink
import Vitals

// What is different where the screen is only a view of a monitor that runs elsewhere.
extension ScreenController {
    /// Begins to show what a monitor tells.
    ///
    /// Nothing is recorded, kept or notified here: that is the monitor's. The bell is rung on both sides.
    func beginViewing(_ places: ViewedPlaces) {
        outlet.inbox.close()
        screen.viewedMonitor = "a monitor"
        let attached = AttachedMonitor(
            paths: { places.paths(after: $0) }, holder: { places.holder }, on: ScreenActor.loop
        ) { [weak self] news in
            ScreenActor.assumeIsolated { self?.take(news) }
        }
        self.attached = attached
        attached.begin()
    }

    private func take(_ news: [LinkViewer.News]) {
        for news in news {
            switch news {
            case .snapshot(let snapshot): show(snapshot)
            case .input(let input):
                carryOut(state.apply(input))
                if case .event(let event) = input, case .nearby = event.kind {
                    changed(slowly: true)
                } else {
                    changed()
                }
            case .notice(let sentence): show(sentence)
            case .lost(let reason): monitorLost(reason)
            case .refused(let sentence):
                refusal = sentence
                end(.unavailable)
            case .connect: break
            }
        }
        if case .input(.storage) = news.last { followRecording() }
    }

    private func show(_ snapshot: MonitorSnapshot) {
        state = snapshot.state
        screen.log = AlarmLog(snapshot.log)
        screen.isSimulated = snapshot.provenance == .simulated
        screen.viewedMonitor = attached?.monitor?.name
        isRecordedElsewhere = snapshot.isRecording
        followRecording()
        // Alarms that sound there sound here as well, from their next burst on.
        carryOut([])
        changed()
    }

    /// Takes over whether the monitor records.
    private func followRecording() {
        screen.recording = isRecordedElsewhere ? AlarmOutlet.mark(whileRecordingIs: state.environment.storage) : .off
    }

    private func monitorLost(_ reason: String) {
        let name = attached?.monitor?.shortName ?? "the monitor"
        // Who does not monitor does not record either.
        screen.recording = .off
        // Before there was one there were no values either.
        let age = attached?.monitor == nil ? "" : "; values are old"
        carryOut(state.loseMonitor("\(name) \(reason)\(age)", at: feed.now()))
        show("Looking for it each second. To monitor here instead: Enter or s.")
    }

    /// Tells the monitor what the user wants; without a monitor, answers to alarms count here.
    func wish(_ wish: ViewerLine) {
        guard let attached else { return }
        if attached.trouble == nil {
            // What the monitor would answer is said at once, and without it.
            if let refusal = state.refusal(of: wish, at: feed.now()) { return show(refusal.description) }
            return attached.send(wish)
        }
        switch wish {
        case .action(let action):
            carryOut(state.apply(.action(action, at: feed.now())))
            changed()
        case .command(.inspect): break
        case .attach, .command, .keepLimit:
            screen.offerToMonitor()
            changed()
        }
    }

    /// Lets time act on what is shown while there is no monitor whose time it is.
    func viewTimePassed(_ tick: MonitorInput) {
        if attached?.trouble != nil { carryOut(state.apply(tick)) }
    }
}
