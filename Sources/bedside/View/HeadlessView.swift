import CommandLineTool
import EventLoop
import Glibc
import MonitorLink
import Monitoring
import Vitals

/// A view of a monitor that runs elsewhere, without a screen: a voice tells what that one tells.
actor HeadlessView {
    private let loop: EventLoop
    private let places: ViewedPlaces
    private let duration: Duration?
    private let voice: any HeadlessVoice
    private var state = MonitorState(start: .now())
    private var attached: AttachedMonitor?
    private var deadline: DeadlineTimer?
    private var status: ExitStatus?
    private var finish: CheckedContinuation<ExitStatus, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes a view.
    ///
    /// - Parameters:
    ///   - places: Where the monitor may be.
    ///   - duration: When it ends by itself.
    ///   - loop: The loop that it runs on.
    init(of places: ViewedPlaces, for duration: Duration?, voice: sending any HeadlessVoice, on loop: EventLoop) {
        (self.places, self.duration, self.voice, self.loop) = (places, duration, voice, loop)
    }

    /// Runs until the time, a signal or its voice ends it; the monitor goes on.
    func run() async -> ExitStatus {
        voice.begin(on: loop) { [weak self] status in self?.assumeIsolated { $0.end(status) } }
        voice.timeZoneOffset = Moment.now().localTimeOffset
        let signals = SignalWatch([SIGINT, SIGTERM, SIGHUP], on: loop) { [weak self] number in
            self?.assumeIsolated { $0.end(number == SIGHUP ? .hangUp : .success) }
        }
        let timer = duration.map { duration in
            loop.schedule(after: duration) { [weak self] in self?.assumeIsolated { $0.end(.success) } }
        }
        deadline = DeadlineTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.timePassed() } }
        loop.onEachTurn { [weak self, loop] in
            if let self { loop.assumeIsolated(to: self) { $0.turnEnds() } }
        }
        let attached = AttachedMonitor(
            paths: { [places] in places.paths(after: $0) }, holder: { [places] in places.holder }, on: loop
        ) { [weak self] news in
            self?.assumeIsolated { $0.take(news) }
        }
        self.attached = attached
        attached.begin()
        let status = await withCheckedContinuation { continuation in
            if let status = self.status { continuation.resume(returning: status) } else { finish = continuation }
        }
        voice.isEnding()
        if let timer { loop.cancel(timer) }
        deadline?.cancel()
        attached.end()
        signals?.stop()
        voice.finish()
        return status
    }

    private func take(_ news: [LinkViewer.News]) {
        for news in news {
            switch news {
            case .snapshot(let snapshot): begin(snapshot)
            case .input(let input):
                let effects = state.apply(input)
                voice.tell(input.happened, effects, state)
            case .notice(let sentence): voice.complain(sentence)
            case .lost(let reason):
                let name = attached?.monitor?.shortName ?? "the monitor"
                // Before there was one there were no values either.
                let isFirst = attached?.monitor == nil
                let effects = state.loseMonitor("\(name) \(reason)\(isFirst ? "" : "; values are old")", at: .now())
                let age = isFirst ? "" : " Values are old."
                voice.complain("NO MONITOR: \(name) \(reason).\(age) It is looked for each second.")
                voice.tell(nil, effects, state)
            case .refused(let sentence):
                voice.complain(sentence)
                end(.unavailable)
            case .connect: break
            }
        }
    }

    private func begin(_ snapshot: MonitorSnapshot) {
        state = snapshot.state
        voice.isSimulated = snapshot.provenance == .simulated
        if let monitor = attached?.monitor { voice.complain("This is a view of \(monitor.name), which goes on.") }
        // What there is to tell of the present without an event.
        voice.tell(nil, [], state)
    }

    /// A value that was kept back is due.
    private func timePassed() {
        voice.timeZoneOffset = Moment.now().localTimeOffset
        voice.tell(nil, [], state)
    }

    private func turnEnds() {
        voice.turnEnds(state)
        deadline?.plan(at: voice.nextDue?.monotonicNanoseconds)
    }

    private func end(_ status: ExitStatus) {
        if self.status != nil { return }
        self.status = status
        finish?.resume(returning: status)
        finish = nil
    }
}
