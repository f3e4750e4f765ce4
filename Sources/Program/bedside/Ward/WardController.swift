import Appearance
import Base
import CommandLineInterface
import Configuration
import Dashboard
import EventLoops
import Glibc
import Engine
import Monitoring
import Terminal
import Vitals
import Ward
import WardMessages
import WardScreen
import Wording

/// The screen of a ward: keys change what is shown, and the state of the ward becomes frames.
@ScreenActor
final class WardController {
    private let feed: WardFeed
    private let terminal: Terminal
    private let session: TerminalSession
    private let sound: WardAlarmSound
    private let history: WardHistory
    private var screen = WardScreenState()
    private var pacer = FramePacer(sustainedInterval: FramePacer.sustainedWardInterval)
    private var frameTimer: LoopTimer?
    /// When the screen must be drawn again, in nanoseconds of the computer's clock.
    private var frameTime = Int64.max
    /// Draws as soon as the terminal accepts output again.
    private lazy var drain = DrainWatch(terminal) { [weak self] in self?.redraw() }

    init(_ feed: WardFeed, on shown: ShownTerminal, _ settings: Settings, stores: String) {
        self.feed = feed
        terminal = shown.terminal
        session = TerminalSession(shown.terminal)
        sound = WardAlarmSound(feed, on: shown, settings)
        history = WardHistory(in: stores)
        screen.glyphs = GlyphSet(rawValue: settings.screen.glyphs.rawValue) ?? terminal.traits.suitableGlyphs
        screen.units = DisplayUnits(settings)
        screen.isMotionReduced = settings.monitor.alarmSignals.isMotionReduced
    }

    /// Shows the screen until the user quits, a signal arrives or the terminal is closed.
    func run() async -> ExitStatus {
        feed.onChange = { [weak self] effects, bed in self?.changed(by: effects, of: bed) }
        sound.onChange = { [weak self] in
            self?.followSound()
            self?.changed()
        }
        sound.onProof = { [weak self] in self?.followSound() }
        sound.begin()
        draw()
        let status = await session.wait { [weak self] in
            self?.inputIsReady()
        } handle: { [weak self] request in
            if request == .stop {
                // Beds that rely on this screen sound at once.
                self?.feed.change { $0.setSounding(false, at: $1) }
                self?.terminal.stopUntilContinued()
            }
            self?.redraw()
        }
        (feed.onChange, sound.onChange, sound.onProof) = ({ _, _ in }, {}, {})
        // Beds that rely on this screen sound at once.
        feed.change { $0.setSounding(false, at: $1) }
        if let frameTimer { ScreenActor.loop.cancel(frameTimer) }
        drain.end()
        await sound.close()
        return status
    }

    private func changed(by effects: [WardEffect], of bed: WardBed?) {
        let isUrgent = effects.contains { if case .logged = $0 { true } else { false } }
        if isUrgent { pacer.hurry() }
        // A message about a value silences nothing and begins nothing; but where a bed is silent because this screen sounds,
        // nothing is left to the next frame, which a slow terminal may delay: an answer that ends is not logged here.
        if isUrgent || bed == nil || feed.state.isAskedToSound { sound.settle() }
        sound.proveWhileAsked()
        changed()
    }

    /// Tells beds that are silent, because this screen sounds, when it does not.
    private func followSound() {
        let isCertain = sound.isCertain
        if isCertain != feed.state.isSounding { feed.change { $0.setSounding(isCertain, at: $1) } }
    }

    // MARK: Keys

    private func inputIsReady() {
        feed.advance()
        while true {
            switch terminal.readKey() {
            case .key(let key): pressed(key)
            case .mouse: continue
            case .nothing: return changed(answersKey: true)
            case .closed: return session.end(.hangUp)
            }
        }
    }

    private func pressed(_ key: Key) {
        let columns = screen.layout(feed.state, size: terminal.size).columns
        switch screen.handle(key, feed.state, columns: columns, at: .now()) {
        case .quit: session.end(.success)
        case .acknowledge(let bed):
            feed.change { state, now in
                state.acknowledgeOwnAlarms(of: bed, at: now)
                    + (bed.map { state.answer(.acknowledge, bed: $0, at: now) } ?? [])
            }
        case .going(let bed): feed.change { $0.answer(.going, bed: bed, at: $1) }
        case .notGoing(let bed): feed.change { $0.answer(.notGoing, bed: bed, at: $1) }
        case .lookAgain:
            feed.change { state, _ in
                state.show("Another bed has just come to the front: look, and press the key again.")
                return []
            }
        case .pauseSound: sound.togglePause()
        case nil: break
        }
    }

    // MARK: Frames

    /// Draws at once, or soon if changes are frequent.
    private func changed(answersKey: Bool = false) {
        switch pacer.changed(now: Timestamp.monotonicNow(), answersKey: answersKey) {
        case .drawNow: draw()
        case .drawAt(let time): planFrame(at: min(time, frameTime))
        case .wait: break
        }
    }

    private func redraw() {
        feed.advance()
        draw()
    }

    private func draw() {
        guard terminal.takesOutput else { return drain.begin() }
        // Alarms that are snoozed or suspended at a bed fall silent here with the next frame.
        sound.settle()
        let now = Moment.now()
        screen.timeZoneOffset = now.localTimeOffset
        screen.sound = sound.here
        history.follow(screen, feed.state) { [weak self] in
            self?.screen.history = $0
            self?.changed()
        }
        let frame = WardFrame(feed.state, screen, size: terminal.size, now: now)
        terminal.paint(frame.grid)
        screen.drew(frame.selected, at: now)
        if terminal.isOutputWaiting { drain.begin() }
        pacer.drew(now: Timestamp.monotonicNow())
        // Ages change and unacknowledged alarms flash even if nothing happens. The ages of many beds change all the
        // time, and must not use up the frames for new data.
        let next = nextWardRedraw(feed.state, screen, now: now).monotonicNanoseconds
        planFrame(at: max(next, pacer.earliestFrame))
    }

    private func planFrame(at time: Int64) {
        if let frameTimer { ScreenActor.loop.cancel(frameTimer) }
        frameTime = time
        frameTimer = ScreenActor.loop.schedule(at: time) { [weak self] in
            ScreenActor.assumeIsolated { self?.redraw() }
        }
    }
}
