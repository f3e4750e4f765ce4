import Appearance
import Base
import BlueZ
import CommandLineInterface
import Configuration
import Dashboard
import Doctor
import Engine
import EventLoops
import Loudspeaker
import Monitoring
import Recording
import SetupPage
import Terminal
import Vitals
import Wording

/// The page of the first setup on a terminal; keys, the doctor's checks and sensors in range change it.
@ScreenActor
final class SetupController {
    private let shown: ShownTerminal
    private let arguments: CommandLineArguments
    private var screen: SetupScreen
    /// The doctor's facts about terminal and locale, collected before the page takes control of the terminal.
    private let facts: Facts
    private var frameTimer: LoopTimer?
    private lazy var drain = DrainWatch(shown.terminal) { [weak self] in self?.draw() }
    private let session: TerminalSession
    private var result = End.Result.nothing
    private var isSounding = false

    /// The end of the page.
    struct End {
        /// The remaining work.
        enum Result {
            case nothing
            /// The user has left the page by a key, without writing.
            case left
            /// Write these answers.
            case write(SetupState, isSimulated: Bool)
        }

        let result: Result
        let status: ExitStatus
    }

    /// The interval of frames about sensors in range.
    private static let frameInterval = Duration.milliseconds(100)

    /// Takes control of the terminal.
    init(_ screen: SetupScreen, _ arguments: CommandLineArguments) throws(TerminalError) {
        var facts = Facts()
        ScreenExamination.run(&facts)
        self.facts = facts
        self.arguments = arguments
        let settings = screen.state.present
        shown = try ShownTerminal(settings, ifKilled: "Bedside was killed: the set-up ended at")
        session = TerminalSession(shown.terminal)
        self.screen = screen
        self.screen.glyphs =
            GlyphSet(rawValue: settings.screen.glyphs.rawValue) ?? shown.terminal.traits.suitableGlyphs
    }

    /// Shows the page until the user leaves it, and restores the terminal.
    func run() async -> End {
        look()
        let search = Task { await beginSearch() }
        draw()
        let status = await session.wait { [weak self] in
            self?.inputIsReady()
        } handle: { [weak self] request in
            if request == .stop { self?.shown.terminal.stopUntilContinued() }
            self?.draw()
        }
        if let frameTimer { ScreenActor.loop.cancel(frameTimer) }
        drain.end()
        shown.terminal.restore()
        await search.value?.end()
        return End(result: result, status: status)
    }

    // MARK: What is seen of the computer

    /// Runs the doctor's checks, and shows the findings.
    private func look() {
        screen.found(nil)
        let (facts, arguments) = (facts, arguments)
        Task(executorPreference: ScreenActor.loop) {
            await self.found(Report(await DoctorCommand.examine(facts, arguments)).checks)
        }
    }

    private func found(_ checks: [Check]) {
        screen.found(checks)
        draw()
    }

    private func beginSearch() async -> SetupSearch? {
        let source: SensorSource
        do throws(CommandError) {
            source = try await SensorSource.open(arguments)
        } catch {
            screen.heard([], trouble: "\(error.sentence) Or skip this step.")
            planFrame()
            return nil
        }
        var isKnown = false
        let search = SetupSearch(source, screen.state.present) { [weak self] search in
            guard let self else { return }
            if !isKnown, search.provenance != .unknown {
                isKnown = true
                let patient = screen.state.present.patient.name
                let isSimulated = search.provenance == .simulated
                let memory = (try? SetupCommand.remembered(of: patient, isSimulated: isSimulated)) ?? StoredMemory()
                screen.learn(memory.sensors, changedLimits: memory.patient.limits.count)
            }
            if isKnown { screen.isSimulated = search.provenance == .simulated }
            screen.heard(search.sensors, trouble: search.trouble)
            planFrame()
        }
        await search.begin()
        return search
    }

    /// Plays a tone in another process and thread: a sound system may hang in any call.
    private func playTone() {
        if isSounding { return }
        isSounding = true
        screen.message = "Listen\(screen.glyphs == .ascii ? ".." : "…")"
        let thread = EventLoop()
        thread.startThread(named: "sound check")
        Task(executorPreference: ScreenActor.loop) {
            let result = await thread.result(within: .seconds(10)) { SoundCheck.run(.play) }
            thread.stop()
            await self.sounded(result)
        }
    }

    private func sounded(_ result: SoundCheck.Result?) {
        isSounding = false
        if result == .played { screen.hasSounded = true }
        screen.message =
            switch result {
            case .played?: "Played. Did you hear it? If not, turn the loudspeaker up, and play it again."
            case .unavailable(let reason)?: "Nothing sounded: \(reason). The terminal's bell rings instead; try it."
            default: "Nothing sounded: the sound system does not answer."
            }
        draw()
    }

    // MARK: Keys and signals

    private func inputIsReady() {
        while !session.hasEnded {
            switch shown.terminal.readKey() {
            case .key(let key): pressed(key)
            case .mouse: continue
            case .nothing: return draw()
            case .closed: return session.end(.hangUp)
            }
        }
    }

    private func pressed(_ key: Key) {
        switch screen.keyPressed(key) {
        case .look: look()
        case .playTone: playTone()
        case .ringBell:
            shown.terminal.ring()
            screen.message =
                shown.terminal.hasBell
                ? "The bell was rung. Did you hear it? Some terminals only flash, or do nothing."
                : "This terminal has no bell."
        case .write:
            result = .write(screen.state, isSimulated: screen.isSimulated)
            session.end(.success)
        case .quit:
            result = .left
            session.end(.success)
        case nil: break
        }
    }

    // MARK: Frames

    private func planFrame() {
        if frameTimer != nil { return }
        frameTimer = ScreenActor.loop.schedule(after: Self.frameInterval) { [weak self] in
            ScreenActor.assumeIsolated { self?.draw() }
        }
    }

    private func draw() {
        if let frameTimer { ScreenActor.loop.cancel(frameTimer) }
        frameTimer = nil
        if session.hasEnded { return }
        guard shown.terminal.takesOutput else { return drain.begin() }
        shown.terminal.paint(drawSetup(screen, size: shown.terminal.size))
        if shown.terminal.isOutputWaiting { drain.begin() }
    }
}

/// Searches for sensors without connecting to any, so that searching changes nothing.
@ScreenActor
final class SetupSearch {
    private let feed: LiveFeed
    /// The sensors in range, by name and address; the alarms of this state are not signalled.
    private var nearby: MonitorState
    private let onChange: @ScreenActor (SetupSearch) -> Void
    private var tasks: [Task<Void, Never>] = []

    /// Whether the sensors are simulated; unknown until the message bus has answered.
    var provenance: Provenance { feed.provenance }

    /// The greatest number of shown sensors.
    private static let limit = 64

    /// - Parameters:
    ///   - source: The source of the sensors.
    ///   - settings: The adapter.
    ///   - onChange: Called when the sensors in range change, or a problem occurs.
    init(_ source: SensorSource, _ settings: Settings, onChange: @escaping @ScreenActor (SetupSearch) -> Void) {
        var passive = Settings()
        passive.sensors.adapter = settings.sensors.adapter
        feed = LiveFeed(source, passive, on: ScreenActor.loop)
        nearby = MonitorState(start: .now())
        self.onChange = onChange
    }

    /// Begins the search.
    func begin() async {
        let (feed, events) = (feed, await feed.events())
        tasks = [
            Task(executorPreference: ScreenActor.loop) { [weak self] in
                for await event in events { await self?.receive(event) }
            },
            Task(executorPreference: ScreenActor.loop) { [weak self] in
                _ = await feed.open()
                await feed.begin(isScanning: true)
                await self?.changed()
            },
        ]
    }

    /// Ends the search.
    func end() async {
        await feed.close()
        for task in tasks { task.cancel() }
    }

    private func receive(_ event: MonitorEvent) {
        _ = nearby.apply(.event(event))
        onChange(self)
    }

    private func changed() { onChange(self) }

    /// Why no sensors can be received, with the remedy.
    var trouble: String? {
        EnvironmentWarning(nearby.environment).map { "\($0.sentence) What helps: \($0.remedy). Or skip this step." }
    }

    /// The supported sensors, in the order of their first reception.
    var sensors: [SetupScreen.HeardSensor] {
        nearby.sensors.filter { $0.identity.kind.isRead && ($0.isNearby || Self.isTaken($0)) }.prefix(Self.limit).map {
            SetupScreen.HeardSensor($0.identity, strength: $0.signalStrength, isTaken: Self.isTaken($0))
        }
    }

    private static func isTaken(_ sensor: SensorState) -> Bool {
        sensor.connection.map { $0.isForeign && $0.phase != .disconnected } ?? false
    }
}
