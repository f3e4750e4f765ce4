import BlueZ
import CommandLineTool
import Dashboard
import EventLoop
import Glibc
import Monitoring
import Terminal
import Vitals

/// Joins the event stream, the state, the keys and the terminal: everything that is not pure about the screen.
@ScreenActor
final class ScreenController {
    let feed: any MonitorFeed
    let terminal: Terminal
    let outlet: AlarmOutlet
    var state: MonitorState
    var screen: ScreenState
    private var pacer = FramePacer()
    private var inbox: EventInbox?
    var past: PastLoader?
    private var notebook = SensorNotebook()
    var patient = PatientNotebook()
    var keeper: SettingsKeeper
    /// What is on the screen, for what a click means.
    private var shownGrid: Grid?
    private var frameTimer: LoopTimer?
    private var deadline: DeadlineTimer?
    private var ending: ExitStatus?
    private var finish: CheckedContinuation<ExitStatus, Never>?

    init(
        feed: any MonitorFeed, terminal: Terminal, outlet: AlarmOutlet, screen: ScreenState,
        settings: MonitorSettings, keeper: SettingsKeeper
    ) {
        self.feed = feed
        self.terminal = terminal
        self.outlet = outlet
        self.screen = screen
        self.keeper = keeper
        state = MonitorState(settings: settings, start: feed.now())
    }

    /// Shows the screen until the user quits, a signal comes or the terminal goes away.
    func run(events: BroadcastSequence<MonitorEvent>) async -> ExitStatus {
        let keys = ScreenActor.loop.watch(terminal.inputDescriptor, for: .readable) { [weak self] _ in
            ScreenActor.assumeIsolated { self?.inputIsReady() }
        }
        let signals = SignalWatch(Self.signals, on: ScreenActor.loop) { [weak self] number in
            ScreenActor.assumeIsolated { self?.received(signal: number) }
        }
        deadline = DeadlineTimer(on: ScreenActor.loop) { [weak self] in
            ScreenActor.assumeIsolated { self?.timePassed() }
        }
        follow(events)
        let alarmReader = Task(executorPreference: ScreenActor.loop) { await self.followOutlet() }
        let complaintReader = Task(executorPreference: ScreenActor.loop) { await self.followComplaints() }
        changed()
        let status = await withCheckedContinuation { continuation in
            if let ending { continuation.resume(returning: ending) } else { finish = continuation }
        }
        inbox?.close()
        alarmReader.cancel()
        complaintReader.cancel()
        ScreenActor.loop.unwatch(keys)
        signals?.stop()
        if let frameTimer { ScreenActor.loop.cancel(frameTimer) }
        deadline?.cancel()
        return status
    }

    /// The signals that the screen answers to; they must be blocked in every thread.
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP]

    /// Takes in what is remembered of sensors, keeps it from now on, and has the feed begin.
    func begin() async {
        let opened = await feed.open()
        notebook = opened.notebook
        if let complaint = opened.complaint { show(complaint) }
        if Task.isCancelled { return }
        outlet.isSimulated = feed.isSimulated
        let earlier = await outlet.open()
        // Unless there is trouble already, which was told meanwhile.
        if screen.recording == .unknown { screen.recording = outlet.mark(for: .working) }
        screen.log.prepend(earlier)
        resume(after: earlier.lastAlarm)
        let entries = await outlet.manualEntries(until: feed.now())
        if !entries.isEmpty { carryOut(state.restore(entries, at: feed.now())) }
        if Task.isCancelled { return }
        await feed.begin(remembering: opened.sensors, isScanning: screen.isScanWanted)
        // Last, because sensors should not wait for a store that is slow.
        await restoreTrends()
    }

    /// Goes on with what an earlier run has kept, and says so.
    private func resume(after lastAlarm: Alarm.ID) {
        let opened = PatientNotebook.open(isSimulated: outlet.isSimulated)
        patient = opened.notebook
        let effects = state.resume(opened.memory, after: lastAlarm, at: feed.now())
        carryOut(effects)
        if let complaint = opened.complaint { show(complaint) }
        let news = effects.compactMap { effect -> String? in
            if case .action(let record) = effect, record.actor == .program { record.kind.words } else { nil }
        }
        if !news.isEmpty { show(news.joined(separator: "; ").capitalizedFirst + ". P forgets it for another patient.") }
    }

    /// The alarms that go on, for the log, when the program ends.
    var interruptions: [AlarmLogEntry] { state.interruptions(at: feed.now()) }

    private func show(_ message: String) {
        screen.message = message
        changed()
    }

    // MARK: Events

    private func follow(_ events: BroadcastSequence<MonitorEvent>) {
        inbox = EventInbox(events) { [weak self] events in
            self?.take(in: events)
            self?.changed(slowly: events.allSatisfy(\.isOfSignalStrengthOnly))
        }
    }

    /// Takes in what has come meanwhile, so that nobody is judged, answered or drawn by less than what is known.
    ///
    /// - Returns: Whether anything has.
    @discardableResult
    private func catchUp() -> Bool {
        guard let events = inbox?.take(), !events.isEmpty else { return false }
        take(in: events)
        return true
    }

    /// Does what the state asks for besides being shown, and plans what it does by time alone.
    func carryOut(_ effects: [Effect]) {
        perform(effects)
        planDeadline()
    }

    private func perform(_ effects: [Effect]) {
        for entry in outlet.take(effects, sounding: state.signal.sounding) { screen.log.add(entry) }
        if effects.contains(where: \.isUrgent) { pacer.hurry() }
    }

    /// Follows what the store, the desktop and the hook have to say.
    private func followOutlet() async {
        for await report in outlet.reports {
            switch report {
            case .storage(let storage):
                screen.recording = outlet.mark(for: storage)
                carryOut(state.apply(storage, at: feed.now()))
                changed()
            case .complaint(let sentence): show(sentence)
            }
        }
    }

    /// Shows what of the Bluetooth service's input was ignored; each kind comes once.
    private func followComplaints() async {
        for await complaint in await feed.complaints() { show(complaint) }
    }

    private func take(in events: [MonitorEvent]) {
        for event in events {
            perform(state.apply(event))
            // The bus may be that of a simulator which somebody else started; the screen must say so all the same.
            if case .bus(.connected) = event.kind, feed.isSimulated { screen.isSimulated = true }
            if let complaint = notebook.note(event) { screen.message = complaint }
        }
        planDeadline()
    }

    private func timePassed() {
        catchUp()
        carryOut(state.apply(MonitorEvent(moment: feed.now(), kind: .tick)))
        changed()
    }

    /// Sets the timer for when the state changes by time alone.
    private func planDeadline() {
        deadline?.plan(at: state.nextDeadline.map { feed.dueTime(of: $0) })
    }

    // MARK: Keys and signals

    private func inputIsReady() {
        if catchUp() { changed() }
        while true {
            switch terminal.readKey() {
            case .key(let key): carryOut(screen.keyPressed(key, in: state, at: feed.now()))
            case .mouse(let action):
                guard let shownGrid else { break }
                carryOut(screen.mouse(action, on: shownGrid, in: state, at: feed.now()))
            case .nothing: return
            case .closed: return end(.hangUp)
            }
        }
    }

    /// Does what a key or the mouse asked for.
    private func carryOut(_ intent: Intent?) {
        changed(answersKey: true)
        guard let intent else { return }
        switch intent {
        case .command(let command): feed.carryOut(command)
        case .acknowledge: answer(.acknowledgeAll)
        case .answer(let action): answer(action)
        case .saveLimit(let vital, let setting): keep(setting, of: vital)
        case .changeSetting(let name, let change): changeSetting(name, change)
        case .keepSettings: keepSettings()
        case .quit: end(.success)
        }
    }

    /// Applies what the user answers to alarms, and shows it.
    private func answer(_ action: UserAction) {
        carryOut(state.apply(action, at: feed.now()))
        if action == .newPatient { forgetPast(at: feed.now()) }
        if let complaint = patient.keep(state.memory) { screen.message = complaint }
        changed()
    }

    private func received(signal number: Int32) {
        switch number {
        case SIGWINCH:
            terminal.resize()
            draw()
        case SIGTSTP: stopAndContinue()
        case SIGHUP: end(.hangUp)
        default: end(.success)
        }
    }

    /// Gives the terminal back, stops as Ctrl-Z asks, and takes the terminal again when the shell says so.
    private func stopAndContinue() {
        terminal.suspend()
        // The signal must stop the whole process by its own rule, which it does as soon as it is let through.
        kill(getpid(), SIGTSTP)
        SignalWatch.unblock([SIGTSTP])
        SignalWatch.block([SIGTSTP])
        terminal.resume()
        timePassed()
        draw()
    }

    private func end(_ status: ExitStatus) {
        if ending != nil { return }
        ending = status
        finish?.resume(returning: status)
        finish = nil
    }

    // MARK: Frames

    /// Something that can be seen has changed; `slowly` for what comes often and matters little, as signal strengths do.
    func changed(slowly: Bool = false, answersKey: Bool = false) {
        switch pacer.changed(now: Timestamp.monotonicNow(), slowly: slowly, answersKey: answersKey) {
        case .drawNow: draw()
        case .drawAt(let time): planFrame(at: time)
        case .wait: break
        }
    }

    private func draw() {
        let now = feed.now()
        // Asked anew each time: summer time begins and ends in the middle of a night.
        follow(timeZoneOffset: now.localTimeOffset, at: now)
        let size = terminal.size
        screen.prepare(for: state, size: size, at: now)
        loadMissingPast(at: now)
        let grid = Dashboard.draw(state: state, screen: screen, size: size, now: now)
        shownGrid = grid
        terminal.paint(grid)
        pacer.drew(now: Timestamp.monotonicNow())
        // Ages and the clock move on even if nothing happens.
        planFrame(at: feed.dueTime(of: nextRedraw(state: state, screen: screen, now: now)))
    }

    /// Takes over the local time's distance from UTC, by which the limits of day and night go, too.
    private func follow(timeZoneOffset: Int, at now: Moment) {
        if timeZoneOffset == screen.timeZoneOffset { return }
        screen.timeZoneOffset = timeZoneOffset
        carryOut(state.apply(timeZoneOffset: timeZoneOffset, at: now))
    }

    private func planFrame(at time: Int64) {
        if let frameTimer { ScreenActor.loop.cancel(frameTimer) }
        frameTimer = ScreenActor.loop.schedule(at: time) { [weak self] in
            ScreenActor.assumeIsolated {
                self?.catchUp()
                self?.draw()
            }
        }
    }
}
