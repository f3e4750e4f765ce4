import BlueZ
import Configuration
import EventLoops
import MonitorLink
import Monitoring
import Recording
import Sounds
import Vitals
import Wording

/// The monitor: folds what a feed brings into the state, carries out the effects, and informs its subscribers.
///
/// It runs on one loop. Where the feed delivers on the same loop, a notification costs one wake-up and no hop; events of
/// another thread come through an ``EventInbox``. Faces (screen, lines, journal, views) subscribe, and send requests back.
package actor MonitorEngine {
    /// Where everything comes from.
    package nonisolated let feed: any MonitorFeed
    /// All that is known.
    package private(set) var state: MonitorState
    /// What alarms did, and what was done about them.
    package internal(set) var log = AlarmLog()
    package internal(set) var recordingMark = RecordingMark.unknown
    /// Whether the data are simulated, which every output must show.
    package internal(set) var isSimulated: Bool

    let loop: EventLoop
    let dispatcher: AlarmDispatcher
    var settingsPersister: SettingsPersister
    /// The changed limits that the store has; `nil` while that is unknown, so that nothing is written over.
    var keptMemory: MonitorMemory?
    /// Whether the viewed monitor records.
    var isRecordedElsewhere = false
    /// The recorder's reader of the feed's events.
    var recordingStream: RecordingStream?
    /// Publishes to a ward.
    var wardPublisher: WardPublisher?
    /// The end of the connection to the ward's broker.
    var wardClosing: Task<Void, Never>?
    /// Read what the feed and the dispatcher report.
    var readers: [Task<Void, Never>] = []
    private var subscribers: [any MonitorSubscriber] = []
    private var inbox: EventInbox?
    private var delivery: BroadcastDelivery?
    private var deadline: DeadlineTimer?
    private(set) var timeZoneOffset = 0
    /// Whether nothing is folded in any more.
    private(set) var isClosing = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Creates an engine that does nothing yet.
    ///
    /// - Parameters:
    ///   - feed: Where everything comes from.
    ///   - settings: What it goes by.
    ///   - file: The configuration file for changed settings; `nil` for none.
    ///   - bell: The terminal's bell; `nil` for none.
    ///   - speakers: Whether alarms may sound through the computer's sound system.
    ///   - loop: The loop that the engine and its subscribers run on.
    package init(
        _ feed: any MonitorFeed, _ settings: Settings, keepingIn file: ConfigurationFile?,
        bell: sending AlarmBell? = nil, speakers: SpeakerUse = .none, on loop: EventLoop
    ) {
        (self.feed, self.loop) = (feed, loop)
        isSimulated = feed.isSimulated
        state = MonitorState(settings: settings.monitorSettings, start: feed.now())
        settingsPersister = SettingsPersister(file, settings)
        dispatcher = AlarmDispatcher(for: feed, settings, bell: bell, speakers: speakers)
    }

    /// The settings that hold.
    package var settings: Settings { settingsPersister.desk.settings }

    /// The path of the opened store; `nil` before that and without a store.
    package var storePath: String? { dispatcher.store.path }

    /// All that a view needs to begin with.
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

    /// Sends an update to every subscriber.
    func send(_ update: MonitorUpdate) {
        for subscriber in subscribers { subscriber.receive(update, from: self) }
    }

    // MARK: Folding

    /// Folds an input into the state, carries out its effects, and informs the subscribers.
    func fold(_ input: MonitorInput) {
        let effects = state.apply(input)
        carryOut(effects)
        if dispatcher.sounds.hasPulseTone { readState { dispatcher.sounds.soundPulse(after: input, in: $0) } }
        send(.input(input, effects))
    }

    /// Changes the state otherwise than by an input.
    func replace(_ part: MonitorUpdate.Replacement, _ change: (inout MonitorState) -> Void) {
        change(&state)
        send(.replaced(part))
    }

    /// Folds in that the viewed monitor was lost.
    func lose(_ loss: MonitorLoss) {
        let effects = state.loseMonitor(loss.clause, at: feed.now())
        // A program that does not monitor does not record either.
        recordingMark = .off
        carryOut(effects)
        send(.monitorLost(loss, effects))
    }

    /// Carries out what the state asks for: bell, desktop, hook, store and log.
    func carryOut(_ effects: [Effect]) {
        let sounding = readState { $0.soundingPriority }
        dispatcher.sounds.isSwitchedOff = settings.monitor.alarmSignals.isSoundOff
        let entries = dispatcher.handle(effects, sounding: sounding) { readState { $0.soundCategory } }
        for entry in entries { log.add(entry) }
        speakAlarms(after: effects)
    }

    /// Reads from the state without retaining all its parts, which costs more than most of what is read.
    ///
    /// - Parameter body: It must not use the engine, whose state is locked meanwhile.
    func readState<Value>(_ body: (inout MonitorState) -> Value) -> Value { body(&state) }

    // MARK: Events

    /// Begins to receive the feed's events.
    func follow(_ events: BroadcastSequence<MonitorEvent>) {
        deadline = DeadlineTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.deadlineCame() } }
        // Once a turn: what came together (the two values of an oximeter) is sent, drawn and written together.
        let turnEnded = loop.handler { (engine: isolated MonitorEngine, _: borrowing Void) in engine.turnEnded() }
        loop.onEachTurn { [weak self] in
            if let self { turnEnded(self, ()) }
        }
        if feed.delivers(on: loop) {
            delivery = events.deliver(to: self, on: loop) { $0.receive($1) }
        } else {
            inbox = EventInbox(events, on: loop) { [weak self] events in
                self?.assumeIsolated { engine in for event in events { engine.receive(event) } }
            }
        }
    }

    /// Folds in what has come meanwhile, so that nothing is evaluated, answered or drawn by less than what is known.
    ///
    /// - Returns: Whether anything had come.
    @discardableResult
    package func catchUp() -> Bool {
        guard let events = inbox?.drain(), !events.isEmpty else { return false }
        for event in events { receive(event) }
        return true
    }

    /// Folds in the last events of a feed that has been closed.
    func finishEvents() {
        catchUp()
        inbox?.close()
        delivery = nil
    }

    private func receive(_ event: MonitorEvent) {
        // What the user wanted of sensors is remembered even if it comes after the end.
        if feed.remembersSensors { dispatcher.store.inbox.append(decisionOf: event) }
        if isClosing { return }
        if feed.traits.stepsThroughTime { passTime(before: event) }
        fold(.event(event))
    }

    // MARK: Time

    /// How late a deadline is when this thread must have stood still.
    private static let longestDelay = Duration.seconds(2)

    /// The next deadline has come.
    ///
    /// One that comes far too late means that the program stood still. The sensors' thread reports that as a gap; until
    /// it has, no sensor may be called silent.
    private func deadlineCame() {
        guard let due = nextDue, feed.now().since(due) >= Self.longestDelay else { return timePassed() }
        Task(executorPreference: loop) {
            await self.feed.checkForStall()
            await self.timePassed()
        }
    }

    /// Lets time act on the state.
    package func timePassed() {
        catchUp()
        // After the end of monitoring is reported, no alarm may follow.
        if isClosing { return }
        let now = feed.now()
        if feed.traits.stepsThroughTime { return passTime(to: now) }
        if isTimeElsewhere { return send(.timePassed) }
        followTimeZone(at: now)
        fold(.event(MonitorEvent(moment: now, kind: .tick)))
    }

    /// The earliest moment at which time alone changes something here.
    private var nextDue: Moment? {
        var earliest = isTimeElsewhere ? nil : readState { $0.nextDeadline }
        for subscriber in subscribers {
            guard let due = subscriber.nextDue else { continue }
            earliest = min(earliest ?? due, due)
        }
        return earliest
    }

    /// Whether the state is changed by the time of a viewed monitor, which answers.
    private var isTimeElsewhere: Bool { feed.view?.isConnected ?? false }

    private func turnEnded() {
        send(.turnEnded)
        deadline?.plan(at: isClosing ? nil : nextDue.map { feed.dueTime(of: $0) })
    }

    /// Advances to an event of a recording, unless the recording restarts with it.
    private func passTime(before event: MonitorEvent) {
        guard case .restarted = event.kind else { return passTime(to: event.timeBefore) }
        log = AlarmLog()
    }

    /// Lets time pass in a recording, and stops at each moment at which it alone changes something: the result must not
    /// depend on when the computer finds the time for it.
    func passTime(to moment: Moment) {
        var last: Moment?
        while let due = nextDue, due < moment, due != last {
            last = due
            followTimeZone(at: due)
            fold(.event(MonitorEvent(moment: due, kind: .tick)))
        }
        followTimeZone(at: moment)
    }

    /// Takes over the local time's distance from UTC, by which the limits of day and night go.
    package func followTimeZone(at now: Moment) {
        if feed.view != nil { return }
        let offset = now.localTimeOffset
        if offset == timeZoneOffset { return }
        timeZoneOffset = offset
        fold(.timeZoneOffset(offset, at: now))
    }

    /// Stops folding anything in; ``close(awaiting:)`` follows.
    package func stop() {
        isClosing = true
        deadline?.cancel()
    }
}
