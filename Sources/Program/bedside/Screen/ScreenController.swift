import Base
import CommandLineInterface
import Configuration
import Dashboard
import Engine
import EventLoops
import Glibc
import Monitoring
import MonitorLink
import Recording
import Terminal
import TextGrid
import Vitals

/// The full-screen view of a monitor: keys become requests, and the state becomes frames.
@ScreenActor
final class ScreenController: MonitorSubscriber {
    /// The monitor, which runs on the screen's loop.
    let monitor: MonitorEngine
    let terminal: Terminal
    var screen: ScreenState
    /// Whether the user wants to monitor here, because the viewed monitor is lost.
    private(set) var takesOver = false
    /// Why there is nothing to view, to print at the end.
    private(set) var refusal: String?
    private var pacer = FramePacer()
    private var frames = FrameSequence()
    /// The reader of the recorded past.
    var past: PastLoader?
    /// The trace that a key has begun.
    var trace: ScreenTrace?
    /// The data for the page of the last days.
    var daysReading = DaysReading()
    var nightReading = NightReading()
    /// The waves that are read.
    var waves = WaveReading()
    /// The change since the last turn of the loop.
    private var pending: Change?
    /// The grid on the screen, to interpret clicks.
    private var shownGrid: Grid?
    /// The day of the last lookup of the time zone.
    private var timeZoneDay: Int64?
    private var frameTimer: LoopTimer?
    private var plan = FramePlan()
    /// Draws as soon as the terminal accepts output again.
    private lazy var drain = DrainWatch(terminal) { [weak self] in self?.draw() }
    private let session: TerminalSession

    /// How soon a change must be drawn.
    private enum Change: Int {
        /// Frequent and minor.
        case slow
        case prompt
    }

    init(_ monitor: MonitorEngine, terminal: Terminal, screen: ScreenState) {
        self.monitor = monitor
        self.terminal = terminal
        self.screen = screen
        session = TerminalSession(terminal)
    }

    var state: MonitorState { monitor.assumeIsolated { $0.state } }

    /// Shows the screen until the user quits, a signal arrives or the terminal is closed.
    func run() async -> ExitStatus {
        beginReadingWaves()
        changed()
        let status = await session.wait { [weak self] in
            self?.inputIsReady()
        } handle: { [weak self] request in
            self?.handle(request)
        }
        if let frameTimer { ScreenActor.loop.cancel(frameTimer) }
        drain.end()
        return status
    }

    /// Shows a sentence instead of the keys.
    func show(_ message: String) {
        screen.dialogs.message = message
        changed()
    }

    func end(_ status: ExitStatus) { session.end(status) }

    // MARK: Updates

    func receive(_ update: MonitorUpdate, from monitor: isolated MonitorEngine) {
        ScreenActor.assumeIsolated { self.handle(update) }
    }

    private func handle(_ update: MonitorUpdate) {
        if session.hasEnded { return }
        switch update {
        case .turnEnded:
            endTraceIfFailed()
            return turnEnded()
        case .input(let input, let effects):
            // Nothing of it is on the screen, but for an alarm that has become due meanwhile.
            if effects.isEmpty, case .traced = update.event?.kind { return }
            if effects.contains(where: \.isUrgent) { pacer.hurry() }
            follow(input, effects)
            let isSlow = update.event?.isOfSignalStrengthOnly ?? false
            pending = pending == .prompt || !isSlow ? .prompt : .slow
            return
        case .monitorLost(_, let effects):
            if effects.contains(where: \.isUrgent) { pacer.hurry() }
            screen.dialogs.message = "Looking for it each second. To monitor here instead: Enter or s."
        case .replaced(.viewed(let name)):
            frames = FrameSequence()
            if let name { screen.session.viewedMonitor = name }
        case .replaced(.trends(let since)):
            frames = FrameSequence()
            recordRecord(since: since)
        case .replaced(.log): break
        case .notice(let sentence): screen.dialogs.message = sentence
        case .settingsChanged(let old): settingsChanged(from: old)
        case .settingsKept: screen.settings.items = monitor.assumeIsolated { $0.settingItems }
        case .unavailable: screen.offerToMonitor()
        case .refused(let sentence):
            refusal = sentence
            end(.unavailable)
        case .provenance, .context, .replayBegan, .replayEnded, .timePassed: break
        case .viewNotice, .ready, .reloading, .reloaded, .closing, .closed: return
        }
        pending = .prompt
    }

    /// Draws once for all changes of a turn.
    private func turnEnded() {
        guard let change = pending else { return }
        changed(slowly: change == .slow)
    }

    /// Applies an input to the state of the screen.
    private func follow(_ input: MonitorInput, _ effects: [Effect]) {
        switch input {
        case .event(let event):
            // A replay restarts.
            if case .restarted = event.kind {
                screen.trends = TrendView()
                frames = FrameSequence()
                _ = waves.queue?.takeAll()
                waves.sweeps.forget()
            }
            // Whose measurement it was, where a device is for several persons.
            if case .entry = event.kind, let news = Self.news(of: effects).first {
                screen.dialogs.message = news.capitalizedFirst + "."
            }
        case .wish(.newPatient, let moment): forgetPast(at: moment)
        case .memory:
            let news = Self.news(of: effects)
            if news.isEmpty { break }
            screen.dialogs.message =
                news.joined(separator: "; ").capitalizedFirst + ". P forgets it for another patient."
        default: break
        }
    }

    /// What the program has done by itself.
    private static func news(of effects: [Effect]) -> [String] {
        effects.compactMap { effect in
            if case .action(let record) = effect, record.actor == .program { record.kind.text } else { nil }
        }
    }

    // MARK: Keys and signals

    private func inputIsReady() {
        while true {
            switch terminal.readKey() {
            case .key(let key):
                prepareScreen()
                carryOut(screen.keyPressed(key, in: state, at: now))
            case .mouse(let action):
                guard let shownGrid else { break }
                prepareScreen()
                carryOut(screen.mouse(action, on: shownGrid, in: state, at: now))
            case .nothing: return
            case .closed: return end(.hangUp)
            }
        }
    }

    /// Carries out a command of the keys or the mouse.
    func carryOut(_ wish: ScreenWish?) {
        changed(answersKey: true)
        guard let wish else { return }
        switch wish {
        case .monitor(let wish):
            monitor.assumeIsolated { $0.carryOut(wish) }
            changed(answersKey: true)
        case .connect(let addresses):
            for address in addresses { monitor.assumeIsolated { $0.carryOut(.sensor(.connect(address: address))) } }
            changed(answersKey: true)
        case .takeOver:
            takesOver = true
            end(.success)
        case .changeSetting(let name, let change): changeSetting(name, change)
        case .keepSettings: keepSettings()
        case .speakValues:
            screen.dialogs.message = monitor.assumeIsolated { $0.speakValues() }
            changed(answersKey: true)
        case .replay(let wish):
            monitor.feed.replay?.carryOut(wish)
            changed()
        case .trace(let address): toggleTrace(of: address)
        case .stop: stopAndContinue()
        case .quit: end(.success)
        }
    }

    // MARK: Frames

    /// The feed's present time.
    var now: Moment { monitor.feed.now() }

    /// Plans a frame after a visible change; `slowly` for frequent, minor changes such as signal strengths.
    func changed(slowly: Bool = false, answersKey: Bool = false) {
        pending = nil
        switch pacer.changed(now: Timestamp.monotonicNow(), slowly: slowly, answersKey: answersKey) {
        case .drawNow: draw()
        case .drawAt(let time):
            plan.change = min(plan.change, time)
            planFrame()
        case .wait: break
        }
    }

    func draw() {
        guard terminal.takesOutput else { return drain.begin() }
        let now = now
        // Read each time, because summer time begins and ends in the middle of a night.
        followLocalTime(at: now)
        prepareScreen()
        let (state, size) = (state, terminal.size)
        followWaves(in: state, at: now)
        screen.prepare(for: state, size: size, at: now)
        loadMissingPast(at: now)
        readDays(at: now)
        readNight(at: now)
        var grid = frames.drawPrepared(state: state, screen: screen, size: size, now: now)
        drawWaves(on: &grid, in: state, at: now)
        shownGrid = grid
        terminal.paint(grid)
        if terminal.isOutputWaiting { drain.begin() }
        pacer.drew(now: Timestamp.monotonicNow())
        pending = nil
        // Ages and the clock change even if nothing happens.
        (plan.change, plan.age) = (.max, time(of: nextRedraw(state: state, screen: screen, now: now)))
        planFlash(after: now, state)
    }

    /// Shows the grid again with the present look of flashing items, and the waves.
    private func drawParts() {
        guard terminal.takesOutput, var grid = shownGrid else { return drain.begin() }
        let (now, state) = (now, state)
        // What stands beside a wave, or instead of it, is another frame.
        guard hasSameWaves(in: state, at: now) else { return draw() }
        drawWaves(on: &grid, in: state, at: now)
        grid.flash(at: now, isMotionReduced: state.settings.alarmSignals.isMotionReduced)
        shownGrid = grid
        terminal.paint(grid)
        if terminal.isOutputWaiting { drain.begin() }
        planFlash(after: now, state)
    }

    /// Copies the monitor's data besides its state.
    private func prepareScreen() {
        (screen.session.log, screen.session.isSimulated, screen.session.recording) = monitor.assumeIsolated {
            ($0.log, $0.isSimulated, $0.recordingMark)
        }
        screen.session.replay = monitor.feed.replay?.status
    }

    /// Updates the local time's offset from UTC, which also switches the limits of day and night.
    private func followLocalTime(at now: Moment) {
        let (offset, day) = (now.localTimeOffset, now.wallMilliseconds / 86_400_000)
        if offset == screen.session.timeZoneOffset, day == timeZoneDay { return }
        monitor.assumeIsolated { $0.followTimeZone(at: now) }
        timeZoneDay = day
        // Typed times and the page of the last days are at most two weeks old.
        let present = now.wallMilliseconds / 1000
        screen.session.timeZone = .ofSystem(from: present - Int64(DaysView.count + 1) * 86_400, to: present)
    }

    /// The time of a frame that shows a moment, in nanoseconds of the computer's clock.
    private func time(of moment: Moment) -> Int64 {
        let next = monitor.feed.dueTime(of: moment)
        // The seconds of a recording may pass faster than they can be read.
        return monitor.feed.replay == nil ? next : max(next, Timestamp.monotonicNow() + FramePacer.sustainedInterval)
    }

    /// Draws the waves, and plans when to draw them again.
    private func drawWaves(on grid: inout Grid, in state: MonitorState, at now: Moment) {
        plan.waves =
            switch waves.sweeps.draw(screen, in: state, on: &grid, at: now) {
            case .soon:
                Timestamp.monotonicNow()
                    + waves.interval(isMotionReduced: state.settings.alarmSignals.isMotionReduced)
            case .at(let moment): time(of: moment)
            case nil: .max
            }
    }

    private func planFlash(after now: Moment, _ state: MonitorState) {
        plan.flash = state.nextFlash(after: now).map(time(of:)) ?? .max
        planFrame()
    }

    private func planFrame() {
        if let frameTimer { ScreenActor.loop.cancel(frameTimer) }
        frameTimer = nil
        guard let (time, tolerance) = plan.timer else { return }
        frameTimer = ScreenActor.loop.schedule(at: time, tolerance: .nanoseconds(tolerance)) { [weak self] in
            ScreenActor.assumeIsolated { self?.frameIsDue() }
        }
    }

    private func frameIsDue() {
        if plan.isFrameDue(at: Timestamp.monotonicNow()) { draw() } else { drawParts() }
    }
}

// The screen's signal handling.
extension ScreenController {
    func handle(_ request: TerminalSession.Request) {
        switch request {
        case .redraw: draw()
        case .stop: carryOut(screen.stopWanted(in: state))
        }
    }

    /// Stops the process for Ctrl-Z, and draws again when the shell continues it.
    func stopAndContinue() {
        terminal.stopUntilContinued()
        monitor.assumeIsolated { $0.timePassed() }
        draw()
    }
}

// The recorded past, for scrolling back.
extension ScreenController {
    /// Removes the past of another patient.
    func forgetPast(at now: Moment) {
        pastLoader()?.patientChanged(at: now)
        screen.trends.loaded = nil
        _ = waves.queue?.takeAll()
        waves.sweeps.forget()
        forgetDays()
        forgetNights()
        screen.trends.recordedSince = now
    }

    /// Loads missing data of the past; called after a drawing was prepared.
    func loadMissingPast(at now: Moment) {
        guard screen.trends.isPast, let missing = screen.missingPast(in: state, at: now), let past = pastLoader() else {
            screen.trends.reading = .idle
            return
        }
        let isReading = past.load(missing) { [weak self] result in
            self?.show(result)
        }
        screen.trends.reading = isReading ? .reading : .failed
    }

    /// The reader of the store, created on first use; `nil` where there is no store.
    func pastLoader() -> PastLoader? {
        if past == nil { past = monitor.assumeIsolated { $0.storePath }.map { PastLoader(path: $0) } }
        return past
    }

    private func show(_ result: Result<PastLoader.Found, StoreError>) {
        switch result {
        case .success(let found):
            recordRecord(since: found.since)
            screen.trends.loaded = found.trends
        case .failure(let failure): screen.dialogs.message = "The record cannot be read: \(failure)."
        }
        changed(answersKey: true)
    }

    /// Sets the start of the record, in milliseconds since 1970.
    func recordRecord(since: Int64?) {
        guard let since else { return }
        let now = now
        screen.trends.recordedSince = now.advanced(by: .milliseconds(since.subtractingSaturated(now.wallMilliseconds)))
    }
}
