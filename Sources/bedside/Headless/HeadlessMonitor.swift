import CommandLineTool
import Configuration
import Dashboard
import EventLoop
import Glibc
import MonitorLink
import Monitoring
import Recording
import Vitals

/// A monitor without a screen: sensors, state, alarms with their notifications and hook, and the store, on one thread.
///
/// It is an actor on the bus loop, so a notification is told of with one wake-up and without a hop. What is said of it,
/// and how, is its voice's.
actor HeadlessMonitor {
    /// How it is to behave.
    struct Manner: Sendable {
        /// When it ends by itself.
        var duration: Duration?
        /// Whether it ends where there is no message bus at its start, instead of waiting for one.
        var endsWithoutBus = true
        /// Its command, for those who look on from elsewhere.
        var command: Subcommand
        /// The configuration file, in which limits are kept that somebody who looks on wants kept.
        var file: ConfigurationFile?
        /// Reads the settings anew for SIGHUP; without it, SIGHUP ends the monitor.
        var rereadSettings: (@Sendable () throws(CommandFailure) -> Settings)?
    }

    private let loop: EventLoop
    private let settings: Settings
    private let manner: Manner
    let voice: any HeadlessVoice
    let feed: any MonitorFeed
    var state: MonitorState
    private var notebook = SensorNotebook()
    private var patient = PatientNotebook()
    private var keeper: SettingsKeeper
    private var outlet: AlarmOutlet?
    private let hold: MonitorHold
    private var post: MonitorPost?
    private var log = AlarmLog()
    private var publisher: MonitorPublisher?
    private var timeZoneOffset = 0
    private var hasBeenConnected = false
    private var deadline: DeadlineTimer?
    var status: ExitStatus?
    private var finish: CheckedContinuation<ExitStatus, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes a monitor that does nothing yet.
    ///
    /// - Parameters:
    ///   - feed: Where what happens comes from.
    ///   - hold: The claim to the patient.
    ///   - loop: The loop that it runs on, and on which the feed delivers.
    init(
        _ feed: any MonitorFeed, _ settings: Settings, _ manner: Manner, voice: sending any HeadlessVoice,
        holding hold: sending MonitorHold, on loop: EventLoop
    ) {
        self.hold = hold
        (self.feed, self.settings, self.manner, self.voice, self.loop) = (feed, settings, manner, voice, loop)
        state = MonitorState(settings: settings.monitorSettings, start: feed.now())
        keeper = SettingsKeeper(manner.file, settings)
    }

    /// Runs until the time, a signal or its voice ends it.
    func run() async -> ExitStatus {
        voice.begin(on: loop) { [weak self] status in self?.assumeIsolated { $0.end(status) } }
        let signals = SignalWatch([SIGINT, SIGTERM, SIGHUP], on: loop) { [weak self] number in
            self?.assumeIsolated { $0.received(signal: number) }
        }
        let timer = manner.duration.map { duration in
            loop.schedule(after: duration) { [weak self] in self?.assumeIsolated { $0.end(.success) } }
        }
        deadline = DeadlineTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.timePassed() } }
        let delivery = await feed.events().deliver(to: self, on: loop) { $0.receive($1) }
        // Once in a turn: what came in the same breath (the two values of an oximeter) leaves in one write.
        loop.onEachTurn { [weak self, loop] in
            if let self { loop.assumeIsolated(to: self) { $0.turnEnds() } }
        }
        let outlet = AlarmOutlet.suited(to: feed, settings, bell: nil)
        self.outlet = outlet
        let recording = await feed.record(settings.recording, to: outlet.inbox)
        let reports = outlet.reports
        let reader = Task(executorPreference: loop) { await self.follow(reports) }
        makePublisher()
        followTimeZone(at: feed.now())
        let complaints = await feed.complaints()
        let complaintReader = Task(executorPreference: loop) { await self.follow(complaints) }
        if feed.replay == nil { offer() }
        // Beside the wait for the end, which must not wait for a bus that lets us wait.
        let opening = Task(executorPreference: loop) { await self.beginFeed() }
        let status = await withCheckedContinuation { continuation in
            if let status = self.status { continuation.resume(returning: status) } else { finish = continuation }
        }
        voice.isEnding()
        publisher?.close()
        post?.close()
        withExtendedLifetime((delivery, recording)) {}
        if let timer { loop.cancel(timer) }
        deadline?.cancel()
        await feed.close()
        _ = await loop.result(within: .seconds(20)) { await opening.value }
        complaintReader.cancel()
        for sentence in [await notebook.finish(within: .seconds(3)), await patient.finish(within: .seconds(3))] {
            if let sentence { voice.complain(sentence) }
        }
        // Notifications and the store have the time that a slow reader of our lines has not.
        let loss = await outlet.close(state.interruptions(at: feed.now()))
        await reader.value
        if let loss { voice.complain(loss) }
        signals?.stop()
        voice.finish()
        hold.release()
        return status
    }

    /// Goes on with what earlier runs have left, and begins with the sensors.
    private func beginFeed() async {
        if let replay = feed.replay { return await begin(replay) }
        guard let outlet else { return }
        // Nothing is opened before that is known, so that nothing simulated ever gets among what is real.
        let provenance = await feed.open()
        // Where it was never known nothing was measured, and the rest is about the patient.
        voice.isSimulated = provenance == .simulated
        outlet.isSimulated = voice.isSimulated
        if provenance != .unknown { post?.open(isSimulated: voice.isSimulated) }
        let opened = await feed.remembered()
        notebook = opened.notebook
        notebook.onError(outlet.complain)
        if let complaint = opened.complaint { complain(complaint) }
        let earlier = await outlet.open()
        log.prepend(earlier.log)
        // The store is open, so that what has happened so far is in the log even if this is the end already.
        if status != nil { return }
        publisher?.publishSnapshot()
        // The screen's changes count here, too: both judge the same patient.
        let patient = await PatientNotebook.open(of: settings.patient.name, isSimulated: outlet.isSimulated)
        self.patient = patient.notebook
        self.patient.onError(outlet.complain)
        if let complaint = patient.complaint { complain(complaint) }
        fold(.memory(patient.memory, at: feed.now()))
        await resume(earlier.alarms)
        let entries = await outlet.manualEntries(until: feed.now())
        if !entries.isEmpty { fold(.manualEntries(entries, at: feed.now())) }
        if status != nil { return }
        await feed.begin(remembering: opened.sensors, isScanning: true)
        if status != nil { return }
        voice.isReady(state)
        // Neither sensors nor the end should wait for a store that is slow.
        guard let path = outlet.storePath else { return }
        Task(executorPreference: loop) { [weak self] in await self?.restoreTrends(from: path) }
    }

    /// Goes on with the alarms that earlier runs have left in the store.
    private func resume(_ alarms: OutstandingAlarms) async {
        guard let outlet else { return }
        let earlier = await outlet.earlierRun(alarms, state.settings.fever, at: feed.now())
        fold(.earlierRun(earlier, at: feed.now()))
    }

    private func restoreTrends(from path: String) async {
        let loader = await PastLoader(path: path)
        // Trouble with the store is told by the recorder.
        guard let beginning = try? await loader.beginning(at: feed.now()), status == nil else { return }
        state.restore(beginning.trends)
        publisher?.publishSnapshot()
    }

    /// Lets other programs ask what there is to see.
    private func offer() {
        let post = MonitorPost(
            hold, of: settings.patient.name, on: loop,
            complain: { [weak self] sentence in self?.assumeIsolated { $0.complain(sentence) } },
            look: { [weak self] in self?.assumeIsolated { $0.glance } ?? Glance(wallMilliseconds: 0) })
        self.post = post
        publisher?.keeps = { [weak post] in post?.keep($0) ?? false }
        post.understands = { [publisher] in publisher?.take($0, from: $1) ?? false }
        post.open(isSimulated: feed.isSimulated)
    }

    private var glance: Glance {
        Glance(state, patient: settings.patient.name, provenance: feed.provenance, now: feed.now())
    }

    // MARK: What happens

    /// Takes something into the state, and tells what it brought about.
    func fold(_ input: MonitorInput) {
        let effects = state.apply(input)
        publisher?.publish(input)
        voice.tell(input.happened, effects, state)
        for entry in outlet?.take(effects, sounding: nil) ?? [] { log.add(entry) }
        post?.changed(isUrgent: effects.contains(where: \.isUrgent))
    }

    /// Tells a sentence about trouble, also to those who look on.
    private func complain(_ sentence: String) {
        voice.complain(sentence)
        publisher?.publish(notice: sentence)
    }

    private func receive(_ event: MonitorEvent) {
        if feed.replay == nil { notebook.note(event) }
        if status != nil { return }
        if feed.replay != nil { pass(to: event.timeBefore) }
        fold(.event(event))
        switch event.kind {
        case .bus(.lost(let reason)) where !hasBeenConnected && manner.endsWithoutBus:
            voice.complain("\(reason) Is dbus-daemon running? Without it, try: bedside watch --simulate")
            end(.unavailable)
        case .bus(.connected): hasBeenConnected = true
        default: break
        }
    }

    /// Follows what the store, the desktop and the hook have to say.
    private func follow(_ reports: AsyncStream<AlarmOutlet.Report>) async {
        for await report in reports {
            switch report {
            case .storage(let storage): fold(.storage(storage, at: feed.now()))
            case .complaint(let sentence): complain(sentence)
            case .earlierLog(let entries, let alarms):
                log.prepend(entries)
                await resume(alarms)
                publisher?.publishSnapshot()
            }
        }
    }

    private func follow(_ complaints: AsyncStream<String>) async {
        for await complaint in complaints { complain(complaint) }
    }

    /// Takes over the local time's distance from UTC, by which the limits of day and night go.
    func followTimeZone(at now: Moment) {
        let offset = now.localTimeOffset
        if offset == timeZoneOffset { return }
        timeZoneOffset = offset
        voice.timeZoneOffset = offset
        fold(.timeZoneOffset(offset, at: now))
    }

    private func turnEnds() {
        voice.turnEnds(state)
        let next = [state.nextDeadline, voice.nextDue].compactMap { $0 }.min()
        deadline?.plan(at: next.map { feed.dueTime(of: $0) })
    }

    private func timePassed() {
        // Whoever has said that nothing is monitored any more tells of no alarm after that.
        if status != nil { return }
        let now = feed.now()
        if feed.replay != nil { return pass(to: now) }
        followTimeZone(at: now)
        fold(.event(MonitorEvent(moment: now, kind: .tick)))
    }

    // MARK: Those who look on

    private func makePublisher() {
        publisher = MonitorPublisher(on: loop, manner.command) { [unowned self] in
            assumeIsolated { $0.snapshot }
        } refusal: { [unowned self] wish in
            assumeIsolated { $0.state.refusal(of: wish, at: $0.feed.now()) }
        } perform: { [unowned self] wish in
            assumeIsolated { $0.perform(wish) }
        }
    }

    private var snapshot: MonitorSnapshot {
        MonitorSnapshot(
            state: state, log: log.entries, provenance: feed.provenance, isRecording: settings.recording.isEnabled)
    }

    /// Does what somebody wants who looks on; what comes of it, they are told with all that happens.
    private func perform(_ wish: ViewerLine) {
        switch wish {
        case .attach: break
        case .command(let command): feed.carryOut(command)
        case .action(let action):
            fold(.action(action, at: feed.now()))
            keepPatient()
        case .keepLimit(let vital, let setting):
            let kept = keeper.keep(setting, of: vital, isNight: state.profile != nil)
            if let settings = kept.settings {
                fold(.settings(settings, name: nil, value: nil, at: feed.now()))
                keepPatient()
            }
            publisher?.publish(notice: kept.sentence)
        }
    }

    private func keepPatient() {
        patient.keep(state.memory)
    }

    // MARK: Ending

    private func received(signal number: Int32) {
        guard number == SIGHUP else { return end(.success) }
        guard let rereadSettings = manner.rereadSettings else { return end(.hangUp) }
        voice.willReload()
        do throws(CommandFailure) {
            let settings = try rereadSettings()
            keeper = SettingsKeeper(manner.file, settings)
            fold(.settings(settings.monitorSettings, name: nil, value: nil, at: feed.now()))
            let sentence =
                "the configuration was read again; limits, rules and delays hold as it says, the rest from the next start"
            voice.hasReloaded(sentence, isGood: true)
        } catch {
            voice.hasReloaded(
                "the configuration was not read again, and the earlier settings still hold: \(error.sentence)",
                isGood: false)
            // A screen has one line for it, which the path must not fill.
            let shown = manner.file.map { file in
                error.sentence.replacing(file.path, with: file.path.split(separator: "/").last ?? "")
            }
            publisher?.publish(
                notice: "Settings not read again: \(shown ?? error.sentence); the earlier ones still hold.")
        }
    }

    func end(_ status: ExitStatus) {
        if self.status != nil { return }
        self.status = status
        finish?.resume(returning: status)
        finish = nil
    }
}
