import CommandLineTool
import Configuration
import DBus
import EventLoop
import Glibc
import Monitoring
import Vitals

/// `bedside watch`: prints what happens in lines, of words or of JSON, on one thread, until it is interrupted.
///
/// It is an actor on the bus loop, so a notification becomes a line with one wake-up and without a hop.
actor WatchCommand {
    private let loop: EventLoop
    private let arguments: CommandLineArguments
    private let settings: Settings
    private let lineLimit: Int?
    private let duration: Duration?
    private var lines: WatchLines
    private var state: MonitorState
    private var output: LineOutput?
    private var readingCount = 0
    private var notebook = SensorNotebook()
    private var outlet: AlarmOutlet?
    private var timeZoneOffset = 0
    private var deadline: DeadlineTimer?
    private var status: ExitStatus?
    private var finish: CheckedContinuation<ExitStatus, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes the command.
    ///
    /// - Throws: ``CommandFailure`` for a value that cannot be understood, or a configuration file that is wrong.
    init(_ arguments: CommandLineArguments, loop: EventLoop) throws(CommandFailure) {
        self.loop = loop
        self.arguments = arguments
        duration = try Self.duration(.duration, arguments)
        let interval = try Self.duration(.interval, arguments)
        if interval != nil, arguments.has(.json) {
            throw Self.usage(
                "--interval is for lines of words; with --json every event is a line", arguments.subcommand)
        }
        if let text = arguments.value(of: .count) {
            guard let count = Int(text), count > 0 else {
                throw Self.usage("'\(text)' is no number of readings", arguments.subcommand)
            }
            lineLimit = count
        } else {
            lineLimit = nil
        }
        settings = try Settings.toStart(arguments)
        lines = WatchLines(
            isJSON: arguments.has(.json), interval: interval ?? .seconds(10), settings,
            isSimulated: arguments.has(.simulate))
        state = MonitorState(settings: settings.monitorSettings, start: .now())
    }

    private static func duration(
        _ option: CommandLineTool.Option, _ arguments: CommandLineArguments
    ) throws(CommandFailure) -> Duration? {
        guard let text = arguments.value(of: option) else { return nil }
        guard let duration = DurationText.duration(text) else {
            throw usage("'\(text)' is no length of time such as 30s, 10m or 8h", arguments.subcommand)
        }
        return duration
    }

    private static func usage(_ problem: String, _ subcommand: Subcommand = .watch) -> CommandFailure {
        CommandFailure(UsageError(problem, subcommand: subcommand).description, status: .usage)
    }

    /// Runs until the time, the count, a signal or the reader ends it.
    func run() async -> ExitStatus {
        let source: SensorSource
        do {
            source = try await SensorSource.open(arguments)
        } catch {
            complain(error.sentence)
            return error.status
        }
        return await follow(LiveFeed(source, settings, on: loop))
    }

    /// Runs until a recording, the count, a signal or the reader ends it.
    func run(_ recording: ReplayFeed) async -> ExitStatus { await follow(recording) }

    private func follow(_ feed: any MonitorFeed) async -> ExitStatus {
        self.feed = feed
        let replay = feed.replay
        state = MonitorState(settings: settings.monitorSettings, start: feed.now())
        output = LineOutput(descriptor: STDOUT_FILENO, loop: loop) { [weak self] failure in
            self?.assumeIsolated { $0.writingFailed(failure) }
        }
        let signals = SignalWatch([SIGINT, SIGTERM, SIGHUP], on: loop) { [weak self] number in
            self?.assumeIsolated { $0.end(number == SIGHUP ? .hangUp : .success) }
        }
        // A recording knows by itself how much of it is played.
        let timer = (replay == nil ? duration : nil).map { duration in
            loop.schedule(after: duration) { [weak self] in self?.assumeIsolated { $0.end(.success) } }
        }
        deadline = DeadlineTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.timePassed() } }
        let delivery = await feed.events().deliver(to: self, on: loop) { $0.receive($1) }
        // Once in a turn: what came in the same breath (the two values of an oximeter) leaves in one write.
        loop.onEachTurn { [weak self, loop] in
            if let self { loop.assumeIsolated(to: self) { $0.turnEnds() } }
        }
        let outlet =
            replay == nil
            ? AlarmOutlet(settings.alarms, recording: settings.recording, start: .now(), bell: nil)
            : .mute(at: feed.now())
        self.outlet = outlet
        let recording = await feed.record(settings.recording, to: outlet.inbox)
        let reports = outlet.reports
        let reader = Task(executorPreference: loop) { await self.follow(reports, feed) }
        followTimeZone(at: feed.now())
        let complaints = await feed.complaints()
        let complaintReader = Task(executorPreference: loop) {
            for await complaint in complaints { complain(complaint) }
        }
        let opened = await feed.open()
        notebook = opened.notebook
        if let complaint = opened.complaint { complain(complaint) }
        outlet.isSimulated = feed.isSimulated
        if let replay { begin(replay) } else { await resume(outlet, feed) }
        await feed.begin(remembering: opened.sensors, isScanning: true)
        let status = await withCheckedContinuation { continuation in
            if let status = self.status { continuation.resume(returning: status) } else { finish = continuation }
        }
        // The loop may not come to the end of its turn any more.
        flush()
        withExtendedLifetime((delivery, recording)) {}
        if let timer { loop.cancel(timer) }
        deadline?.cancel()
        await feed.close()
        complaintReader.cancel()
        // Notifications and the store have the time that a slow reader of our lines has not.
        let loss = await outlet.close(state.interruptions(at: feed.now()))
        await reader.value
        if let loss { complain(loss) }
        signals?.stop()
        output?.finish(within: .seconds(2))
        return status
    }

    /// Goes on with what an earlier run has kept.
    private func resume(_ outlet: AlarmOutlet, _ feed: any MonitorFeed) async {
        let earlier = await outlet.open()
        // The screen's changes count here, too: both judge the same patient.
        let patient = PatientNotebook.open(isSimulated: outlet.isSimulated)
        if let complaint = patient.complaint { complain(complaint) }
        tell(state.resume(patient.memory, after: earlier.lastAlarm, at: feed.now()))
    }

    private func receive(_ event: MonitorEvent) {
        if status != nil { return }
        if feed?.replay != nil { pass(to: event.moment) }
        if case .bus(.connected) = event.kind, feed?.isSimulated == true { lines.isSimulated = true }
        if let complaint = notebook.note(event) { complain(complaint) }
        let effects = state.apply(event)
        lines.write(event, effects, state)
        outlet?.take(effects, sounding: nil)
        switch event.kind {
        case .reading:
            readingCount += 1
            if readingCount == lineLimit { end(.success) }
        case .bus(.lost(let reason)) where !hasBeenConnected:
            complain("\(reason) Is dbus-daemon running? Without it, try: bedside watch --simulate")
            end(.unavailable)
        case .bus(.connected):
            hasBeenConnected = true
        default: break
        }
    }

    private var hasBeenConnected = false
    private var feed: (any MonitorFeed)?

    private func tell(_ effects: [Effect]) {
        lines.write(effects, state)
        outlet?.take(effects, sounding: nil)
    }

    /// Follows what the store, the desktop and the hook have to say.
    private func follow(_ reports: AsyncStream<AlarmOutlet.Report>, _ feed: any MonitorFeed) async {
        for await report in reports {
            switch report {
            case .storage(let storage): tell(state.apply(storage, at: feed.now()))
            case .complaint(let sentence): complain(sentence)
            }
        }
    }

    /// Takes over the local time's distance from UTC, by which the limits of day and night go.
    private func followTimeZone(at now: Moment) {
        let offset = now.localTimeOffset
        if offset == timeZoneOffset { return }
        timeZoneOffset = offset
        lines.timeZoneOffset = offset
        tell(state.apply(timeZoneOffset: offset, at: now))
    }

    private func flush() {
        lines.take { output?.write($0) }
    }

    private func writingFailed(_ failure: Int32) {
        if failure == EPIPE { return end(.success) }
        complain("cannot write: \(String(cString: strerror(failure)))")
        end(.inputOutputError)
    }

    private func turnEnds() {
        flush()
        let next = [state.nextDeadline, lines.nextDue].compactMap { $0 }.min()
        deadline?.plan(at: next.flatMap { feed?.dueTime(of: $0) })
    }

    private func timePassed() {
        guard let feed else { return }
        let now = feed.now()
        if feed.replay != nil { return pass(to: now) }
        followTimeZone(at: now)
        tell(state.apply(MonitorEvent(moment: now, kind: .tick)))
    }

    // MARK: Recordings

    /// Says what is played, and has it end this when it is over.
    private func begin(_ replay: ReplayFeed) {
        lines.isReplay = true
        lines.isSimulated = replay.isSimulated
        lines.writeReplay(hasEnded: false, replay.range, feed?.now() ?? .now())
        replay.mayGoOn = { [weak self] in
            self?.assumeIsolated { $0.output?.isHeldUp == false } ?? false
        }
        output?.whenTaken = { [weak replay] in replay?.goOn() }
        replay.whenEnded = { [weak self] in self?.assumeIsolated { $0.ended(replay.range) } }
    }

    private func ended(_ range: ClosedRange<Int64>) {
        guard status == nil, let now = feed?.now() else { return }
        pass(to: now)
        lines.writeReplay(hasEnded: true, range, now)
        end(.success)
    }

    /// Lets time pass in a recording, and stops at each moment at which it alone changes something: what comes of that
    /// must not depend on when the computer finds the time for it.
    private func pass(to moment: Moment) {
        var last: Moment?
        while let due = [state.nextDeadline, lines.nextDue].compactMap({ $0 }).min(), due < moment, due != last {
            last = due
            followTimeZone(at: due)
            tell(state.apply(MonitorEvent(moment: due, kind: .tick)))
        }
        followTimeZone(at: moment)
    }

    private func end(_ status: ExitStatus) {
        if self.status != nil { return }
        self.status = status
        finish?.resume(returning: status)
        finish = nil
    }
}
