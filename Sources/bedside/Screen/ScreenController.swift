import BlueZ
import CommandLineTool
import Dashboard
import EventLoop
import Glibc
import MonitorLink
import Monitoring
import Terminal
import Vitals

/// Joins the event stream, the state, the keys and the terminal: everything that is not pure about the screen.
@ScreenActor
final class ScreenController {
    let feed: any MonitorFeed
    let terminal: Terminal
    let outlet: AlarmOutlet
    /// The monitor that this is only a view of; `nil` when it is the monitor itself.
    var attached: AttachedMonitor?
    /// Those who look at this monitor from elsewhere.
    var publisher: MonitorPublisher?
    /// Whether the monitor that is viewed records.
    var isRecordedElsewhere = false
    /// Why there is nothing to view, for the shell.
    var refusal: String?
    /// Whether the user wants to monitor here in the place of a monitor that has gone.
    private(set) var takesOver = false
    var state: MonitorState
    var screen: ScreenState
    private var pacer = FramePacer()
    private var inbox: EventInbox?
    var past: PastLoader?
    var notebook = SensorNotebook()
    var patient = PatientNotebook()
    var keeper: SettingsKeeper
    /// Where other programs ask; `nil` for a screen of which nobody does.
    var post: MonitorPost?
    /// What is on the screen, for what a click means.
    private var shownGrid: Grid?
    /// The day on which the changes of the clocks were last looked up.
    private var timeZoneDay: Int64?
    private var frameTimer: LoopTimer?
    /// Waits for a terminal that takes nothing.
    var outputWatch: DescriptorWatch?
    private var deadline: DeadlineTimer?
    private(set) var ending: ExitStatus?
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
            ScreenActor.assumeIsolated { self?.deadlineCame() }
        }
        follow(events)
        let alarmReader = Task(executorPreference: ScreenActor.loop) { await self.followOutlet() }
        let complaintReader = Task(executorPreference: ScreenActor.loop) { await self.followComplaints() }
        changed()
        let status = await withCheckedContinuation { continuation in
            if let ending { continuation.resume(returning: ending) } else { finish = continuation }
        }
        // What had happened before the end counts.
        catchUp()
        alarmReader.cancel()
        complaintReader.cancel()
        ScreenActor.loop.unwatch(keys)
        signals?.stop()
        if let frameTimer { ScreenActor.loop.cancel(frameTimer) }
        endOutputWatch()
        deadline?.cancel()
        return status
    }

    /// The signals that the screen answers to; they must be blocked in every thread.
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP]

    func show(_ message: String) {
        screen.message = message
        changed()
    }

    // MARK: Events

    private func follow(_ events: BroadcastSequence<MonitorEvent>) {
        inbox = EventInbox(events) { [weak self] events in
            if self?.endedFeed(events) == true { return }
            self?.take(in: events)
            self?.changed(slowly: events.allSatisfy(\.isOfSignalStrengthOnly))
        }
    }

    /// Takes in the last of what a feed that has been closed has told: what the user wanted of sensors is kept.
    func finishEvents() {
        endedFeed(inbox?.take() ?? [])
        inbox?.close()
    }

    /// Of what happens after the end of the monitoring only what is remembered of sensors counts.
    ///
    /// - Returns: Whether the end has come.
    @discardableResult
    private func endedFeed(_ events: [MonitorEvent]) -> Bool {
        if ending == nil { return false }
        for event in events { notebook.note(event) }
        return true
    }

    /// Takes in what has come meanwhile, so that nobody is judged, answered or drawn by less than what is known.
    ///
    /// - Returns: Whether anything has.
    @discardableResult
    func catchUp() -> Bool {
        guard let events = inbox?.take(), !events.isEmpty else { return false }
        take(in: events)
        return true
    }

    /// Takes something into the state, does what that asks for, and tells those who look on from elsewhere.
    ///
    /// The state of a view is changed by its monitor only.
    @discardableResult
    func fold(_ input: MonitorInput) -> [Effect] {
        if attached != nil { return [] }
        publisher?.publish(input)
        let effects = state.apply(input)
        carryOut(effects)
        return effects
    }

    /// Does what the state asks for besides being shown, and plans what it does by time alone.
    func carryOut(_ effects: [Effect]) {
        perform(effects)
        planDeadline()
    }

    private func perform(_ effects: [Effect]) {
        for entry in outlet.take(effects, sounding: state.signal.sounding) { screen.log.add(entry) }
        guard effects.contains(where: \.isUrgent) else { return }
        pacer.hurry()
        post?.changed(isUrgent: true)
    }

    /// Follows what the store, the desktop and the hook have to say.
    private func followOutlet() async {
        for await report in outlet.reports {
            switch report {
            case .storage(let storage):
                screen.recording = outlet.mark(for: storage)
                fold(.storage(storage, at: feed.now()))
                changed()
            case .complaint(let sentence): show(sentence)
            case .earlierLog(let entries, let alarms):
                screen.log.prepend(entries)
                await resume(alarms)
                publisher?.publishSnapshot()
                changed()
            }
        }
    }

    /// Shows what of the Bluetooth service's input was ignored; each kind comes once.
    private func followComplaints() async {
        for await complaint in await feed.complaints() { show(complaint) }
    }

    private func take(in events: [MonitorEvent]) {
        for event in events {
            if feed.replay != nil { pass(before: event) }
            publisher?.publish(.event(event))
            perform(state.apply(event))
            notebook.note(event)
        }
        planDeadline()
    }

    /// How late a deadline is when this thread must have stood still.
    private static let longestDelay = Duration.seconds(2)

    /// The state's deadline has come.
    ///
    /// One that comes far too late says that the program stood still. The sensors' thread tells that as a gap; this one
    /// must not call a sensor silent before.
    private func deadlineCame() {
        guard attached == nil, let due = state.nextDeadline, feed.now().since(due) >= Self.longestDelay else {
            return timePassed()
        }
        Task(executorPreference: ScreenActor.loop) {
            await self.feed.checkForStall()
            await self.timePassed()
        }
    }

    func timePassed() {
        catchUp()
        if feed.replay != nil { pass(to: feed.now()) }
        let tick = MonitorInput.event(MonitorEvent(moment: feed.now(), kind: .tick))
        if attached == nil { fold(tick) } else { viewTimePassed(tick) }
        changed()
    }

    /// Sets the timer for when the state changes by time alone.
    func planDeadline() {
        // What a view shows is changed by its monitor's time, unless there is none.
        if let attached, attached.trouble == nil { return }
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
    func carryOut(_ intent: Intent?) {
        changed(answersKey: true)
        guard let intent else { return }
        switch intent {
        case .command(let command):
            if attached == nil { feed.carryOut(command) } else { wish(.command(command)) }
        case .acknowledge: answer(.acknowledgeAll)
        case .answer(let action): answer(action)
        case .saveLimit(let vital, let setting): keep(setting, of: vital)
        case .takeOver:
            takesOver = true
            end(.success)
        case .changeSetting(let name, let change): changeSetting(name, change)
        case .keepSettings: keepSettings()
        case .replay(let wish):
            feed.replay?.carryOut(wish)
            changed()
        case .stop: stopAndContinue()
        case .quit: end(.success)
        }
    }

    /// Applies what the user answers to alarms, and shows it.
    func answer(_ action: UserAction) {
        if attached != nil { return wish(.action(action)) }
        fold(.action(action, at: feed.now()))
        if action == .newPatient { forgetPast(at: feed.now()) }
        patient.keep(state.memory)
        changed()
    }

    func end(_ status: ExitStatus) {
        if ending != nil { return }
        ending = status
        finish?.resume(returning: status)
        finish = nil
    }

    // MARK: Frames

    /// Something that can be seen has changed; `slowly` for what comes often and matters little, as signal strengths do.
    func changed(slowly: Bool = false, answersKey: Bool = false) {
        post?.changed()
        switch pacer.changed(now: Timestamp.monotonicNow(), slowly: slowly, answersKey: answersKey) {
        case .drawNow: draw()
        case .drawAt(let time): planFrame(at: time)
        case .wait: break
        }
    }

    func draw() {
        guard terminal.takesOutput else { return drawWhenTaken() }
        let now = feed.now()
        // Asked anew each time: summer time begins and ends in the middle of a night.
        followLocalTime(at: now)
        let size = terminal.size
        screen.replay = feed.replay?.status
        screen.prepare(for: state, size: size, at: now)
        loadMissingPast(at: now)
        let grid = drawPrepared(state: state, screen: screen, size: size, now: now)
        shownGrid = grid
        terminal.paint(grid)
        if terminal.isOutputWaiting { drawWhenTaken() }
        pacer.drew(now: Timestamp.monotonicNow())
        // Ages and the clock move on even if nothing happens.
        planFrame(at: timeOfNextFrame(after: now))
    }

    /// Takes over the local time's distance from UTC, by which the limits of day and night go, too.
    private func followLocalTime(at now: Moment) {
        let (offset, day) = (now.localTimeOffset, now.wallMilliseconds / 86_400_000)
        if offset == screen.timeZoneOffset, day == timeZoneDay { return }
        if offset != screen.timeZoneOffset { fold(.timeZoneOffset(offset, at: now)) }
        timeZoneDay = day
        // What is typed lies a week back at most.
        let present = now.wallMilliseconds / 1000
        screen.timeZone = .ofSystem(from: present - 8 * 86_400, to: present)
    }

    private func planFrame(at time: Int64) {
        if let frameTimer { ScreenActor.loop.cancel(frameTimer) }
        frameTimer = nil
        if time == .max { return }
        frameTimer = ScreenActor.loop.schedule(at: time) { [weak self] in
            ScreenActor.assumeIsolated {
                self?.catchUp()
                self?.draw()
            }
        }
    }
}
