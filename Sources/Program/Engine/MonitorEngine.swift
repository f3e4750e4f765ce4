import Configuration
import EventLoops
import Monitoring
import MonitorLink
import Recording
import Sounds
import Speech
import Vitals
import Wording

/// The monitor: updates the state for each event of a feed, carries out the effects, and informs its subscribers.
///
/// It runs on the loop of its feed, so a notification costs one wake-up and no hop. Subscribers (screen, lines, journal,
/// views) send requests back.
package actor MonitorEngine {
    /// The source of events.
    package nonisolated let feed: MonitorFeed
    /// The complete state.
    package private(set) var state: MonitorState
    /// The log of alarms and of the responses to them.
    package internal(set) var log = AlarmLog()
    package internal(set) var recordingMark = RecordingMark.unknown
    /// What every output must know; ``changeContext(_:)`` changes it.
    package private(set) var context: SessionContext

    let loop: EventLoop
    let dispatcher: AlarmDispatcher
    var settingsPersister: SettingsPersister
    /// The changed limits in the store; `nil` while they are unknown, so that nothing is overwritten.
    var keptMemory: MonitorMemory?
    /// Whether the viewed monitor records.
    var isRecordedElsewhere = false
    /// The recorder's reader of the feed's events.
    var recordingStream: RecordingStream?
    /// The task that stores the nights of rings; it ends with the feed.
    var nightReader: Task<Void, Never>?
    /// The trace that a key has begun.
    var traceRecorder: TraceRecorder?
    /// Who reads waves.
    var waveReaders = WaveReaders()
    /// What estimates breathing from them.
    var respirationWatch = RespirationWatch()
    /// Publishes to a ward.
    var wardPublisher: WardPublisher?
    /// The end of the connection to the ward's broker.
    var wardClosing: Task<Void, Never>?
    /// The tasks that read the reports of feed and dispatcher.
    var readers: [Task<Void, Never>] = []
    private var subscribers: [any MonitorSubscriber] = []
    private var delivery: BroadcastDelivery?
    private var deadline: DeadlineTimer?
    /// The local time's offset from UTC in the state.
    private var foldedTimeZoneOffset = 0
    /// Whether the state is no longer updated.
    private(set) var isClosing = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Creates an idle engine.
    ///
    /// - Parameters:
    ///   - feed: The source of events.
    ///   - settings: The settings.
    ///   - file: The configuration file for changed settings; `nil` for none.
    ///   - bell: The terminal's bell; `nil` for none.
    ///   - speakers: Whether alarms may sound through the computer's sound system.
    ///   - loop: The loop of the feed, the engine and its subscribers.
    package init(
        _ feed: MonitorFeed, _ settings: Settings, keepingIn file: ConfigurationFile?,
        bell: sending AlarmBell? = nil, speakers: SpeakerUse = .none, on loop: EventLoop
    ) {
        (self.feed, self.loop) = (feed, loop)
        let now = feed.now()
        context = SessionContext(
            provenance: feed.provenance, isReplay: feed.replay != nil, patient: settings.patient.name,
            timeZoneOffset: now.localTimeOffset)
        state = MonitorState(settings: settings.monitorSettings, start: now)
        settingsPersister = SettingsPersister(file, settings)
        dispatcher = AlarmDispatcher(for: feed, settings, context, bell: bell, speakers: speakers, on: loop)
    }

    /// The present settings.
    package var settings: Settings { settingsPersister.desk.settings }

    /// Whether the data are known to be simulated, which every output must show.
    package var isSimulated: Bool { context.isSimulated }

    /// The path of the opened store; `nil` before that and without a store.
    package var storePath: String? { dispatcher.store.path }

    /// Everything that a new view needs.
    package var snapshot: MonitorSnapshot {
        MonitorSnapshot(
            state: state, log: log.entries, provenance: feed.provenance,
            isRecording: dispatcher.store.mark(for: .working) == .on)
    }

    // MARK: Subscribers

    /// Adds a subscriber, which gets every update from now on.
    package func subscribe(_ subscriber: any MonitorSubscriber) {
        subscribers.append(subscriber)
    }

    /// Removes a subscriber.
    package func unsubscribe(_ subscriber: any MonitorSubscriber) {
        subscribers.removeAll { $0 === subscriber }
    }

    /// Sends an update to every subscriber.
    func send(_ update: MonitorUpdate) {
        for subscriber in subscribers { subscriber.receive(update, from: self) }
    }

    /// Changes what every output must know, and informs all outputs.
    func changeContext(_ change: (inout SessionContext) -> Void) {
        var new = context
        change(&new)
        if new == context { return }
        context = new
        dispatcher.context = new
        send(.context(new))
    }

    // MARK: Folding

    /// Updates the state for an input, carries out its effects, and informs the subscribers.
    func fold(_ input: MonitorInput) {
        let effects = state.apply(input)
        carryOut(effects)
        if dispatcher.sounds.hasPulseTone { readState { dispatcher.sounds.soundPulse(after: input, in: $0) } }
        send(.input(input, effects))
    }

    /// Changes the state without an input.
    func replace(_ part: MonitorUpdate.Replacement, _ change: (inout MonitorState) -> Void) {
        change(&state)
        send(.replaced(part))
    }

    /// Updates the state for the loss of the viewed monitor.
    func lose(_ loss: MonitorLoss) {
        let effects = state.loseMonitor(loss.clause, at: feed.now())
        // A program that does not monitor does not record either.
        recordingMark = .off
        carryOut(effects)
        send(.monitorLost(loss, effects))
    }

    /// Carries out effects: bell, desktop, hook, store and log.
    func carryOut(_ effects: [Effect]) {
        for case .calibrations(let calibrations) in effects { feed.live?.use(calibrations: calibrations) }
        let sounding = readState { $0.soundingPriority }
        dispatcher.sounds.isSwitchedOff = settingsPersister.desk.settings.monitor.alarmSignals.isSoundOff
        dispatcher.sounds.scheduledVolume = readState { $0.scheduledVolume }
        let entries = dispatcher.handle(effects, sounding: sounding) { readState { $0.soundCategory } }
        for entry in entries { log.add(entry) }
        speakAlarms(after: effects)
    }

    /// Reads from the state without retaining its parts, which would cost more than most reads.
    ///
    /// - Parameter body: It must not use the engine, whose state is locked meanwhile.
    package func readState<Value>(_ body: (inout MonitorState) -> Value) -> Value { body(&state) }

    // MARK: Events

    /// Begins to receive the feed's events.
    func follow(_ events: BroadcastSequence<MonitorEvent>) {
        deadline = DeadlineTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.deadlineCame() } }
        // Once per turn: values that arrive together (the two of an oximeter) are sent, drawn and written together.
        let turnEnded = loop.handler { (engine: isolated MonitorEngine, _: borrowing Void) in engine.turnEnded() }
        loop.onEachTurn { [weak self] in
            if let self { turnEnded(self, ()) }
        }
        delivery = events.deliver(to: self, on: loop) { $0.receive($1) }
    }

    /// Receives nothing more of a closed feed.
    func finishEvents() { delivery = nil }

    private func receive(_ event: MonitorEvent) {
        // The user's choices of sensors are remembered even if they arrive after the end.
        if feed.remembersSensors { dispatcher.store.inbox.append(memoryOf: event) }
        if isClosing { return }
        if feed.stepsThroughTime { passTime(before: event) }
        fold(.event(event))
    }

    // MARK: Time

    /// The delay of a deadline that shows that this thread was suspended.
    private static let longestDelay = Duration.seconds(2)

    /// Handles a deadline.
    ///
    /// A very late one means that the program was suspended. The feed reports that as a gap; until then, no
    /// sensor may be called silent.
    private func deadlineCame() {
        guard let due = nextDue, feed.now().since(due) >= Self.longestDelay else { return timePassed() }
        Task(executorPreference: loop) {
            await self.feed.live?.checkForStall()
            await self.timePassed()
        }
    }

    /// Updates the state for the passing of time.
    package func timePassed() {
        // After the end of monitoring is reported, no alarm may follow.
        if isClosing { return }
        let now = feed.now()
        if feed.stepsThroughTime { return passTime(to: now) }
        followTimeZone(at: now)
        if isTimeElsewhere { return send(.timePassed) }
        fold(.event(MonitorEvent(moment: now, kind: .tick)))
    }

    /// The earliest moment at which time alone changes something.
    private var nextDue: Moment? {
        var earliest = isTimeElsewhere ? nil : readState { $0.nextDeadline }
        for subscriber in subscribers {
            guard let due = subscriber.nextDue else { continue }
            earliest = min(earliest ?? due, due)
        }
        return earliest
    }

    /// Whether the time of a connected viewed monitor changes the state.
    private var isTimeElsewhere: Bool { feed.view?.isConnected ?? false }

    private func turnEnded() {
        send(.turnEnded)
        deadline?.plan(at: isClosing ? nil : nextDue.map { feed.dueTime(of: $0) })
    }

    /// Advances the time to an event of a recording, unless the recording restarts with it.
    private func passTime(before event: MonitorEvent) {
        guard case .restarted = event.kind else { return passTime(to: event.timeBefore) }
        log = AlarmLog()
    }

    /// Advances the time of a recording, stopping at each moment at which time alone changes something: the result must
    /// not depend on the speed of the computer.
    func passTime(to moment: Moment) {
        var last: Moment?
        while let due = nextDue, due < moment, due != last {
            last = due
            followTimeZone(at: due)
            fold(.event(MonitorEvent(moment: due, kind: .tick)))
        }
        followTimeZone(at: moment)
    }

    /// Updates the local time's offset from UTC, which the schedule depends on.
    package func followTimeZone(at now: Moment) {
        let offset = now.localTimeOffset
        changeContext { $0.timeZoneOffset = offset }
        // The viewed monitor has a local time of its own.
        if feed.view != nil || offset == foldedTimeZoneOffset { return }
        foldedTimeZoneOffset = offset
        fold(.timeZoneOffset(offset, at: now))
    }

    /// Stops folding anything in; ``close(awaiting:)`` follows.
    package func stop() {
        isClosing = true
        deadline?.cancel()
    }
}

// Speech.
extension MonitorEngine {
    /// Speaks the present values.
    ///
    /// - Returns: The spoken text, or why nothing is spoken, as a sentence for the user.
    package func speakValues() -> String {
        if feed.view != nil { return "The monitor that this is a view of speaks, where it runs." }
        guard let speech = dispatcher.sounds.speech else {
            return "Speech is off; the setting alarms.speech switches it on where alarms sound."
        }
        // Values may have become too old meanwhile.
        timePassed()
        return speech.answer(composer(speech.language).values(of: state))
    }

    /// Speaks or silences alarms.
    func speakAlarms(after effects: [Effect]) {
        guard let language = dispatcher.sounds.speech?.language else { return }
        let composer = composer(language)
        readState { dispatcher.sounds.speech?.follow(effects, in: $0, composer) }
    }

    /// Speaks the worst alarm once more.
    func repeatSpokenAlarm() {
        guard let language = dispatcher.sounds.speech?.language else { return }
        let composer = composer(language)
        readState { dispatcher.sounds.speech?.repeatAlarm(in: $0, composer) }
    }

    private func composer(_ language: SpeechLanguage) -> SpeechComposer {
        let screen = settings.screen
        return SpeechComposer(
            language: language,
            units: ValueText(
                isFahrenheit: screen.units == .fahrenheit, isMolarGlucose: screen.glucoseUnit == .millimolesPerLitre),
            context: context)
    }
}
