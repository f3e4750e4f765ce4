import Appearance
import CommandLineInterface
import Configuration
import Dashboard
import EventLoops
import Formats
import Glibc
import MQTT
import Monitor
import Monitoring
import Terminal
import Vitals
import Ward
import WardMessages
import WardScreen

/// The screen of a ward: messages of the broker and keys become changes of the state, and the state becomes frames.
@ScreenActor
final class WardController {
    /// Publishes requests to beds.
    var send: ([MQTTMessage]) -> Void = { _ in }

    private let terminal: Terminal
    private let isSoundOff: Bool
    private var state: WardState
    private var screen = WardScreenState()
    private var encoder = WardEncoder()
    private var frameTimer: LoopTimer?
    private var isFramePlanned = false
    /// Draws as soon as the terminal accepts output again.
    private lazy var drain = DrainWatch(terminal) { [weak self] in self?.draw() }
    private var ending: ExitStatus?
    private var finish: CheckedContinuation<ExitStatus, Never>?

    /// How many values may change between two frames: a ward of many beds sends hundreds of messages a second.
    private static let frameInterval = Duration.milliseconds(100)

    init(_ state: WardState, on shown: ShownTerminal, _ settings: Settings) {
        self.state = state
        terminal = shown.terminal
        isSoundOff = settings.monitor.alarmSignals.isSoundOff
        screen.glyphs = GlyphSet(rawValue: settings.screen.glyphs.rawValue) ?? terminal.traits.suitableGlyphs
        screen.units = DisplayUnits(settings)
        screen.isMotionReduced = settings.monitor.alarmSignals.isMotionReduced
    }

    /// Shows the screen until the user quits, a signal comes or the terminal goes away.
    func run() async -> ExitStatus {
        let keys = ScreenActor.loop.watch(terminal.inputDescriptor, for: .readable) { [weak self] _ in
            ScreenActor.assumeIsolated { self?.inputIsReady() }
        }
        let signals = SignalWatch(ScreenController.signals, on: ScreenActor.loop) { [weak self] number in
            ScreenActor.assumeIsolated { self?.received(signal: number) }
        }
        draw()
        let status = await withCheckedContinuation { continuation in
            if let ending { continuation.resume(returning: ending) } else { finish = continuation }
        }
        ScreenActor.loop.unwatch(keys)
        signals?.stop()
        if let frameTimer { ScreenActor.loop.cancel(frameTimer) }
        drain.end()
        return status
    }

    private func end(_ status: ExitStatus) {
        if ending != nil { return }
        ending = status
        finish?.resume(returning: status)
        finish = nil
    }

    // MARK: The broker

    /// Handles what the client reports.
    func received(_ event: MQTTClient.Event) {
        let now = Moment.now()
        switch event {
        case .connected, .delivered: return
        // Only now does every message arrive.
        case .subscribed: carryOut(state.brokerChanged(.connected, at: now))
        case .disconnected(let error): carryOut(state.brokerChanged(.lost(error.description), at: now))
        case .received(let message):
            carryOut(
                state.receive(
                    topic: message.topic, payload: message.payload, isRetained: message.isRetained, at: now))
        case .subscriptionRefused(let topic):
            carryOut(
                state.brokerChanged(.lost("its access list forbids to read \(sanitized(topic, limit: 60))"), at: now))
        case .publishRefused(let topic):
            state.show("The broker's access list forbids to write \(sanitized(topic, limit: 60)).")
            planFrame(after: Self.frameInterval)
        }
    }

    private func carryOut(_ effects: [WardEffect]) {
        var isUrgent = false
        for effect in effects {
            switch effect {
            case .publish(let topic, let command):
                let wall = state.now.wallMilliseconds
                send([
                    MQTTMessage(
                        topic.text, encoder.encode(command, wallMilliseconds: wall), .atLeastOnce, expirySeconds: 15)
                ])
            case .logged(let entry):
                isUrgent = true
                if entry.change == .active || entry.change == .worsened, !isSoundOff { terminal.ring() }
            case .warning(let sentence): state.show(sentence)
            }
        }
        if isUrgent { draw() } else { planFrame(after: Self.frameInterval) }
    }

    // MARK: Keys and signals

    private func inputIsReady() {
        while true {
            switch terminal.readKey() {
            case .key(let key): pressed(key)
            case .mouse: continue
            case .nothing: return draw()
            case .closed: return end(.hangUp)
            }
        }
    }

    private func pressed(_ key: Key) {
        let columns = screen.layout(state, size: terminal.size).columns
        let now = Moment.now()
        switch screen.handle(key, state, columns: columns) {
        case .quit: end(.success)
        case .acknowledge(let bed):
            carryOut(state.acknowledgeOwnAlarms(of: bed, at: now))
            if let bed { carryOut(state.answer(.acknowledge, bed: bed, at: now)) }
        case .going(let bed): carryOut(state.answer(.going, bed: bed, at: now))
        case .notGoing(let bed): carryOut(state.answer(.notGoing, bed: bed, at: now))
        case nil: break
        }
    }

    private func received(signal number: Int32) {
        switch number {
        case SIGWINCH:
            terminal.resize()
            draw()
        case SIGTSTP:
            terminal.stopUntilContinued()
            draw()
        case SIGHUP: end(.hangUp)
        default: end(.success)
        }
    }

    // MARK: Frames

    private func draw() {
        guard terminal.takesOutput else { return drain.begin() }
        let now = Moment.now()
        let effects = state.advance(to: now)
        screen.timeZoneOffset = now.localTimeOffset
        terminal.paint(drawWard(state, screen, size: terminal.size, now: now))
        if terminal.isOutputWaiting { drain.begin() }
        isFramePlanned = false
        // Ages move on each second, and what nobody has answered flashes; a deadline of the state may be sooner.
        var next = screen.isMotionReduced ? Duration.seconds(1) : .milliseconds(250)
        if let deadline = state.nextDeadline {
            next = min(next, max(.milliseconds(20), deadline.monotonic.since(now.monotonic)))
        }
        planFrame(after: next, isLater: true)
        if !effects.isEmpty { carryOut(effects) }
    }

    /// Plans a frame; one that is planned already stays, unless it was one that comes anyway.
    private func planFrame(after delay: Duration, isLater: Bool = false) {
        if isFramePlanned, !isLater { return }
        isFramePlanned = !isLater
        if let frameTimer { ScreenActor.loop.cancel(frameTimer) }
        frameTimer = ScreenActor.loop.schedule(after: delay) { [weak self] in
            ScreenActor.assumeIsolated { self?.draw() }
        }
    }
}
